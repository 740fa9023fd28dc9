// Every binary operator, comparison and conversion on every pair of element types, at several widths, on random and
// edge values, against scalar C++ (CNV-01 to CNV-26, OPR-02 to OPR-16, TYP-01 to TYP-10).
#include "Kernels.h"
#include "Scalar.h"
#include <array>
#include <fmt/format.h>

namespace {

using namespace test;

constexpr int N = 19; // elements: no power of two, more than a register of bytes
constexpr int slot = N * 8;

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

template <class T> T flushed(T value) {
  constexpr double least = sizeof(T) == 2 ? 0x1p-14 : 0x1p-126;
  return std::abs(double(value)) < least ? T(std::copysign(0.0, double(value))) : value;
}

/// As C has it; or as targets compute it whose hardware has no division of floats.
template <class R> R quotient(R a, R b) {
  if constexpr (isFloat<R> && sizeof(R) <= 4)
    if (test::dividesByReciprocal())
      return flushed(R(a * flushed(R(1 / double(b)))));
  return R(a / b);
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
  const std::uint8_t *at = out.data();
  auto complain = [&](const char *what, const Difference &found) {
    ADD_FAILURE() << Name<A>::cm << " " << what << " " << Name<B>::cm << " " << found.text << " of "
                  << double(a[found.element]) << " and " << double(b[found.element]);
  };
  auto expect = [&](const char *what, int count, auto want) {
    std::vector<decltype(want(0))> wanted;
    for (int k = 0; k < count; ++k)
      wanted.push_back(want(k));
    if (auto found = difference(at, wanted))
      complain(what, *found);
    at += slot;
  };
  auto x = [&](int k) { return a[std::size_t(k)]; };
  auto y = [&](int k) { return b[std::size_t(k)]; };
  expect("+", N, [&](int k) { return add(R(x(k)), R(y(k))); });
  expect("-", N, [&](int k) { return subtract(R(x(k)), R(y(k))); });
  expect("*", N, [&](int k) { return multiply(R(x(k)), R(y(k))); });
  expect("/", N, [&](int k) { return quotient(R(x(k)), R(y(k))); });
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

/// Every pair of types on a CPU, with random numbers of its own, whichever others run.
struct Pairs {
  std::string cpu;
  pocm::Device device = test::open(cpu);
  unsigned number = 0;

  template <class A, class B> void checkPair() {
    if (!test::runs(cpu, ++number))
      return;
    if ((std::is_same_v<A, double> || std::is_same_v<B, double>) && !test::hasDoubles())
      return;
    std::mt19937_64 random(number);
    check<A, B>(device, random);
  }
  template <class A, class... B> void checkWithAll() { (checkPair<A, B>(), ...); }
  template <class... A> void checkAll() { (checkWithAll<A, POCM_ALL_TYPES>(), ...); }
};

TEST_P(Operators, everyPairOfTypes) {
  Pairs pairs{GetParam()};
  pairs.checkAll<POCM_ALL_TYPES>();
}

INSTANTIATE_TEST_SUITE_P(Cpus, Operators, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
