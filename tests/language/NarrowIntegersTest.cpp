// Bytes, words and dwords beside scalars of their own types, and sums of them that saturate: computed in as few bits as
// are needed, with what comes out of all of them.
#include "Kernels.h"
#include "Scalar.h"
#include <algorithm>
#include <fmt/format.h>

namespace {

constexpr int elements = 64;

/// What the elements k of both operands are, and the scalar, of a type each.
struct Numbers {
  std::int64_t a, b, c;
};

/// Statements that set r, ints, of a, b and c, which are of type {0}.
struct Formula {
  const char *text;
  /// `low` and `high`: of the type. In 64 bits, of which 32 are compared.
  std::int64_t (*model)(const Numbers &n, std::int64_t low, std::int64_t high);
};
const Formula formulas[] = {
    {"r = 1; r.merge(2, a == c);",
     [](const Numbers &n, std::int64_t, std::int64_t) { return std::int64_t(n.a == n.c) + 1; }},
    {"r = 1; r.merge(2, c < a);",
     [](const Numbers &n, std::int64_t, std::int64_t) { return std::int64_t(n.c < n.a) + 1; }},
    {"r = 1; r.merge(2, a >= c);",
     [](const Numbers &n, std::int64_t, std::int64_t) { return std::int64_t(n.a >= n.c) + 1; }},
    {"{0} d = a(5); r = 1; r.merge(2, b <= d);",
     [](const Numbers &n, std::int64_t, std::int64_t) { return std::int64_t(n.b <= n.c) + 1; }},
    {"r = a ^ c; r += b & c;", [](const Numbers &n, std::int64_t, std::int64_t) { return (n.a ^ n.c) + (n.b & n.c); }},
    {"r = cm_max<{0}>(a, c) - cm_min<{0}>(c, b);",
     [](const Numbers &n, std::int64_t, std::int64_t) { return std::max(n.a, n.c) - std::min(n.c, n.b); }},
    {"r = cm_add<{0}>(a, b, SAT);",
     [](const Numbers &n, std::int64_t low, std::int64_t high) { return std::clamp(n.a + n.b, low, high); }},
    {"r = cm_add<{0}>(a, c, SAT);",
     [](const Numbers &n, std::int64_t low, std::int64_t high) { return std::clamp(n.a + n.c, low, high); }},
    {"r = vector<{0}, 64>(a - b, SAT);",
     [](const Numbers &n, std::int64_t low, std::int64_t high) { return std::clamp(n.a - n.b, low, high); }},
    {"r = vector<{0}, 64>(c - b, SAT);",
     [](const Numbers &n, std::int64_t low, std::int64_t high) { return std::clamp(n.c - n.b, low, high); }},
    {"r = vector<{0}, 64>(a - 100, SAT);",
     [](const Numbers &n, std::int64_t low, std::int64_t high) { return std::clamp(n.a - 100, low, high); }},
    {"r = vector<{0}, 64>(a + b + c, SAT);",
     [](const Numbers &n, std::int64_t low, std::int64_t high) { return std::clamp(n.a + n.b + n.c, low, high); }},
};

/// Statements that set r, ints, of the dwords x and y and the scalar n. `model`: of x, y and n.
struct Dwords {
  const char *text;
  std::int64_t (*model)(std::int64_t x, std::int64_t y, std::int64_t n);
};
const Dwords dwords[] = {
    {"r = cm_add<char>(x, y, SAT);", [](auto x, auto y, auto) { return std::clamp<std::int64_t>(x + y, -128, 127); }},
    {"r = cm_add<uchar>(x, y, SAT);", [](auto x, auto y, auto) { return std::clamp<std::int64_t>(x + y, 0, 255); }},
    {"r = cm_add<short>(x, n, SAT);",
     [](auto x, auto, auto n) { return std::clamp<std::int64_t>(x + n, -32768, 32767); }},
    {"r = cm_add<int>(x, y, SAT);",
     [](auto x, auto y, auto) { return std::clamp<std::int64_t>(x + y, INT32_MIN, INT32_MAX); }},
    {"r = cm_add<char>(x >> 8, n, SAT);",
     [](auto x, auto, auto n) { return std::clamp<std::int64_t>((x >> 8) + n, -128, 127); }},
    {"r = cm_add<uchar>(n, y >> 4, SAT);",
     [](auto, auto y, auto n) { return std::clamp<std::int64_t>(n + (y >> 4), 0, 255); }},
    {"r = cm_add<short>(x >> 20, -y, SAT);",
     [](auto x, auto y, auto) { return std::clamp<std::int64_t>((x >> 20) + std::int32_t(-y), -32768, 32767); }},
    {"vector<uint, 64> u = x, v = y; r = cm_add<uchar>(u, v, SAT);",
     [](auto x, auto y, auto) {
       return std::min<std::int64_t>(std::int64_t(std::uint32_t(x)) + std::uint32_t(y), 255);
     }},
    {"vector<uint, 64> u = x, v = y; r = cm_add<uint>(u, v, SAT);",
     [](auto x, auto y, auto) {
       return std::min<std::int64_t>(std::int64_t(std::uint32_t(x)) + std::uint32_t(y), UINT32_MAX);
     }},
};

/// A kernel that sets r, ints, of the dwords x and y of its input and the scalar n.
std::string kernelOf(const std::string &name, const std::string &statements) {
  return fmt::format(R"(extern "C" _GENX_MAIN_ void {0}(SurfaceIndex in, SurfaceIndex out, int n) {{
  vector<int, 64> x, y, r;
  for (int k = 0; k < 64; k += 16) {{
    read(in, k * 4, x.select<16, 1>(k));
    read(in, 256 + k * 4, y.select<16, 1>(k));
  }}
  {1}
  for (int k = 0; k < 64; k += 16)
    write(out, k * 4, r.select<16, 1>(k));
}}
)",
                     name, statements);
}

