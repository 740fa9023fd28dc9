// Variables that are not one vector: structures, arrays of vectors and of scalars with run-time indices, lambdas. What
// cannot become whole values stays in memory and gives the same results. (OBJ-06, FUN-07, FUN-11)
#include "Kernels.h"
#include <array>
#include <cstring>

namespace {

constexpr const char *source = R"(
#include <cm/cm.h>
struct particle { vector<float, 4> pos, vel; int id; };
_GENX_ void step(particle &p, float dt) { p.pos += p.vel * dt; p.id++; }
template <class T, int N> T last(vector<T, N> v) { return v(N - 1); }

extern "C" _GENX_MAIN_ void structures(SurfaceIndex out, int n) {
  particle p;
  p.pos = 1.0f;
  p.vel = 2.0f;
  p.id = 7;
  for (int i = 0; i < n; i++)
    step(p, 0.5f);
  auto scaled = [&](float f) { vector<float, 4> r = p.pos * f; return r; };
  vector<float, 4> r = scaled(10.0f);
  r(3) = p.id + last(p.vel);
  vector<int, 4> whole = r;
  write(out, 0, 0, whole);
}

extern "C" _GENX_MAIN_ void arrays(SurfaceIndex out, int n) {
  vector<int, 4> a[5];
  int count[8];
  for (int i = 0; i < 8; i++)
    count[i] = i * n;
  for (int i = 0; i < 5; i++)
    a[i] = i * 10;
  for (int i = 0; i < n; i++)
    a[i % 5].select<2, 2>(1) += count[i % 8] + 1;
  vector<int, 4> r = a[n % 5];
  r(0) += count[n % 8];
  write(out, 0, 0, r);
}
)";

std::array<int, 4> run(pocm::Device &device, const pocm::Program &program, const char *name, int n) {
  pocm::Image image = device.createImage(4, 1, 4);
  pocm::Kernel kernel = device.createKernel(program, name);
  kernel.setArgument(0, image);
  kernel.setArgument(1, &n, sizeof(n));
  device.enqueue(kernel, {1, 1}).wait();
  std::array<int, 4> result;
  image.read(result.data(), sizeof(result));
  return result;
}

TEST(Storage, structuresAreTheirMembers) {
  pocm::Program program = test::compile(source);
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    for (int n : {0, 1, 3, 100})
      EXPECT_EQ(run(device, program, "structures", n), (std::array{10 + 10 * n, 10 + 10 * n, 10 + 10 * n, 9 + n}))
          << cpu;
  }
}

TEST(Storage, arraysOfVectorsAreIndexedAtRunTime) {
  pocm::Program program = test::compile(source);
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    for (int n : {0, 1, 5, 7, 23}) {
      std::array<std::array<int, 4>, 5> a;
      for (int i = 0; i < 5; ++i)
        a[std::size_t(i)].fill(i * 10);
      for (int i = 0; i < n; ++i)
        for (std::size_t k : {1, 3})
          a[std::size_t(i % 5)][k] += i % 8 * n + 1;
      std::array<int, 4> want = a[std::size_t(n % 5)];
      want[0] += n % 8 * n;
      EXPECT_EQ(run(device, program, "arrays", n), want) << cpu << " " << n;
    }
  }
}

// Arrays of 3 KB and more, and those that pointers lead to which meet: thread memory on a Gen target. (OBJ-03)
constexpr const char *memorySource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void large(SurfaceIndex in, SurfaceIndex out, int n) {
  int a[1024];
  for (int i = 0; i < 1024; ++i)
    a[i] = i * n;
  vector<int, 16> at, v;
  read(in, 0, at);
  for (int k = 0; k < 16; ++k)
    v(k) = a[at(k) & 1023] - a[1023 - (at(k) & 1023)];
  write(out, 0, v);
}

