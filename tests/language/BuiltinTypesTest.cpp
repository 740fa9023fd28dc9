// Every arithmetic, rounding, bit and reduction built-in over every element type and result type that it takes, at
// several widths, on random and edge values, against scalar C++ (ARI-01 to ARI-21, RND-01 to RND-05, BIT-01 to BIT-15,
// RED-01 to RED-06, DPA-01, MTH-13, MTH-14).
#include "Kernels.h"
#include "Scalar.h"
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace {

using namespace test;
using Exact = __int128;

/// One expression over the vectors a, b and c of T, d of short, the scalar s = a(0) and the int zero, with the values
/// that its elements have.
struct Case {
  std::string cm;
  std::function<std::string(const std::uint8_t *)> complaint; ///< What is wrong with the bytes; empty if nothing.
};

template <class T> class Cases {
public:
  Cases(const Cases &) = delete; // whose complaints name its operands
  explicit Cases(int width) : N(width), slot(8 * width) {
    std::mt19937_64 random(17 * sizeof(T) + std::size_t(N));
    for (int k = 0; k < N; ++k) {
      a.push_back(value<T>(random, N == 1 ? 9 : k));
      do
        b.push_back(value<T>(random, int(random() % 40)));
      while (!divides(b.back()) && (b.pop_back(), true));
      c.push_back(value<T>(random, int(random() % 40)));
      d.push_back(short(random()));
    }
    if constexpr (isFloat<T>)
      floats();
    else
      integers();
    if (N == 19)
      forResults<POCM_ALL_TYPES>();
    else
      forResults<T, std::int16_t>();
    reductions();
    if constexpr (std::is_same_v<T, std::uint16_t>)
      if (N == 8 || N == 16 || N == 32)
        masks();
  }

  std::string source() const {
    std::string text = fmt::format(R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(svmptr_t pa, svmptr_t pb, svmptr_t pc, svmptr_t pd, svmptr_t out, int zero) {{
  vector<{0}, {1}> a, b, c; vector<short, {1}> d;
  cm_svm_block_read(pa, a); cm_svm_block_read(pb, b); cm_svm_block_read(pc, c); cm_svm_block_read(pd, d);
  {0} s = a(0);
)",
                                   Name<T>::cm, N);
    // Each in a block of its own: the time of LLVM's instruction selection is quadratic in a block's length.
    int i = 0;
    for (const Case &one : cases)
      text += fmt::format("  if (zero != {0}) cm_svm_block_write(out + {1}, {2});\n", i + 1, i * slot, one.cm), ++i;
    return text + "}\n";
  }

  std::vector<T> a, b, c;
  std::vector<short> d;
  std::vector<Case> cases;
  const int N, slot;

private:
  using E = decltype(+T());
  using U = std::conditional_t<isFloat<T>, std::type_identity<T>, std::make_unsigned<T>>::type;
  static constexpr int bits = int(sizeof(T)) * 8;
  /// The promoted operand's bits, for shifts.
  static constexpr int promoted = int(sizeof(E)) * 8;

  bool divides(T y) const { return a.empty() || divisible(E(a.back()), E(y)); }
  template <class R> void expect(std::string cm, auto want) { expectSome<R>(cm, N, want); }
  template <class R> void expectSome(std::string cm, int count, auto want) {
    std::vector<R> wanted;
    for (std::size_t k = 0; k < std::size_t(count); ++k)
      wanted.push_back(R(want(k)));
    addCase(cm, wanted);
  }
  template <class R> void addCase(const std::string &cm, const std::vector<R> &wanted) {
    cases.push_back({cm, [=, this](const std::uint8_t *bytes) {
                       auto found = difference(bytes, wanted);
                       return found ? fmt::format("{}; a, b, c, d: {}", found->text,
                                                  operands(found->element % std::size_t(N)))
                                    : "";
                     }});
  }
  std::string operands(std::size_t i) const {
    return fmt::format("{}, {}, {}, {}", number(a[i]), number(b[i]), number(c[i]), d[i]);
  }
  template <class R> static std::string type() { return Name<R>::cm; }
  std::string vec(std::string type) const { return fmt::format("vector<{}, {}>", type, N); }

  template <class R> void forResult() {
    std::string r = type<R>();
    auto named = [&](const char *call) { return fmt::format(fmt::runtime(call), r); };
    using M = decltype(T() + short()); // with d
    if constexpr (isFloat<T>) {
      expect<R>(named("cm_add<{}>(a, b)"), [this](auto k) { return converted<R>(T(a[k] + b[k])); });
      expect<R>(named("cm_add<{}>(a, b, SAT)"), [this](auto k) { return saturated<R>(T(a[k] + b[k])); });
      expect<R>(named("cm_mul<{}>(a, b)"), [this](auto k) { return converted<R>(T(a[k] * b[k])); });
      expect<R>(named("cm_mul<{}>(a, b, SAT)"), [this](auto k) { return saturated<R>(T(a[k] * b[k])); });
      expect<R>(named("cm_abs<{}>(a)"), [this](auto k) { return converted<R>(T(std::abs(double(a[k])))); });
      auto rounding = [&](std::string name, double (*round)(double)) {
        expect<R>(fmt::format("cm_{}<{}>(a)", name, r),
                  [=, this](auto k) { return converted<R>(T(round(double(a[k])))); });
        expect<R>(fmt::format("cm_{}<{}>(a, SAT)", name, r),
                  [=, this](auto k) { return saturated<R>(T(round(double(a[k])))); });
      };
      rounding("rndd", std::floor);
      rounding("rndu", std::ceil);
      rounding("rnde", std::nearbyint);
      rounding("rndz", std::trunc);
    } else {
      expect<R>(named("cm_add<{}>(a, b)"), [this](auto k) { return converted<R>(add(E(a[k]), E(b[k]))); });
      expect<R>(named("cm_add<{}>(a, b, SAT)"), [this](auto k) { return saturated<R>(Exact(a[k]) + Exact(b[k])); });
      expect<R>(named("cm_add<{}>(s, b, SAT)"), [this](auto k) { return saturated<R>(Exact(a[0]) + Exact(b[k])); });
      expect<R>(named("cm_mul<{}>(a, b)"), [this](auto k) { return converted<R>(multiply(E(a[k]), E(b[k]))); });
      if (sizeof(E) < 8)
        expect<R>(named("cm_mul<{}>(a, b, SAT)"), [this](auto k) { return saturated<R>(Exact(a[k]) * Exact(b[k])); });
      if (sizeof(E) < 8) {
        auto average = [this](auto k) { return (Exact(a[k]) + Exact(b[k]) + 1) >> 1; };
        expect<R>(named("cm_avg<{}>(a, b)"), [=](auto k) { return converted<R>(static_cast<long long>(average(k))); });
        expect<R>(named("cm_avg<{}>(a, b, SAT)"), [=](auto k) { return saturated<R>(average(k)); });
      }
      auto absolute = [this](auto k) { return Exact(a[k]) < 0 ? -Exact(a[k]) : Exact(a[k]); };
      expect<R>(named("cm_abs<{}>(a)"), [=](auto k) { return converted<R>(E(absolute(k))); });
      if constexpr (std::is_signed_v<T> && !isFloat<R>) // |lowest| of E itself clamps to E's highest first
        expect<R>(named("cm_abs<{}>(a, SAT)"),
                  [=](auto k) { return saturated<R>(std::min<Exact>(absolute(k), std::numeric_limits<E>::max())); });
      if (sizeof(E) < 8) {
        expect<R>(named("cm_shl<{}>(a, d & 7, SAT)"),
                  [this](auto k) { return saturated<R>(Exact(a[k]) * (1 << (d[k] & 7))); });
      }
      expect<R>(named("cm_shl<{}>(a, d)"),
                [this](auto k) { return converted<R>(E(std::make_unsigned_t<E>(a[k]) << (d[k] & (promoted - 1)))); });
      expect<R>(named("cm_shr<{}>(a, d)"),
                [this](auto k) { return converted<R>(E(E(a[k]) >> (d[k] & (promoted - 1)))); });
      expect<R>(named("cm_asr<{}>(a, d)"),
                [this](auto k) { return converted<R>(std::make_signed_t<E>(a[k]) >> (d[k] & (promoted - 1))); });
      expect<R>(named("cm_lsr<{}>(a, d)"),
                [this](auto k) { return converted<R>(std::make_unsigned_t<E>(E(a[k])) >> (d[k] & (promoted - 1))); });
      if (!isFloat<R>) {
        expect<R>(named("cm_quot<{}>(a, b)"), [this](auto k) { return converted<R>(E(E(a[k]) / E(b[k]))); });
        expect<R>(named("cm_mod<{}>(a, b)"), [this](auto k) { return converted<R>(E(E(a[k]) % E(b[k]))); });
      }
    }
    expect<R>(named("cm_add<{}>(a, d)"), [this](auto k) { return converted<R>(add(M(a[k]), M(d[k]))); });
    auto larger = [](auto x, auto y) { return x != x || y > x ? y : x; };
    auto smaller = [](auto x, auto y) { return x != x || y < x ? y : x; };
    expect<R>(named("cm_max<{}>(a, b)"), [=, this](auto k) { return converted<R>(larger(a[k], b[k])); });
    expect<R>(named("cm_min<{}>(a, b, SAT)"), [=, this](auto k) { return saturated<R>(smaller(a[k], b[k])); });
    expect<R>(named("cm_min<{}>(a, d)"), [=, this](auto k) { return converted<R>(smaller(M(a[k]), M(d[k]))); });
  }
  template <class... R> void forResults() { (forResult<R>(), ...); }

  void integers() {
    expect<E>("cm_quot(a, b)", [this](auto k) { return E(a[k]) / E(b[k]); });
    expect<E>("({ " + vec(type<E>()) + " r; cm_div(r, a, b); r; })", [this](auto k) { return E(a[k]) % E(b[k]); });
    expect<E>("({ " + vec(type<E>()) + " r; cm_div(r, a, b); })", [this](auto k) { return E(a[k]) / E(b[k]); });
    expect<std::uint32_t>("cm_cbit(a)", [this](auto k) { return std::popcount(U(a[k])); });
    expect<std::make_unsigned_t<E>>("cm_lzd(a)",
                                    [this](auto k) { return std::countl_zero(std::make_unsigned_t<E>(E(a[k]))); });
    auto reversed = [](std::uint32_t x) {
      std::uint32_t r = 0;
      for (int i = 0; i < 32; ++i)
        r |= (x >> i & 1) << (31 - i);
      return r;
    };
    expect<std::uint32_t>("cm_bf_reverse<uint>(a)", [=, this](auto k) { return reversed(std::uint32_t(a[k])); });
    if constexpr (bits > 8) {
      expect<T>("cm_rol<" + type<T>() + ">(a, d)", [this](auto k) { return T(std::rotl(U(a[k]), d[k] & (bits - 1))); });
      expect<T>("cm_ror(a, 5)", [this](auto k) { return T(std::rotr(U(a[k]), 5)); });
    }
    if constexpr (bits == 16 || bits == 32) {
      expect<T>("cm_bfn<BFN_X & BFN_Y | ~BFN_Z>(a, b, c)", [this](auto k) { return T((a[k] & b[k]) | ~c[k]); });
      expect<T>("cm_bfn<(BFN_X ^ BFN_Y) ^ BFN_Z>(a, b, c)", [this](auto k) { return T(a[k] ^ b[k] ^ c[k]); });
    }
    if (bits <= 32 && N * bits % 32 == 0)
      expect<T>("cm_lfsr(a, b)", [this](auto k) { return T(U(U(a[k]) >> 1) ^ (a[k] & 1 ? U(b[k]) : U(0))); });
    if constexpr (std::is_unsigned_v<E>) {
      expect<T>("({ " + vec(type<T>()) + " r; cm_addc(a, b, r); })", [this](auto k) { return T(a[k] + b[k]); });
      expect<T>("({ " + vec(type<T>()) + " r; cm_addc(a, b, r); r; })",
                [this](auto k) { return T(a[k] + b[k]) < a[k]; });
      expect<T>("({ " + vec(type<T>()) + " r; cm_subb(a, b, r); })", [this](auto k) { return T(a[k] - b[k]); });
      expect<T>("({ " + vec(type<T>()) + " r; cm_subb(a, b, r); r; })", [this](auto k) { return a[k] < b[k]; });
    }
    if constexpr (bits == 32)
      dwords();
    if constexpr (bits == 8)
      if (N % 2 == 0)
        bytes();
  }

  void dwords() {
    using L = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    auto product = [this](auto k) { return L(a[k]) * L(b[k]); };
    expect<T>("({ " + vec(type<T>()) + " r; cm_imul(r, a, b); })", [=](auto k) { return T(product(k) >> 32); });
    expect<T>("({ " + vec(type<T>()) + " r; cm_imul(r, a, b); r; })", [=](auto k) { return T(product(k)); });
    expect<std::uint32_t>("cm_fbl(a)", [this](auto k) { return a[k] ? std::countr_zero(U(a[k])) : -1; });
    expect<T>("cm_fbh(a)", [this](auto k) {
      U x = U(std::is_signed_v<T> && a[k] < 0 ? ~a[k] : a[k]);
      return x ? std::countl_zero(x) : -1;
    });
    expect<T>("cm_bf_extract<" + type<T>() + ">(c, d, a)", [this](auto k) {
      int width = int(c[k] & 31), offset = d[k] & 31, rest = std::min(width, 32 - offset);
      return width == 0 ? T(0) : T(T(U(a[k]) << (32 - offset - rest)) >> (32 - rest));
    });
    expect<T>("cm_bf_insert<" + type<T>() + ">(c, d, b, a)", [this](auto k) {
      U mask = ((U(1) << (c[k] & 31)) - 1) << (d[k] & 31);
      return T(((U(b[k]) << (d[k] & 31)) & mask) | (U(a[k]) & ~mask));
    });
    auto dot = [this](auto k, bool otherSign) {
      Exact sum = c[k];
      for (int i = 0; i < 4; ++i) {
        auto byte = [&](T x, bool isSigned) {
          U up = U(x) >> (8 * i) & 255;
          return isSigned ? int(std::int8_t(up)) : int(up);
        };
        sum += byte(a[k], std::is_signed_v<T>) * byte(b[k], std::is_signed_v<T> != otherSign);
      }
      return sum;
    };
    std::string t = type<T>(), other = std::is_signed_v<T> ? "uint" : "int";
    expect<T>("cm_dp4a<" + t + ">(c, a, b)", [=](auto k) { return T(dot(k, false)); });
    expect<T>("cm_dp4a<" + t + ">(c, a, b, SAT)", [=](auto k) { return saturated<T>(dot(k, false)); });
    expect<T>("cm_dp4a<" + t + ">(c, a, b.format<" + other + ">())", [=](auto k) { return T(dot(k, true)); });
    expect<std::int32_t>("cm_dp4a<int>(c, a, b, SAT)", [=](auto k) { return saturated<std::int32_t>(dot(k, false)); });
  }

  void bytes() {
    auto sad = [this](auto k) { return k % 2 ? 0 : std::abs(a[k] - b[k]) + std::abs(a[k + 1] - b[k + 1]); };
    expect<std::uint16_t>("cm_sad2<ushort>(a, b)", sad);
    expect<std::uint16_t>("cm_sada2<ushort>(a, b, " + vec("ushort") + "(d))",
                          [=, this](auto k) { return k % 2 ? 0 : std::uint16_t(sad(k) + d[k]); });
    expect<std::uint16_t>("cm_sada2<ushort>(a, b, " + vec("ushort") + "(d), SAT)", [=, this](auto k) {
      return k % 2 ? std::uint16_t(0) : saturated<std::uint16_t>(sad(k) + std::uint16_t(d[k]));
    });
  }

  void floats() {
    expect<T>("cm_frc(a)", [this](auto k) { return T(double(a[k]) - std::floor(double(a[k]))); });
    expect<T>("cm_abs(a, SAT)", [this](auto k) { return saturated<T>(T(std::abs(double(a[k])))); });
    if constexpr (sizeof(T) > 2) {
      expect<T>("cm_div_ieee(a, b)", [this](auto k) { return a[k] / b[k]; });
      expect<T>("cm_div_ieee(a, s)", [this](auto k) { return a[k] / a[0]; });
      expect<T>("cm_frem(a, b)", [this](auto k) { return std::fmod(a[k], b[k]); });
    }
    if constexpr (std::is_same_v<T, float>) {
      if (N % 8)
        return;
      auto at = [](const std::vector<T> &v, auto k, int i) { return v[k / 4 * 4 + unsigned(i)]; };
      auto p = [this, at](auto k, int i) { return at(a, k, i) * at(b, k, i); };
      expect<T>("cm_dp2(a, b)", [=](auto k) { return p(k, 0) + p(k, 1); });
      expect<T>("cm_dp3(a, b)", [=](auto k) { return p(k, 0) + p(k, 1) + p(k, 2); });
      expect<T>("cm_dp4(a, b)", [=](auto k) { return p(k, 0) + p(k, 1) + p(k, 2) + p(k, 3); });
      expect<T>("cm_dp4(a, b, SAT)", [=](auto k) { return saturated<T>(p(k, 0) + p(k, 1) + p(k, 2) + p(k, 3)); });
      expect<T>("cm_dph(a, b)", [=, this](auto k) { return p(k, 0) + p(k, 1) + p(k, 2) + at(b, k, 3); });
      expect<T>("cm_lrp(a, b, c)", [this](auto k) { return b[k] * a[k] + c[k] * (1 - a[k]); });
      expect<T>("cm_line(s, 3.5f, b)", [this](auto k) { return a[0] * b[k] + 3.5f; });
      expect<T>("cm_line(a.select<4, 1>(4), b)", [this](auto k) { return a[4] * b[k] + a[7]; });
      expect<T>("cm_pln(a.select<4, 1>(4), b, c)", [this](auto k) { return a[4] * b[k] + a[5] * c[k] + a[7]; });
    }
  }

  /// Combines halves, as docs/numerics.md says.
  template <class R, class F> R halves(std::vector<R> v, F combine) const {
    while (v.size() > 1) {
      std::size_t half = std::bit_ceil(v.size()) / 2;
      for (std::size_t i = half; i < v.size(); ++i)
        v[i - half] = combine(v[i - half], v[i]);
      v.resize(half);
    }
    return v[0];
  }
  template <class R> std::vector<R> as(const std::vector<T> &v) const {
    std::vector<R> r;
    for (T x : v)
      r.push_back(converted<R>(x));
    return r;
  }
  template <class R> void reduceTo() {
    auto scalar = [](const char *call) { return fmt::format(fmt::runtime("vector<{0}, 1>({1})"), type<R>(), call); };
    auto call = [&](const char *name, const char *more = "") {
      return scalar(fmt::format("{}<{}>(b{})", name, type<R>(), more).c_str());
    };
    expectSome<R>(call("cm_sum"), 1, [this](auto) { return halves(as<R>(b), add<R>); });
    expectSome<R>(call("cm_prod"), 1, [this](auto) { return halves(as<R>(b), multiply<R>); });
    if constexpr (!isFloat<T> && !isFloat<R> && sizeof(T) < 8 && sizeof(R) < 8)
      expectSome<R>(call("cm_sum", ", SAT"), 1, [this](auto) {
        Exact sum = 0;
        for (T x : b)
          sum += x;
        return saturated<R>(sum);
      });
    expectSome<R>(call("cm_reduced_min"), 1, [this](auto) { return converted<R>(extreme(-1)); });
    expectSome<R>(call("cm_reduced_max", ", SAT"), 1, [this](auto) { return saturated<R>(extreme(1)); });
  }
  T extreme(int sign) const {
    T most = b[0];
    for (T x : b)
      if (most != most || (sign > 0 ? x > most : x < most))
        most = x;
    return most;
  }
  void reductions() {
    reduceTo<T>();
    if constexpr (!isFloat<T>) {
      reduceTo<std::int32_t>();
      reduceTo<std::uint8_t>();
      reduceTo<float>();
    }
  }

  void masks() {
    auto packed = [this](auto) {
      std::uint32_t bitsOf = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        bitsOf |= std::uint32_t(a[i] & 1) << i;
      return bitsOf;
    };
    expectSome<std::uint32_t>("vector<uint, 1>(cm_pack_mask(a))", 1, packed);
    expect<std::uint16_t>(fmt::format("cm_unpack_mask<ushort, {}>(cm_pack_mask(a))", N),
                          [this](auto k) { return a[k] & 1; });
  }
};

class BuiltinTypes : public testing::TestWithParam<std::string> {};

template <class T> void check(pocm::Device &device, int width) {
  struct Compiled {
    Cases<T> cases;
    pocm::Program program = test::compile(cases.source(), 2, {"contraction"}); // exact references
    explicit Compiled(int width) : cases(width) {}
  };
  static std::map<int, Compiled> known; // for several CPUs
  const auto &[all, program] = known.try_emplace(width, width).first->second;
  std::vector<std::uint8_t> out(all.cases.size() * std::size_t(all.slot) + 64);
  pocm::Kernel kernel = device.createKernel(program, "k");
  const void *pointers[] = {all.a.data(), all.b.data(), all.c.data(), all.d.data(), out.data()};
  unsigned i = 0;
  for (const void *pointer : pointers) {
    auto address = reinterpret_cast<std::uint64_t>(pointer);
    kernel.setArgument(i++, &address, 8);
  }
  int zero = 0;
  kernel.setArgument(i, &zero, sizeof(zero));
  device.enqueue(kernel, {1, 1}).wait();
  const std::uint8_t *at = out.data();
  for (const Case &one : all.cases) {
    std::string complaint = one.complaint(at);
    EXPECT_EQ(complaint, "") << one.cm << " of " << width << " " << Name<T>::cm;
    at += all.slot;
  }
}

template <class... T> void checkAll(const std::string &cpu, std::initializer_list<int> widths) {
  pocm::Device device = test::open(cpu);
  std::size_t number = 0;
  for (int width : widths)
    ((test::runs(cpu, number++) ? check<T>(device, width) : void()), ...);
}

TEST_P(BuiltinTypes, everyElementAndResultType) { checkAll<POCM_ALL_TYPES>(GetParam(), {8, 1, 19, 32}); }

// The least of all CPUs and this one: the kernels are large.
std::vector<std::string> leastAndThis() {
  std::vector<std::string> all = test::cpus();
  return all.size() > 1 ? std::vector{all.front(), all.back()} : all;
}
INSTANTIATE_TEST_SUITE_P(Cpus, BuiltinTypes, testing::ValuesIn(leastAndThis()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
