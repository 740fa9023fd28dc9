// Systolic matrix products (language reference, chapter 9.2): every combination of precisions against a plain product
// of unpacked numbers. DPA-02 DPA-03 DPA-04 DPA-05 DPA-06 DPA-07 DPA-08 DPA-09 DPA-10 DPA-11 DPA-12 DPA-13 DPA-14
// DPA-15 DPA-16 DPA-17 DPA-18 DPA-20 AMB-31 AMB-32 PIT-34
#include "Kernels.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <random>

namespace {

using Dwords = std::vector<std::uint32_t>;

struct Precision {
  const char *name;
  unsigned bits;
  bool isFloat;
  double (*decode)(std::uint32_t code);
};

double asFloat(std::uint32_t bits) { return double(std::bit_cast<float>(bits)); }
double integer(std::uint32_t code, unsigned bits, bool isSigned) {
  return isSigned && code >> (bits - 1) ? double(code) - double(1u << bits) : double(code);
}
double small(std::uint32_t code, int exponentBits, int mantissaBits, int bias) {
  int exponent = int(code >> mantissaBits) & ((1 << exponentBits) - 1);
  double mantissa = double(code & ((1u << mantissaBits) - 1)) / double(1 << mantissaBits);
  double value = exponent ? std::ldexp(1 + mantissa, exponent - bias) : std::ldexp(mantissa, 1 - bias);
  return code >> (exponentBits + mantissaBits) & 1 ? -value : value;
}

const Precision precisions[] = {
    {"U2", 2, false, [](std::uint32_t c) { return integer(c, 2, false); }},
    {"S2", 2, false, [](std::uint32_t c) { return integer(c, 2, true); }},
    {"U4", 4, false, [](std::uint32_t c) { return integer(c, 4, false); }},
    {"S4", 4, false, [](std::uint32_t c) { return integer(c, 4, true); }},
    {"U8", 8, false, [](std::uint32_t c) { return integer(c, 8, false); }},
    {"S8", 8, false, [](std::uint32_t c) { return integer(c, 8, true); }},
    {"BF", 16, true, [](std::uint32_t c) { return asFloat(c << 16); }},
    {"HF", 16, true, [](std::uint32_t c) { return small(c, 5, 10, 15); }},
    {"TF32", 32, true, [](std::uint32_t c) { return asFloat(c & ~0x1FFFu); }},
    {"BF8", 8, true, [](std::uint32_t c) { return small(c, 5, 2, 15); }},
    {"HF8", 8, true, [](std::uint32_t c) { return small(c, 4, 3, 7); }},
    {"E2M1", 4, true, [](std::uint32_t c) { return small(c, 2, 1, 1); }},
};

/// A code of moderate size.
std::uint32_t moderate(const Precision &p, std::mt19937 &random) {
  while (true) {
    std::uint32_t code = std::uint32_t(random()) & (p.bits == 32 ? ~0u : (1u << p.bits) - 1);
    double value = p.decode(code);
    bool special = std::string_view(p.name) == "HF8" ? (code & 0x7F) == 0x7F : !std::isfinite(value);
    if (std::string_view(p.name) == "BF8" && (code & 0x7C) == 0x7C)
      special = true;
    if (!special && (!p.isFloat || value == 0 || (std::abs(value) < 8 && std::abs(value) > 1e-3)))
      return code;
  }
}

void put(Dwords &words, std::size_t index, unsigned bits, std::uint32_t code) {
  std::size_t at = index * bits;
  words[at / 32] |= code << at % 32;
}

struct Case {
  const Precision &b, &a;
  unsigned rows;
  std::string result, accumulator; // types
  bool scaled = false;