extern "C" _GENX_MAIN_ void merged(SurfaceIndex in, SurfaceIndex out, int n) {
  short a[64], b[50];
  for (int i = 0; i < 50; ++i)
    a[i] = i * n, b[i] = i + n;
  for (int i = 50; i < 64; ++i)
    a[i] = n;
  vector<int, 16> at, v;
  read(in, 0, at);
  short *p = n & 1 ? a : b;
  for (int k = 0; k < 16; ++k) {
    p[at(k) % 50u] += 3;
    v(k) = p[at(k) % 50u];
    if (at(k) & 4)
      p = p == a ? b : a;
  }
  write(out, 0, v);
}

static const int squares[1000] = { SQUARES };
extern "C" _GENX_MAIN_ void table(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> at, v;
  read(in, 0, at);
  for (int k = 0; k < 16; ++k)
    v(k) = squares[at(k) % 1000u] + n;
  write(out, 0, v);
}

struct record { char tag; short code; int count; long long sum; float part[5]; };
extern "C" _GENX_MAIN_ void records(SurfaceIndex in, SurfaceIndex out, int n) {
  record r[100];
  for (int i = 0; i < 100; ++i) {
    r[i].tag = i + n;
    r[i].code = i * n;
    r[i].count = i - n;
    r[i].sum = (long long)i * n << 20;
    for (int k = 0; k < 5; ++k)
      r[i].part[k] = i + k;
  }
  vector<int, 16> at, v;
  read(in, 0, at);
  r[at(0) % 100u] = r[at(1) % 100u];
  for (int k = 0; k < 16; ++k) {
    record &one = r[at(k) % 100u];
    one.count++;
    v(k) = one.tag + one.code + one.count + int(one.sum >> 18) + int(one.part[at(k) % 5u]);
  }
  write(out, 0, v);
}

extern "C" _GENX_MAIN_ void vectors(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<short, 64> a[40];
  matrix<float, 4, 8> m[20];
  vector<uchar, 5> small[200];
  for (int i = 0; i < 40; ++i)
    a[i] = i * n;
  for (int i = 0; i < 20; ++i) {
    m[i] = i;
    m[i].row(n & 3) = n;
  }
  for (int i = 0; i < 200; ++i)
    small[i] = i;
  vector<int, 16> at, v;
  read(in, 0, at);
  v = at + a[at(3) & 31].select<16, 2>(3);
  v.select<8, 1>(0) += m[at(4) & 15].row(2);
  a[at(1) & 31].select<16, 2>(3) = v;
  v += a[at(2) & 31].select<16, 2>(3);
  v.select<4, 1>(9) += m[at(5) & 15].select<2, 2, 2, 3>(1, 1);
  small[at(6) & 127].select<2, 2>(1) = 9;
  v.select<5, 1>(3) += small[at(7) & 127];
  write(out, 0, v);
}

// Pointers in memory: a list, its ends, and a table of functions.
struct node { int value; node *next; };
_GENX_ int twice(int x) { return 2 * x; }
_GENX_ int less(int x) { return x - 7; }
typedef int (*step)(int);
static step steps[3] = { twice, less, twice };
extern "C" _GENX_MAIN_ void lists(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> at, v = 0;
  read(in, 0, at);
  node nodes[16];
  node *ends[4] = {};
  for (int k = 0; k < 16; ++k) {
    nodes[k].value = at(k) + n;
    nodes[k].next = ends[at(k) & 3];
    ends[at(k) & 3] = &nodes[k];
  }
  for (int i = 0; i < 4; ++i)
    for (node *p = ends[i]; p; p = p->next)
      v(i) = v(i) * 3 + steps[p->value % 3u](p->value);
  v(4) = ends[at(5) & 3] == nodes + 5;
  v(5) = !ends[0] + 2 * !ends[1] + 4 * !ends[2] + 8 * !ends[3];
  write(out, 0, v);
}
)";

using Sixteen = std::array<int, 16>;

Sixteen largeReference(const Sixteen &at, int n) {
  Sixteen v;
  for (std::size_t k = 0; k < 16; ++k)
    v[k] = (at[k] & 1023) * n - (1023 - (at[k] & 1023)) * n;
  return v;
}

