// Functions that are called and not inlined (language reference, chapter 13): what they are given, give back and
// change, against the same functions in C++. FUN-01 FUN-03 FUN-05 FUN-06
#include "Kernels.h"
#include <random>

namespace {

class Subroutines : public testing::TestWithParam<std::string> {};

constexpr const char *source = R"(
#include <cm/cm.h>
CM_NOINLINE _GENX_ int step(int a, int b) { return a * 5 - (b ^ 77); }
_GENX_STACKCALL_ vector<int, 16> mixed(vector<int, 16> v, int n) {
  v += n;
  v.select<8, 2>(1) *= step(n, v(3));
  return v;
}
CM_NOINLINE _GENX_ int turn(matrix_ref<int, 2, 8> m, vector_ref<int, 8> w) {
  vector<int, 8> top = m.row(0);
  m.row(0) = m.row(1) - w;
  m.row(1) = top;
  w += step(top(0), w(1));
  return w(2);
}
CM_NOINLINE _GENX_ vector<float, 8> halves(vector<half, 8> h, float f, vector_ref<short, 8> counts) {
  counts += 1;
  if (f < 0)
    return h;
  vector<float, 8> r = h;
  return r * f + 1.0f;
}
CM_NOINLINE _GENX_ long long wide(long long a, int b) { return (a << 3) + b; }
CM_NOINLINE _GENX_ int least(vector<int, 8> v) {
  int r = v(0);
  for (int i = 1; i < 8; ++i)
    r = v(i) < r ? int(v(i)) : r;
  return r;
}
extern "C" _GENX_MAIN_ void calls(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 64> a;
  read(in, 0, a.select<32, 1>(0));
  read(in, 128, a.select<32, 1>(32));
  vector<int, 16> x = a.select<16, 1>(0);
  // One result is an operand of the next call, which is given what is still wanted afterwards.
  vector<int, 16> y = mixed(x, 3);
  vector<int, 16> z = mixed(y, n);
  z += mixed(x, n) + y;
  matrix<int, 4, 8> m = a.select<32, 1>(16);
  vector<int, 16> w = a.select<16, 1>(48);
  vector<int, 8> r = 0;
  r(0) = turn(m.select<2, 2, 8, 1>(0, 0), w.select<8, 2>(1));
  r(1) = turn(m.select<2, 1, 8, 1>(1, 0), w.select<8, 1>(4));
  // Values change places from one call to the next.
  int p = n, q = a(5);
  for (int i = 0; i < (n & 7); ++i) {
    int t = step(q, p);
    q = p;
    p = t;
    if (t & 1)
      p += step(p, i);
  }
  r(2) = p;
  r(3) = q;
  r(4) = step(step(1, n), step(n, 2));
  long long l = wide(wide(a(7), n), a(8));
  r(5) = int(l);
  r(6) = int(l >> 32);
  r(7) = least(a.select<8, 1>(8)) - least(a.select<8, 2>(16));
  vector<half, 8> h = a.select<8, 1>(24) & 63;
  vector<short, 8> counts = a.select<8, 1>(32);
  vector<float, 8> f = halves(h, 0.5f, counts) + halves(h + 1, -1.0f, counts);
  vector<int, 8> c = counts;
  write(out, 0, z);
  write(out, 64, m.format<int>().select<16, 1>(0));
  write(out, 128, m.format<int>().select<16, 1>(16));
  write(out, 192, w);
  write(out, 256, r);
  write(out, 288, vector<int, 8>(f * 4.0f));
  write(out, 320, c);
})";

int wrap(long long v) { return int(unsigned(v)); }
int step(int a, int b) { return wrap(5ll * a - (b ^ 77)); }
std::vector<int> mixed(std::vector<int> v, int n) {
  for (int &e : v)
    e = wrap(1ll * e + n);
  int factor = step(n, v[3]);
  for (unsigned k = 1; k < 16; k += 2)
    v[k] = wrap(1ll * v[k] * factor);
  return v;
}
int turn(std::array<int *, 16> m, std::array<int *, 8> w) {
  int first = *m[0];
  for (unsigned k = 0; k < 8; ++k) {
    int top = *m[k];
    *m[k] = wrap(1ll * *m[8 + k] - *w[k]);
    *m[8 + k] = top;
  }
  int more = step(first, *w[1]);
  for (int *e : w)
    *e = wrap(1ll * *e + more);
  return *w[2];
}