  unsigned ops() const { return std::min({32 / a.bits, 32 / b.bits, 8u}); }
  unsigned k() const { return 8 * ops(); }
  unsigned wordsB() const { return 8 * b.bits * ops() / 32 * lanes; }
  unsigned wordsA() const { return rows * 8 * a.bits * ops() / 32; }
  static const unsigned lanes; ///< Columns.
};

const unsigned Case::lanes = test::simulatedTarget() == "pvc" ? 16 : 8;

std::vector<Case> cases() {
  std::vector<Case> all;
  unsigned rows = 0;
  for (const Precision &b : precisions)
    for (const Precision &a : precisions) {
      bool bytes = std::string_view(a.name).ends_with("F8") && std::string_view(b.name).ends_with("F8");
      if (a.isFloat != b.isFloat || (a.isFloat && &a != &b && !bytes))
        continue;
      rows = rows % 8 + 1;
      if (!a.isFloat) {
        all.push_back({b, a, rows, "int", "int"});
      } else {
        all.push_back({b, a, rows, "float", "float"});
        all.push_back({b, a, 8, "float", ""});
        if (a.bits != 32 && Case::lanes == 8)
          all.push_back({b, a, 8, "float", "float", true});
        if (std::string_view(a.name) == "HF")
          all.push_back({b, a, 4, "half", "half"});
        if (std::string_view(a.name) == "BF")
          all.push_back({b, a, 4, "bfloat16", "float"});
      }
    }
  all.push_back({precisions[4], precisions[5], 8, "uint", "uint"});
  return all;
}

std::string sourceOf(const std::vector<Case> &all) {
  std::string text = "#include <cm/cm.h>\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Case &c = all[i];
    unsigned count = c.rows * Case::lanes, scales = c.b.bits == 4 ? 2 : 1;
    std::string acc = c.accumulator.empty() ? "0" : fmt::format("vector<{}, {}>(acc)", c.accumulator, count);
    std::string call =
        c.scaled
            ? fmt::format("cm_bdpas<CM_PRECISION_{}, CM_PRECISION_{}, 8, 8>({}, b, a, s1, s2)", c.b.name, c.a.name, acc)
        : c.result == c.accumulator
            ? fmt::format("cm_dpas<CM_PRECISION_{}, CM_PRECISION_{}, 8, {}>({}, b, a)", c.b.name, c.a.name, c.rows, acc)
            : fmt::format("cm_dpas<CM_PRECISION_{}, CM_PRECISION_{}, 8, {}, {}>({}, b, a)", c.b.name, c.a.name, c.rows,
                          c.result, acc);
    text += fmt::format(R"(
extern "C" _GENX_MAIN_ void case{}(SurfaceIndex out, vector<{}, {}> acc, vector<uint, {}> b, vector<int, {}> a,
                                   vector<uchar, {}> s1, vector<uchar, {}> s2) {{
  vector<{}, {}> r = {};
  vector<float, {}> f = r;
  for (int i = 0; i < {}; i++)
    write(out, i * 32, f.select<8, 1>(i * 8));
}})",
                        i, c.a.isFloat ? "float" : "int", count, c.wordsB(), c.wordsA(), Case::lanes * scales,
                        8 * scales, c.result, count, call, count, count / 8);
  }
  return text;
}

/// None where a simulated target has not the precision.
std::optional<pocm::Kernel> kernelOf(pocm::Device &device, const pocm::Program &program, const std::string &name) {
  try {
    return device.createKernel(program, name);
  } catch (const pocm::Error &problem) {
    if (!test::simulatedTarget().empty() && test::isKnownToBeRefused(problem.what()))
      return {};
    throw;
  }
}

class Matrix : public testing::TestWithParam<std::string> {};