Sixteen mergedReference(const Sixteen &at, int n) {
  short a[64], b[50];
  for (int i = 0; i < 50; ++i)
    a[i] = short(i * n), b[i] = short(i + n);
  short *p = n & 1 ? a : b;
  Sixteen v;
  for (std::size_t k = 0; k < 16; ++k) {
    p[unsigned(at[k]) % 50] = short(p[unsigned(at[k]) % 50] + 3);
    v[k] = p[unsigned(at[k]) % 50];
    if (at[k] & 4)
      p = p == a ? b : a;
  }
  return v;
}

Sixteen tableReference(const Sixteen &at, int n) {
  Sixteen v;
  for (std::size_t k = 0; k < 16; ++k)
    v[k] = int(unsigned(at[k]) % 1000 * (unsigned(at[k]) % 1000)) + n;
  return v;
}

Sixteen recordsReference(const Sixteen &at, int n) {
  struct {
    signed char tag;
    short code;
    int count;
    long long sum;
    float part[5];
  } r[100];
  for (int i = 0; i < 100; ++i) {
    r[i] = {static_cast<signed char>(i + n), short(i * n), i - n, static_cast<long long>(i) * n * (1 << 20), {}};
    for (int k = 0; k < 5; ++k)
      r[i].part[k] = float(i + k);
  }
  r[unsigned(at[0]) % 100] = r[unsigned(at[1]) % 100];
  Sixteen v;
  for (std::size_t k = 0; k < 16; ++k) {
    auto &one = r[unsigned(at[k]) % 100];
    one.count++;
    v[k] = one.tag + one.code + one.count + int(one.sum >> 18) + int(one.part[unsigned(at[k]) % 5]);
  }
  return v;
}

Sixteen vectorsReference(const Sixteen &at, int n) {
  short a[40][64];
  float m[20][4][8];
  unsigned char small[200][5];
  for (int i = 0; i < 40; ++i)
    std::fill_n(a[i], 64, short(i * n));
  for (int i = 0; i < 20; ++i)
    for (int r = 0; r < 4; ++r)
      std::fill_n(m[i][r], 8, float(r == (n & 3) ? n : i));
  for (int i = 0; i < 200; ++i)
    std::fill_n(small[i], 5, static_cast<unsigned char>(i));
  Sixteen v;
  for (int k = 0; k < 16; ++k)
    v[std::size_t(k)] = at[std::size_t(k)] + a[at[3] & 31][3 + 2 * k];
  for (std::size_t k = 0; k < 8; ++k)
    v[k] = int(float(v[k]) + m[at[4] & 15][2][k]);
  for (int k = 0; k < 16; ++k)
    a[at[1] & 31][3 + 2 * k] = short(v[std::size_t(k)]);
  for (int k = 0; k < 16; ++k)
    v[std::size_t(k)] += a[at[2] & 31][3 + 2 * k];
  for (std::size_t k = 0; k < 4; ++k)
    v[9 + k] = int(float(v[9 + k]) + m[at[5] & 15][1 + 2 * (k / 2)][1 + 3 * (k % 2)]);
  small[at[6] & 127][1] = small[at[6] & 127][3] = 9;
  for (std::size_t k = 0; k < 5; ++k)
    v[3 + k] += small[at[7] & 127][k];
  return v;
}

Sixteen listsReference(const Sixteen &at, int n) {
  struct Node {
    int value;
    Node *next;
  } nodes[16];
  Node *ends[4] = {};
  for (std::size_t k = 0; k < 16; ++k) {
    nodes[k] = {at[k] + n, ends[at[k] & 3]};
    ends[at[k] & 3] = &nodes[k];
  }
  Sixteen v{};
  for (std::size_t i = 0; i < 4; ++i)
    for (Node *p = ends[i]; p; p = p->next)
      v[i] = int(unsigned(v[i]) * 3 + unsigned(unsigned(p->value) % 3 == 1 ? p->value - 7 : 2 * p->value));
  v[4] = ends[at[5] & 3] == nodes + 5;
  for (int i = 0; i < 4; ++i)
    v[5] += !ends[i] << i;
  return v;
}