std::vector<int> expected(const std::vector<int> &a, int n) {
  std::vector<int> x(a.begin(), a.begin() + 16), y = mixed(x, 3), z = mixed(y, n), again = mixed(x, n), out;
  for (unsigned k = 0; k < 16; ++k)
    out.push_back(wrap(1ll * z[k] + again[k] + y[k]));
  std::vector<int> m(a.begin() + 16, a.begin() + 48), w(a.begin() + 48, a.end()), r(8);
  std::array<int *, 16> rows;
  std::array<int *, 8> row;
  for (unsigned k = 0; k < 8; ++k)
    rows[k] = &m[k], rows[8 + k] = &m[16 + k], row[k] = &w[1 + 2 * k > 15 ? 15 : 1 + 2 * k];
  r[0] = turn(rows, row);
  for (unsigned k = 0; k < 8; ++k)
    rows[k] = &m[8 + k], rows[8 + k] = &m[16 + k], row[k] = &w[4 + k];
  r[1] = turn(rows, row);
  int p = n, q = a[5];
  for (int i = 0; i < (n & 7); ++i) {
    int t = step(q, p);
    q = p;
    p = t;
    if (t & 1)
      p = wrap(1ll * p + step(p, i));
  }
  r[2] = p, r[3] = q, r[4] = step(step(1, n), step(n, 2));
  long long l = (((1ll * a[7] << 3) + n) << 3) + a[8];
  r[5] = wrap(l), r[6] = int(l >> 32);
  int least = a[8], other = a[16];
  for (unsigned k = 0; k < 8; ++k)
    least = std::min(least, a[8 + k]), other = std::min(other, a[16 + 2 * k]);
  r[7] = wrap(1ll * least - other);
  out.insert(out.end(), m.begin(), m.end());
  out.insert(out.end(), w.begin(), w.end());
  out.insert(out.end(), r.begin(), r.end());
  for (unsigned k = 0; k < 8; ++k) {
    int h = a[24 + k] & 63;
    out.push_back(int((h * 0.5f + 1 + h + 1) * 4));
  }
  for (unsigned k = 0; k < 8; ++k)
    out.push_back(short(a[32 + k] + 2));
  return out;
}

TEST_P(Subroutines, doAsInlinedOnes) {
  pocm::Program program = test::compile(source);
  pocm::Device device = test::open(GetParam());
  std::mt19937 random(11);
  for (int n : {0, 1, -3, 7, 1000003, INT32_MAX, INT32_MIN}) {
    std::vector<int> a(64);
    for (int &e : a)
      e = n == 0 ? 0 : int(random() >> (n & 15));
    pocm::Kernel kernel = device.createKernel(program, "calls");
    pocm::Buffer in = device.createBuffer(256), out = device.createBuffer(352);
    in.write(a.data(), 256);
    kernel.setArgument(0, in);
    kernel.setArgument(1, out);
    kernel.setArgument(2, &n, sizeof(n));
    device.enqueue(kernel, {1, 1}).wait();
    std::vector<int> got(88);
    out.read(got.data(), 352);
    EXPECT_EQ(got, expected(a, n)) << n;
  }
}

constexpr const char *kernelsSource = R"(
extern "C" _GENX_MAIN_ _CM_CALLABLE_ void add(SurfaceIndex s, int at, vector<int, 8> v) {
  vector<int, 8> old;
  read(s, at, old);
  v += old;
  write(s, at, v);
}
extern "C" _GENX_MAIN_ void twice(SurfaceIndex s, int n) {
  vector<int, 8> v = n;
  v(1) += 4;
  add(s, 0, v);
  add(s, 32, v * 2);
}
template <class T, int N> _GENX_MAIN_ void scale(SurfaceIndex s, T factor) {
  vector<T, N> v;
  read(s, 0, v);
  v *= factor;
  write(s, 0, v);
}
template void scale<int, 8>(SurfaceIndex, int);
template void scale<short, 32>(SurfaceIndex, short);
)";

// A kernel that others call is a kernel still, and those of a template have its arguments in their names.
TEST_P(Subroutines, kernelsThatAreCalledAndInstances) {
  pocm::Program program = test::compile(kernelsSource);
  pocm::Device device = test::open(GetParam());
  std::vector<int> values(16), expected(16);
  for (int k = 0; k < 16; ++k)
    values[k] = expected[k] = k * 10;
  pocm::Buffer buffer = device.createBuffer(64);
  buffer.write(values.data(), 64);
  auto run = [&](const char *name, auto argument) {
    pocm::Kernel kernel = device.createKernel(program, name);
    kernel.setArgument(0, buffer);
    kernel.setArgument(1, &argument, sizeof(argument));
    device.enqueue(kernel, {1, 1}).wait();
  };
  run("twice", 3);
  for (int k = 0; k < 16; ++k)
    expected[k] += (k < 8 ? 1 : 2) * (k % 8 == 1 ? 7 : 3);
  run("scale<int, 8>", 7);
  for (int k = 0; k < 8; ++k)
    expected[k] *= 7;
  run("scale<short, 32>", short(2));
  for (int k = 0; k < 16; ++k)
    expected[k] *= 2;
  buffer.read(values.data(), 64);
  EXPECT_EQ(values, expected);
  EXPECT_NO_THROW(device.createKernel(program, "add"));
}

INSTANTIATE_TEST_SUITE_P(Cpus, Subroutines, testing::ValuesIn(test::cpus()));

} // namespace