TEST_P(Matrix, productsOfEveryPrecision) {
  static const std::vector<Case> all = cases();
  static const pocm::Program program = test::compile(sourceOf(all));
  pocm::Device device = test::open(GetParam());
  std::mt19937 random(7);
  unsigned ran = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!test::runs(GetParam(), i))
      continue;
    const Case &c = all[i];
    unsigned k = c.k(), n = Case::lanes, count = c.rows * n, blocks = c.b.bits == 4 ? 2 : 1;
    std::vector<double> b(k * n), a(c.rows * k), want(count);
    Dwords packedB(c.wordsB()), packedA(c.wordsA()), acc(count);
    std::vector<std::uint8_t> s1(n * blocks), s2(8 * blocks);
    for (auto *s : {&s1, &s2})
      for (std::uint8_t &x : *s)
        x = std::uint8_t(125 + random() % 5);
    for (unsigned column = 0; column < n; ++column)
      for (unsigned x = 0; x < k; ++x) {
        std::uint32_t code = moderate(c.b, random);
        b[x * n + column] = c.b.decode(code);
        packedB[x * c.b.bits / 32 * n + column] |= code << x * c.b.bits % 32;
      }
    for (std::size_t x = 0; x < a.size(); ++x) {
      std::uint32_t code = moderate(c.a, random);
      a[x] = c.a.decode(code);
      put(packedA, x, c.a.bits, code);
    }
    double largest = 1;
    for (unsigned x = 0; x < count; ++x) {
      int start = int(random() % 200) - 100;
      acc[x] = c.a.isFloat ? std::bit_cast<std::uint32_t>(float(start)) : std::uint32_t(start);
      if (!c.accumulator.empty())
        want[x] = c.accumulator == "uint" ? double(std::uint32_t(start)) : start;
      for (unsigned y = 0; y < k; ++y) {
        double scale = 1;
        if (c.scaled)
          scale = std::ldexp(1, int(s1[y / 32 * n + x % n]) + int(s2[y / 32 * 8 + x / n]) - 254);
        double term = a[x / n * k + y] * b[y * n + x % n] * scale;
        want[x] += term;
        largest = std::max(largest, std::abs(term) * k + 100);
      }
      if (!c.a.isFloat) // wraps
        want[x] = c.result == "uint" ? double(float(std::uint32_t(std::int64_t(want[x])))) : double(float(want[x]));
    }
    pocm::Buffer out = device.createBuffer(count * 4);
    std::optional<pocm::Kernel> made = kernelOf(device, program, fmt::format("case{}", i));
    if (!made)
      continue;
    pocm::Kernel &kernel = *made;
    ++ran;
    kernel.setArgument(0, out);
    kernel.setArgument(1, acc.data(), acc.size() * 4);
    kernel.setArgument(2, packedB.data(), packedB.size() * 4);
    kernel.setArgument(3, packedA.data(), packedA.size() * 4);
    kernel.setArgument(4, s1.data(), s1.size());
    kernel.setArgument(5, s2.data(), s2.size());
    device.enqueue(kernel, {1, 1}).wait();
    std::vector<float> got(count);
    out.read(got.data(), count * 4);
    double tolerance = !c.a.isFloat ? 0 : largest * (c.result == "half" ? 1e-3 : c.result == "bfloat16" ? 8e-3 : 1e-5);
    for (unsigned x = 0; x < count; ++x)
      EXPECT_NEAR(got[x], want[x], tolerance) << c.b.name << " x " << c.a.name << " rows " << c.rows << " to "
                                              << c.result << (c.scaled ? " scaled" : "") << " element " << x;
  }
  EXPECT_GT(ran, 0u);
}

