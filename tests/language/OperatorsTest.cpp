// Every binary operator, comparison and conversion on every pair of element types, at several widths, on random and
// edge values, against scalar C++ (CNV-01 to CNV-26, OPR-02 to OPR-16, TYP-01 to TYP-10).
#include "Kernels.h"
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <random>

namespace {

using half = _Float16;

template <class T> struct Name;
#define NAME(type, text)                                                                                               \
  template <> struct Name<type> {                                                                                      \
    static constexpr const char *cm = text;                                                                            \
  };
NAME(std::int8_t, "char")
NAME(std::uint8_t, "uchar")
NAME(std::int16_t, "short")
NAME(std::uint16_t, "ushort")
NAME(std::int32_t, "int")
NAME(std::uint32_t, "uint")
NAME(long long, "long long")
NAME(unsigned long long, "unsigned long long")
NAME(half, "half")
NAME(float, "float")
NAME(double, "double")
#undef NAME

template <class T> constexpr bool isFloat = std::is_floating_point_v<T> || std::is_same_v<T, half>;

constexpr int N = 19; // elements: no power of two, more than a register of bytes
constexpr int slot = N * 8;

template <class T> T value(std::mt19937_64 &random, int k) {
  if constexpr (isFloat<T>) {
    constexpr double edges[] = {0, -0.0, 1, -1, 0.5, 255, -256, 1e4, 3.5, -2.5, 65504, -65504};
    if (k < int(std::size(edges)))
      return T(edges[k]);
    if (k == N - 1)
      return T(NAN);
    return T(double(std::int64_t(random() % 20001) - 10000) / 16);
  } else {
    using L = std::numeric_limits<T>;
    const T edges[] = {0, 1, T(-1), L::min(), L::max(), T(L::max() / 2), T(100), T(-100), 2, 7};
    return k < int(std::size(edges)) ? edges[k] : T(random() >> (random() % 60));
  }
}

/// Integers wrap; a / b and a % b only where they exist.
template <class R> R add(R a, R b) {
  if constexpr (isFloat<R>)
    return R(a + b);
  else
    return R(std::make_unsigned_t<R>(a) + std::make_unsigned_t<R>(b));
}
template <class R> R subtract(R a, R b) {
  if constexpr (isFloat<R>)
    return R(a - b);
  else
    return R(std::make_unsigned_t<R>(a) - std::make_unsigned_t<R>(b));
}
template <class R> R multiply(R a, R b) {
  if constexpr (isFloat<R>)
    return R(a * b);
  else
    return R(std::make_unsigned_t<R>(a) * std::make_unsigned_t<R>(b));
}
template <class R> bool divisible(R a, R b) {
  if constexpr (isFloat<R>)
    return true;
  else
    return b != 0 && !(std::is_signed_v<R> && a == std::numeric_limits<R>::min() && b == R(-1));
}
/// Truncates and clamps floats; integers keep their low bits.
template <class T, class F> T converted(F x) {
  if constexpr (!isFloat<F> || isFloat<T>) {
    return T(x);
  } else {
    double d = double(x);
    if (d != d)
      return 0;
    if (d <= double(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    if (d >= double(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return T(d);
  }
}
template <class T, class F> T saturated(F x) {
  if constexpr (isFloat<T>) {
    double d = double(T(x));
    return d > 0 ? T(std::min(d, 1.0)) : T(0); // NaN becomes 0
  } else if constexpr (isFloat<F>) {
    return converted<T>(x);
  } else {
    auto wide = static_cast<__int128>(x);
    return T(
        std::min<__int128>(std::max<__int128>(wide, std::numeric_limits<T>::min()), std::numeric_limits<T>::max()));
  }
}

template <class T> bool same(T got, T want) {
  if constexpr (isFloat<T>) {
    double g = double(got), w = double(want), least = sizeof(T) == 2 ? 0x1p-14 : sizeof(T) == 4 ? 0x1p-126 : 0x1p-1022;
    return g == w || (g != g && w != w) || (std::abs(g) < least && std::abs(w) < least);
  }
  return got == want;
}

class Operators : public testing::TestWithParam<std::string> {};

template <class A, class B> std::string sourceFor() {
  using R = decltype(A() + B());
  std::string text = fmt::format(R"(
extern "C" _GENX_MAIN_ void k(svmptr_t pa, svmptr_t pb, svmptr_t out) {{
  vector<{0}, {2}> a; vector<{1}, {2}> b;
  cm_svm_block_read(pa, a);
  cm_svm_block_read(pb, b);
  auto put = [&](auto r) {{ cm_svm_block_write(out, r); out += {3}; }};
  put(a + b); put(a - b); put(a * b); put(a / b);
  put(a < b); put(a <= b); put(a > b); put(a >= b); put(a == b); put(a != b);
  put(vector<{1}, {2}>(a)); put(vector<{1}, {2}>(a, SAT));
  put(a.select<5, 3>(1) + b.select<5, 2>(4)); put(a + b(3)); put(a(2) * b);
  {0} s = a(1); {1} t = b(2);
  vector<decltype(s + t), 1> st = s + t; put(st);
)",
                                 Name<A>::cm, Name<B>::cm, N, slot);
  if (!isFloat<R>)
    text += "  put(a % b); put(a & b); put(a | b); put(a ^ b); put(~a);\n  vector<int, 19> n = 0; put(a << (b & 7)); "
            "put(a >> (b & 7));\n";
  text += "  put(-a); put(!a);\n";
  return text + "}\n";
}

template <class A, class B> void check(pocm::Device &device, std::mt19937_64 &random) {
  using R = decltype(A() + B());
  using P = decltype(+A());
  constexpr int results = isFloat<R> ? 18 : 25;
  static const pocm::Program program = test::compile("#include <cm/cm.h>\n" + sourceFor<A, B>());
  std::array<A, N> a;
  std::array<B, N> b;
  for (int k = 0; k < N; ++k) {
    a[std::size_t(k)] = value<A>(random, k);
    do
      b[std::size_t(k)] = value<B>(random, int(random() % N));
    while (!divisible(R(a[std::size_t(k)]), R(b[std::size_t(k)])));
  }
  std::vector<std::uint8_t> out(results * slot + 64);
  pocm::Kernel kernel = device.createKernel(program, "k");
  const void *pointers[] = {a.data(), b.data(), out.data()};
  for (unsigned i = 0; i < 3; ++i) {
    auto address = reinterpret_cast<std::uint64_t>(pointers[i]);
    kernel.setArgument(i, &address, 8);
  }
  device.enqueue(kernel, {1, 1}).wait();
  int at = 0;
  auto expect = [&](const char *what, int count, auto want) {
    for (int k = 0; k < count; ++k) {
      auto w = want(k);
      decltype(w) got;
      std::memcpy(&got, &out[std::size_t(at * slot + k * int(sizeof(got)))], sizeof(got));
      EXPECT_TRUE(same(got, w)) << Name<A>::cm << " " << what << " " << Name<B>::cm << " element " << k << ": "
                                << double(got) << ", not " << double(w) << " of " << double(a[std::size_t(k)])
                                << " and " << double(b[std::size_t(k)]);
    }
    ++at;
  };
  auto x = [&](int k) { return a[std::size_t(k)]; };
  auto y = [&](int k) { return b[std::size_t(k)]; };
  expect("+", N, [&](int k) { return add(R(x(k)), R(y(k))); });
  expect("-", N, [&](int k) { return subtract(R(x(k)), R(y(k))); });
  expect("*", N, [&](int k) { return multiply(R(x(k)), R(y(k))); });
  expect("/", N, [&](int k) { return R(R(x(k)) / R(y(k))); });
  expect("<", N, [&](int k) { return std::uint16_t(R(x(k)) < R(y(k))); });
  expect("<=", N, [&](int k) { return std::uint16_t(R(x(k)) <= R(y(k))); });
  expect(">", N, [&](int k) { return std::uint16_t(R(x(k)) > R(y(k))); });
  expect(">=", N, [&](int k) { return std::uint16_t(R(x(k)) >= R(y(k))); });
  expect("==", N, [&](int k) { return std::uint16_t(R(x(k)) == R(y(k))); });
  expect("!=", N, [&](int k) { return std::uint16_t(R(x(k)) != R(y(k))); });
  expect("to", N, [&](int k) { return converted<B>(x(k)); });
  expect("saturated to", N, [&](int k) {
    if constexpr (std::is_same_v<A, B> && !isFloat<A>)
      return x(k);
    else
      return saturated<B>(x(k));
  });
  expect("regions +", 5, [&](int k) { return add(R(x(1 + 3 * k)), R(y(4 + 2 * k))); });
  expect("+ scalar", N, [&](int k) { return add(R(x(k)), R(y(3))); });
  expect("scalar *", N, [&](int k) { return multiply(R(x(2)), R(y(k))); });
  expect("scalars +", 1, [&](int) { return add(R(x(1)), R(y(2))); });
  if constexpr (!isFloat<R>) {
    expect("%", N, [&](int k) { return R(R(x(k)) % R(y(k))); });
    expect("&", N, [&](int k) { return R(R(x(k)) & R(y(k))); });
    expect("|", N, [&](int k) { return R(R(x(k)) | R(y(k))); });
    expect("^", N, [&](int k) { return R(R(x(k)) ^ R(y(k))); });
    expect("~", N, [&](int k) { return P(~P(x(k))); });
    expect("<<", N, [&](int k) { return P(std::make_unsigned_t<P>(x(k)) << int(y(k) & 7)); });
    expect(">>", N, [&](int k) { return P(P(x(k)) >> int(y(k) & 7)); });
  }
  expect("minus", N, [&](int k) { return subtract(P(isFloat<A> ? -0.0 : 0), P(x(k))); });
  expect("not", N, [&](int k) { return std::uint16_t(x(k) == A(0)); });
}

template <class A, class... B> void checkWithAll(pocm::Device &device, std::mt19937_64 &random) {
  (check<A, B>(device, random), ...);
}
#define ALL                                                                                                            \
  std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, long long, unsigned long long,  \
      half, float, double
template <class... A> void checkAll(pocm::Device &device, std::mt19937_64 &random) {
  (checkWithAll<A, ALL>(device, random), ...);
}

TEST_P(Operators, everyPairOfTypes) {
  pocm::Device device = test::open(GetParam());
  std::mt19937_64 random(11);
  checkAll<ALL>(device, random);
}

INSTANTIATE_TEST_SUITE_P(Cpus, Operators, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