TEST(Storage, whatRegistersCannotHoldIsMemory) {
  const std::pair<const char *, Sixteen (*)(const Sixteen &, int)> kernels[] = {
      {"large", largeReference},     {"merged", mergedReference},   {"table", tableReference},
      {"records", recordsReference}, {"vectors", vectorsReference}, {"lists", listsReference}};
  pocm::CompileOptions options;
  options.file = "memory.cpp";
  options.source = memorySource;
  std::string squares;
  for (int i = 0; i < 1000; ++i)
    squares += std::to_string(i * i) + ", ";
  options.source->replace(options.source->find("SQUARES"), 7, squares);
  pocm::CompileResult compiled = pocm::compile(options);
  ASSERT_TRUE(compiled.ok) << compiled.diagnostics;
  std::vector<pocm::Program> programs{pocm::Program::load(compiled.program)};
  std::size_t number = 0;
  for (const char *target : {"skl", "icllp", "tgllp", "dg2", "pvc"}) { // as the Gen middle end leaves it
    if (!test::runs("native", number++))
      continue;
    programs.push_back(pocm::Program::load(pocm::afterGenPasses(compiled.program, target, "gen-finish")));
    pocm::GenOptions wanted;
    wanted.check = true;
    wanted.finalize = false;
    std::vector<pocm::GenKernel> code = pocm::genCode(compiled.program, target, wanted);
    ASSERT_EQ(code.size(), std::size(kernels));
    EXPECT_EQ(code[0].frameBytes, 4096u);
  }
  pocm::Device device = test::open("native");
  pocm::Buffer in = device.createBuffer(64), out = device.createBuffer(64);
  unsigned random = 1;
  for (auto [name, reference] : kernels)
    for (std::size_t p = 0; p < programs.size(); ++p) {
      pocm::Kernel kernel = device.createKernel(programs[p], name);
      for (int n : {0, 1, 2, 77, -5}) {
        Sixteen at, got;
        for (int &index : at)
          index = int((random = random * 1664525 + 1013904223) >> 20) & 4095;
        in.write(at.data(), sizeof(at));
        kernel.setArgument(0, in);
        kernel.setArgument(1, out);
        kernel.setArgument(2, &n, sizeof(n));
        device.enqueue(kernel, {1, 1}).wait();
        out.read(got.data(), sizeof(got));
        EXPECT_EQ(got, reference(at, n)) << name << ", n = " << n << ", program " << p;
      }
    }
}

// A static variable of a function has its first value from where it is reached first; each thread has its own.
TEST(Storage, staticVariablesBeginWhereTheyAreReached) {
  pocm::Program program = test::compile(R"(
struct counter { int n; counter(int k) : n(k) {} int next() { return n++; } };
int summed(int k) {
  static counter c(k);
  static vector<int, 4> sum = k * 10;
  sum += c.next();
  return sum(0);
}
template <int N> int times(int k) {
  static const vector<int, 4> all = k + N;
  return all(1) * N;
}
extern "C" _GENX_MAIN_ void statics(SurfaceIndex out, int k) {
  int x = get_thread_origin_x();
  vector<int, 8> r = 0;
  for (int i = 0; i < 3; i++)
    r(i) = summed(i ? 100 : k + x);
  r(3) = times<2>(k);
  r(4) = times<2>(77);
  r(5) = times<3>(x);
  for (int i = 0; i < 3; i++) {
    static int seen = x * 5 + i;
    seen += i;
    r(6) = seen;
  }
  if (x == 1) {
    static matrix<int, 2, 2> late = x + k;
    r(7) = late(1, 1);
  }
  write(out, x * 32, r);
})");
  constexpr int k = 4, threads = 3;
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    pocm::Buffer out = device.createBuffer(threads * 32);
    pocm::Kernel kernel = device.createKernel(program, "statics");
    kernel.setArgument(0, out);
    kernel.setArgument(1, &k, sizeof(k));
    device.enqueue(kernel, {threads, 1}).wait();
    std::array<std::array<int, 8>, threads> got;
    out.read(got.data(), sizeof(got));
    for (int x = 0; x < threads; ++x) {
      int first = k + x;
      EXPECT_EQ(got[std::size_t(x)], (std::array{first * 11, first * 12 + 1, first * 13 + 3, (k + 2) * 2, (k + 2) * 2,
                                                 (x + 3) * 3, x * 5 + 3, x == 1 ? 1 + k : 0}))
          << cpu << ", thread " << x;
    }
  }
}