/// Sums of products of 16 bits are rounded one by one, in the order that docs/numerics.md says: one product, and many
/// that follow each other in a loop.
TEST_P(Matrix, sumsInOrder) {
  constexpr unsigned rows = 8, k = 16, many = 24;
  struct Kind {
    const char *name, *control;
    unsigned lanes;
  };
  std::vector<Kind> kinds;
  for (const char *name : {"BF", "HF"})
    for (const char *control : {"", "_GENX_FLOAT_CONTROL_(CM_DENORM_ALLOW)"})
      for (unsigned lanes : test::simulatedTarget().empty() ? std::vector{8u, 16u} : std::vector{Case::lanes})
        kinds.push_back({name, control, lanes});
  std::string text = "#include <cm/cm.h>\n";
  for (std::size_t i = 0; i < kinds.size(); ++i)
    text += fmt::format(R"(
extern "C" _GENX_MAIN_ {1} void case{0}(SurfaceIndex in, SurfaceIndex out) {{
  constexpr int B = 8 * {3}, A = 64, S = {4} * {3};
  vector<int, 2 * B> b; vector<int, 2 * A> a; vector<float, S> one, all;
  for (int i = 0; i < 2 * B; i += 32) read(in, i * 4, b.select<32, 1>(i));
  for (int i = 0; i < 2 * A; i += 32) read(in, (2 * B + i) * 4, a.select<32, 1>(i));
  for (int i = 0; i < S; i += 32) read(in, (2 * B + 2 * A + i) * 4, all.select<32, 1>(i));
  one = cm_dpas<CM_PRECISION_{2}, CM_PRECISION_{2}, 8, {4}>(all, b.select<B, 1>(0), a.select<A, 1>(0));
  for (int n = 0; n < 2; ++n)
#pragma unroll
    for (int i = 0; i < {5}; ++i)
      all = cm_dpas<CM_PRECISION_{2}, CM_PRECISION_{2}, 8, {4}>(all, b.select<B, 1>(i % 2 * B),
                                                                a.select<A, 1>(i / 2 % 2 * A));
  for (int i = 0; i < S; i += 32) {{
    write(out, i * 4, one.select<32, 1>(i));
    write(out, (S + i) * 4, all.select<32, 1>(i));
  }}
}})",
                        i, kinds[i].control, kinds[i].name, kinds[i].lanes, rows, many);
  const pocm::Program program = test::compile(text);
  pocm::Device device = test::open(GetParam());
  std::mt19937 random(11);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto [name, control, lanes] = kinds[i];
    const Precision &p = precisions[std::string_view(name) == "BF" ? 6 : 7];
    const unsigned turned = std::string_view(name) == "BF", ofB = 8 * lanes, ofA = 64, sums = rows * lanes;
    Dwords in(2 * ofB + 2 * ofA + sums);
    for (std::size_t n = 0; n < in.size(); ++n)
      in[n] = n < in.size() - sums ? moderate(p, random) | moderate(p, random) << 16
                                   : std::bit_cast<std::uint32_t>(float(random() % 1000) * 0.37f - 200);
    const std::uint32_t *b = in.data(), *a = b + 2 * ofB;
    auto product = [&](std::vector<float> &sum, unsigned whichB, unsigned whichA) {
      for (unsigned at = 0; at < sums; ++at)
        for (unsigned n = 0; n < k; ++n) {
          const unsigned x = n ^ turned, shift = x % 2 * 16;
          const std::uint32_t left = a[whichA * ofA + at / lanes * 8 + x / 2] >> shift & 0xFFFF,
                              right = b[whichB * ofB + x / 2 * lanes + at % lanes] >> shift & 0xFFFF;
          sum[at] = std::fma(float(p.decode(left)), float(p.decode(right)), sum[at]);
        }
    };
    std::vector<float> one(sums), got(2 * sums);
    std::memcpy(one.data(), &in[in.size() - sums], sums * 4);
    std::vector<float> all = one;
    product(one, 0, 0);
    for (unsigned n = 0; n < 2 * many; ++n)
      product(all, n % many % 2, n % many / 2 % 2);
    std::optional<pocm::Kernel> kernel = kernelOf(device, program, fmt::format("case{}", i));
    if (!kernel)
      continue;
    pocm::Buffer from = device.createBuffer(in.size() * 4), to = device.createBuffer(got.size() * 4);
    from.write(in.data(), in.size() * 4);
    kernel->setArgument(0, from);
    kernel->setArgument(1, to);
    device.enqueue(*kernel, {1, 1}).wait();
    to.read(got.data(), got.size() * 4);
    one.insert(one.end(), all.begin(), all.end());
    for (std::size_t n = 0; n < got.size(); ++n)
      ASSERT_EQ(got[n], one[n]) << name << " " << control << " of " << lanes << " columns, sum " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, Matrix, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