class NarrowIntegers : public testing::TestWithParam<std::string> {
protected:
  /// What a kernel of the program makes of as many dwords as the numbers.
  std::vector<std::int32_t> run(const pocm::Program &program, const std::string &name,
                                const std::vector<std::int32_t> &data, std::int32_t scalar) {
    std::vector<std::int32_t> got(elements);
    pocm::Buffer in = device.createBuffer(data.size() * 4), out = device.createBuffer(got.size() * 4);
    in.write(data.data(), data.size() * 4);
    pocm::Kernel kernel = device.createKernel(program, name);
    kernel.setArgument(0, in);
    kernel.setArgument(1, out);
    kernel.setArgument(2, &scalar, sizeof(scalar));

    device.enqueue(kernel, {1, 1}).wait();
    out.read(got.data(), got.size() * 4);
    return got;
  }
  pocm::Device device = test::open(GetParam());
};

/// The bits of all kernels' inputs: small and large numbers of all types.
std::vector<std::int32_t> someNumbers(std::mt19937_64 &random) {
  const std::int32_t edges[] = {0,    1,     -1,    127,   128,       -128,          255,           256,
                                -129, 32767, 32768, 65535, INT32_MAX, INT32_MIN + 1, INT32_MIN / 2, 5};
  std::vector<std::int32_t> all(2 * elements);
  for (std::int32_t &n : all)
    n = random() % 3 ? std::int32_t(random()) : edges[random() % std::size(edges)];
  return all;
}

template <class T> void compareOfType(const char *name, const pocm::Program &program, const auto &run) {
  std::mt19937_64 random(3);
  for (const Formula &formula : formulas)
    for (int round = 0; round < 4; ++round) {
      const std::vector<std::int32_t> data = someNumbers(random);
      const auto scalar = std::int32_t(data[5]); // as one formula has it
      const auto got = run(program, fmt::format("{}{}", name, &formula - formulas), data, scalar);
      for (std::size_t k = 0; k < elements; ++k) {
        const Numbers n{T(data[k]), T(data[elements + k]), T(scalar)};
        ASSERT_EQ(got[k], std::int32_t(formula.model(n, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())))
            << name << ": " << formula.text << ", " << n.a << ", " << n.b << ", " << n.c;
      }
    }
}

TEST_P(NarrowIntegers, besideScalarsOfTheirTypes) {
  const char *const types[] = {"uchar", "char", "ushort", "short"};
  std::string text = "#include <cm/cm.h>\n";
  for (const char *type : types)
    for (const Formula &formula : formulas)
      text += kernelOf(fmt::format("{}{}", type, &formula - formulas),
                       fmt::format("vector<{0}, 64> a = x, b = y; {0} c = n; {1}", type,
                                   fmt::format(fmt::runtime(formula.text), type)));
  const pocm::Program program = test::compile(text);
  auto one = [&](auto &&...arguments) { return run(arguments...); };
  compareOfType<std::uint8_t>("uchar", program, one);
  compareOfType<std::int8_t>("char", program, one);
  compareOfType<std::uint16_t>("ushort", program, one);
  compareOfType<std::int16_t>("short", program, one);
}