// A reference to bytes may begin anywhere, and its format's elements with it. (FMT-01)
constexpr const char *oddSource = R"(
#include <cm/cm.h>
template <class T> _GENX_ void change(vector_ref<uchar, 16> r, int by) {
  vector_ref<T, 16 / sizeof(T)> f = r.format<T>();
  f.template select<16 / sizeof(T) / 2, 1>(1) += by;
  f(0) = f(1) * 3;
}

extern "C" _GENX_MAIN_ void known(SurfaceIndex data, int n) {
  vector<uchar, 128> v;
  read(data, 0, v);
  change<ushort>(v.select<16, 1>(3), 1001);
  change<uint>(v.select<16, 1>(25), 70001);
  change<uint>(v.select<16, 1>(42), 90007);
  vector_ref<ushort, 8> f = v.select<16, 1>(61).format<ushort>();
  f.select<4, 2>(1) = f.select<4, 2>(0) + 5;
  write(data, 0, v);
}

extern "C" _GENX_MAIN_ void chosen(SurfaceIndex data, int n) {
  vector<uchar, 128> v;
  read(data, 0, v);
  change<ushort>(v.select<16, 1>(n), 1001);
  change<uint>(v.select<16, 1>(22 + n), 70001);
  change<uint>(v.select<16, 1>(41 + n * 2), 90007);
  vector_ref<ushort, 8> f = v.select<16, 1>(58 + n).format<ushort>();
  f.select<4, 2>(1) = f.select<4, 2>(0) + 5;
  write(data, 0, v);
}
)";

template <class T> void changed(unsigned char *bytes, int by) {
  constexpr std::size_t count = 16 / sizeof(T);
  std::array<T, count> f;
  std::memcpy(f.data(), bytes, 16);
  for (std::size_t i = 1; i <= count / 2; ++i)
    f[i] = T(f[i] + T(by));
  f[0] = T(f[1] * 3);
  std::memcpy(bytes, f.data(), 16);
}

TEST(Storage, elementsOfFormatsNeedNotLieAtMultiplesOfTheirSize) {
  pocm::Program program = test::compile(oddSource);
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    for (const char *name : {"known", "chosen"})
      for (int n : {3, 4, 5, 9}) {
        std::array<unsigned char, 128> data, got;
        for (std::size_t i = 0; i < data.size(); ++i)
          data[i] = static_cast<unsigned char>(i * 73 + 11);
        pocm::Buffer buffer = device.createBuffer(data.size());
        buffer.write(data.data(), data.size());
        pocm::Kernel kernel = device.createKernel(program, name);
        kernel.setArgument(0, buffer);
        kernel.setArgument(1, &n, sizeof(n));
        device.enqueue(kernel, {1, 1}).wait();
        buffer.read(got.data(), got.size());
        std::size_t at = name == std::string("known") ? 3 : std::size_t(n);
        changed<std::uint16_t>(&data[at], 1001);
        changed<std::uint32_t>(&data[22 + at], 70001);
        changed<std::uint32_t>(&data[at == 3 && name == std::string("known") ? 42 : 41 + 2 * at], 90007);
        std::array<std::uint16_t, 8> f;
        std::memcpy(f.data(), &data[58 + at], 16);
        std::array<std::uint16_t, 8> before = f;
        for (std::size_t i = 0; i < 4; ++i)
          f[1 + 2 * i] = std::uint16_t(before[2 * i] + 5);
        std::memcpy(&data[58 + at], f.data(), 16);
        EXPECT_EQ(got, data) << cpu << " " << name << " " << n;
      }
  }
}

} // namespace