/// Bytes and words are compared with numbers that they may not have.
TEST_P(NarrowIntegers, besideNumbersOfAnySize) {
  const char *const types[] = {"uchar", "char", "ushort", "short"}, *const operators[] = {"<",  "<=", ">",
                                                                                          ">=", "==", "!="};
  auto compare = [](unsigned by, auto x, auto y) {
    return by == 0 ? x < y : by == 1 ? x <= y : by == 2 ? x > y : by == 3 ? x >= y : by == 4 ? x == y : x != y;
  };
  std::string text = "#include <cm/cm.h>\n";
  for (unsigned t = 0; t < 4; ++t)
    for (unsigned o = 0; o < 6; ++o)
      text +=
          kernelOf(fmt::format("k{}", t * 6 + o),
                   fmt::format("vector<{0}, 64> a = x; uint u = n; r = 0; r.merge(1, a {1} n); r.merge(r + 2, a {1} u);"
                               " r.merge(r + 4, n {1} a);",
                               types[t], operators[o]));
  const pocm::Program program = test::compile(text);
  std::mt19937_64 random(9);
  const std::int32_t numbers[] = {0,     1,     2,      -1,     -2,     126,       127,      128,   -127,
                                  -128,  -129,  254,    255,    256,    32766,     32767,    32768, 65534,
                                  65535, 65536, -32767, -32768, -32769, INT32_MAX, INT32_MIN};
  for (unsigned t = 0; t < 4; ++t)
    for (unsigned o = 0; o < 6; ++o)
      for (std::int32_t n : numbers) {
        std::vector<std::int32_t> data = someNumbers(random);
        for (std::size_t k = 0; k < 24; ++k) // near it, in all types
          data[k] = n + std::int32_t(k % 3) - 1;
        const auto got = run(program, fmt::format("k{}", t * 6 + o), data, n);
        for (std::size_t k = 0; k < elements; ++k) {
          const std::int32_t x = data[k], a = t == 0   ? std::uint8_t(x)
                                              : t == 1 ? std::int8_t(x)
                                              : t == 2 ? std::uint16_t(x)
                                                       : std::int16_t(x);
          const int right =
              compare(o, a, n) + 2 * compare(o, std::uint32_t(a), std::uint32_t(n)) + 4 * compare(o, n, a);
          ASSERT_EQ(got[k], right) << types[t] << " " << a << " " << operators[o] << " " << n;
        }
      }
}

/// Sums, differences and shifts of bytes and words, of which some fit and some do not.
TEST_P(NarrowIntegers, sumsAndShifts) {
  using W = std::int64_t;
  struct Formula {
    const char *text; ///< Of uchars a, b, c and shorts p, q: sets r, ints.
    W (*model)(W a, W b, W c, W p, W q);
  };
  static constexpr auto word = [](W x) { return W(std::int16_t(x)); };
  const Formula all[] = {
      {"vector<ushort, 64> t = a * b + 128; vector<uchar, 64> u = (t + (t >> 8)) >> 8; r = u;",
       [](W a, W b, W, W, W) {
         const W t = a * b + 128;
         return ((t + (t >> 8)) >> 8) & 255;
       }},
      {"vector<ushort, 64> t = a * b + 255; vector<uchar, 64> u = (t * 3 + (t >> 4)) >> 7; r = u;",
       [](W a, W b, W, W, W) {
         const W t = a * b + 255;
         return ((t * 3 + (t >> 4)) >> 7) & 255;
       }},
      {"vector<short, 64> t = (a + b + 1) >> 1; vector<uchar, 64> u = ((-38 * t - 74 * c + 112 * a + 128) >> 8) + 128; "
       "r = u;",
       [](W a, W b, W c, W, W) { return (((-38 * ((a + b + 1) >> 1) - 74 * c + 112 * a + 128) >> 8) + 128) & 255; }},
      {"vector<ushort, 64> t = (a + b) * 4, s = (b + c) * 4; vector<uchar, 64> u = ((t + s) * 4 + 32) >> 6; r = u;",
       [](W a, W b, W c, W, W) { return (((a + b + b + c) * 16 + 32) >> 6) & 255; }},
      {"vector<short, 64> d = a - b, e = b - c; r = cm_abs<short>(d + e + d) + cm_abs<short>(d - e - e);",
       [](W a, W b, W c, W, W) { return std::abs(2 * (a - b) + b - c) + std::abs(a - b - 2 * (b - c)); }},
      {"r = cm_abs<short>(p + q) + cm_abs<short>(p - q);",
       [](W, W, W, W p, W q) { return word(std::abs(p + q)) + word(std::abs(p - q)); }},
      {"vector<short, 64> t = p + q, s = (p >> 3) - (q >> 5); r = (t + s) * 3 - (s - 7);",
       [](W, W, W, W p, W q) {
         const W t = word(p + q), s = (p >> 3) - (q >> 5);
         return (t + s) * 3 - (s - 7);
       }},
      {"vector<short, 64> t = (p << 2) >> 3; vector<ushort, 64> s = q; r = t + ((s << 1) >> 1) + ((s + 5) >> 2);",
       [](W, W, W, W p, W q) { return word((p << 2) >> 3) + (q & 0xFFFF) + (((q & 0xFFFF) + 5) >> 2); }},
      {"vector<short, 64> t = (a << 7) - (b << 6); vector<char, 64> u = (t - c) >> 7; r = u + (t >> 9);",
       [](W a, W b, W c, W, W) {
         const W t = word((a << 7) - (b << 6));
         return W(std::int8_t((t - c) >> 7)) + (t >> 9);
       }},
  };
  std::string text = "#include <cm/cm.h>\n";
  for (const Formula &f : all)
    text +=
        kernelOf(fmt::format("k{}", &f - all),
                 fmt::format("vector<uchar, 64> a = x, b = y, c = x >> 8; vector<short, 64> p = x, q = y; {}", f.text));
  const pocm::Program program = test::compile(text);
  std::mt19937_64 random(10);
  for (const Formula &f : all)
    for (int round = 0; round < 12; ++round) {
      const std::vector<std::int32_t> data = someNumbers(random);
      const auto got = run(program, fmt::format("k{}", &f - all), data, 0);
      for (std::size_t k = 0; k < elements; ++k) {
        const std::int32_t x = data[k], y = data[elements + k];
        ASSERT_EQ(got[k], std::int32_t(f.model(std::uint8_t(x), std::uint8_t(y), std::uint8_t(x >> 8), std::int16_t(x),
                                               std::int16_t(y))))
            << f.text << ", of " << x << " and " << y;
      }
    }
}

TEST_P(NarrowIntegers, saturatedSumsOfDwords) {
  std::string text = "#include <cm/cm.h>\n";
  for (const Dwords &formula : dwords)
    text += kernelOf(fmt::format("sum{}", &formula - dwords), formula.text);
  const pocm::Program program = test::compile(text);
  std::mt19937_64 random(4);
  for (const Dwords &formula : dwords)
    for (int round = 0; round < 6; ++round) {
      const std::vector<std::int32_t> data = someNumbers(random);
      const std::int32_t scalar = data[std::size_t(round)];
      const auto got = run(program, fmt::format("sum{}", &formula - dwords), data, scalar);
      for (std::size_t k = 0; k < elements; ++k)
        ASSERT_EQ(got[k], std::int32_t(formula.model(data[k], data[elements + k], scalar)))
            << formula.text << ", " << data[k] << ", " << data[elements + k] << ", " << scalar;
    }
}

// Products of bytes are ints, of which registers do not hold so many.
TEST_P(NarrowIntegers, ofManyBytesOnTheWay) {
  constexpr unsigned count = 1024;
  pocm::Device device = test::open(GetParam());
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 32, 32> a;
  for (int k = 0; k < 1024; k += 128)
    read(in, k, a.format<uchar>().select<128, 1>(k));
  matrix<ushort, 32, 32> squared = a * a;
  for (int k = 0; k < 1024; k += 64)
    write(out, k * 2, squared.format<ushort>().select<64, 1>(k));
})");
  std::mt19937 random(8);
  std::vector<std::uint8_t> data(count);
  for (std::uint8_t &x : data)
    x = std::uint8_t(random());
  pocm::Buffer in = device.createBuffer(count), out = device.createBuffer(2 * count);
  in.write(data.data(), count);
  pocm::Kernel kernel = device.createKernel(program, "kernel");
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  device.enqueue(kernel, {1, 1}).wait();
  std::vector<std::uint16_t> got(count);
  out.read(got.data(), 2 * count);
  for (unsigned k = 0; k < count; ++k)
    ASSERT_EQ(got[k], data[k] * data[k]) << k;
}

INSTANTIATE_TEST_SUITE_P(Cpus, NarrowIntegers, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
