// Arithmetic as C++ programs write it, element by element, which LLVM makes functions of its own of: comparisons in
// three ways, rotations, swapped bytes, overflow, classes of floats. The same text is the kernel and what it is
// compared with.
#include "Kernels.h"
#include "Scalar.h"
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace {

using uchar = std::uint8_t;
using ushort = std::uint16_t;
using uint = std::uint32_t;
using ulong64 = unsigned long long;
using long64 = long long;

constexpr int count = 16;
constexpr int someNumber = 5; // the kernel's argument

struct Idiom {
  const char *name, *type, *text;
  std::size_t bytes;
  void (*model)(const std::uint8_t *a, const std::uint8_t *b, std::uint8_t *r, int n);
  void (*fill)(std::uint8_t *to, std::mt19937_64 &random);
};

template <class T> void fill(std::uint8_t *to, std::mt19937_64 &random) {
  for (int k = 0; k < count; ++k) {
    T x = test::value<T>(random, k);
    std::memcpy(to + std::size_t(k) * sizeof(T), &x, sizeof(T));
  }
}

// Statements that set r from a, b and n.
#define IDIOM(name, T, ...)                                                                                            \
  {#name,                                                                                                              \
   #T,                                                                                                                 \
   #__VA_ARGS__,                                                                                                       \
   sizeof(T) * count,                                                                                                  \
   [](const std::uint8_t *left, const std::uint8_t *right, std::uint8_t *result, [[maybe_unused]] int n) {             \
     for (std::size_t k = 0; k < count; ++k) {                                                                         \
       T a, b, r;                                                                                                      \
       std::memcpy(&a, left + k * sizeof(T), sizeof(T));                                                               \
       std::memcpy(&b, right + k * sizeof(T), sizeof(T));                                                              \
       __VA_ARGS__;                                                                                                    \
       std::memcpy(result + k * sizeof(T), &r, sizeof(T));                                                             \
     }                                                                                                                 \
   },                                                                                                                  \
   fill<T>}

const Idiom idioms[] = {
    IDIOM(sign, int, r = (a > b) - (a < b)),
    IDIOM(unsignedSign, uint, r = (a > b) - (a < b)),
    IDIOM(signOfBytes, uchar, r = uchar(a < b ? -1 : a > b)),
    IDIOM(signOfWords, short, r = short(a < b ? -1 : a > b)),
    IDIOM(signOf64, long64, r = (a > b) - (a < b)),
    IDIOM(rotated, uint, r = (a << 7) | (a >> 25)),
    IDIOM(rotatedByN, uint, r = (a << (b & 31)) | (a >> (-b & 31))),
    IDIOM(rotatedRight, ushort, r = ushort((a >> 3) | (a << 13))),
    IDIOM(rotatedBytes, uchar, r = uchar((a << 3) | (a >> 5))),
    IDIOM(rotated64, ulong64, r = (a << 13) | (a >> 51)),
    IDIOM(funnel, uint, r = (a << 9) | (b >> 23)),
    IDIOM(swapped, uint, r = (a << 24) | ((a & 0xff00) << 8) | ((a >> 8) & 0xff00) | (a >> 24)),
    IDIOM(swappedWords, ushort, r = __builtin_bswap16(a)),
    IDIOM(swapped64, ulong64, r = __builtin_bswap64(a)),
    IDIOM(reversed, uint, r = __builtin_bitreverse32(a)),
    IDIOM(reversedBytes, uchar, r = __builtin_bitreverse8(a)),
    IDIOM(reversed64, ulong64, r = __builtin_bitreverse64(a)),
    IDIOM(sums, int, int s; r = __builtin_add_overflow(a, b, &s) ? 77 : s),
    IDIOM(unsignedSums, ushort, ushort s; r = __builtin_add_overflow(a, b, &s) ? 77 : s),
    IDIOM(differences, int, int s; r = __builtin_sub_overflow(a, b, &s) ? 77 : s),
    IDIOM(unsignedDifferences, uint, uint s; r = __builtin_sub_overflow(a, b, &s) ? 77 : s),
    IDIOM(products, int, int s; r = __builtin_mul_overflow(a, b, &s) ? 77 : s),
    IDIOM(productsOfWords, short, short s; r = __builtin_mul_overflow(a, b, &s) ? 77 : s),
    IDIOM(unsignedProducts, uint, uint s; r = __builtin_mul_overflow(a, b, &s) ? 77 : s),
    IDIOM(products64, long64, long64 s; r = __builtin_mul_overflow(a, b, &s) ? 77 : s),
    IDIOM(unsignedProducts64, ulong64, ulong64 s; r = __builtin_mul_overflow(a, b, &s) ? 77 : s),
    IDIOM(upperHalves, uint, r = uint(ulong64(a) * b >> 32)),
    IDIOM(signedUpperHalves, int, r = int(long64(a) * b >> 32)),
    IDIOM(distances, uchar, r = uchar(a > b ? a - b : b - a)),
    IDIOM(powersOfTwo, uint, r = a && !(a & (a - 1))),
    IDIOM(parities, uint, r = uint(__builtin_parity(a))),
    IDIOM(counted, ulong64, r = ulong64(__builtin_popcountll(a) + __builtin_clzll(b | 1))),
    IDIOM(lowestBits, int, r = __builtin_ffs(a)),
    IDIOM(clamped, uchar, int x = a * 3 - b; r = uchar(x < 0     ? 0
                                                       : x > 255 ? 255
                                                                 : x)),
    IDIOM(rounded, float, r = __builtin_roundf(a) + 2 * __builtin_roundf(b * 0.5f)),
    IDIOM(roundedToIntegers, float,
          r = a > -1e6f && a < 1e6f ? float(__builtin_lrintf(a * 0.5f) + __builtin_lroundf(a * 0.5f)) : 0),
    // without the small numbers, which may count as zeros
    IDIOM(scaled, float,
          int x = b > 1e6f    ? 150
                  : b > -1e6f ? int(b)
                              : -170;
          float y = __builtin_ldexpf(a, x % 300); r = __builtin_isnormal(y) ? y : 0),
    IDIOM(scaledToTheEnds, float, r = __builtin_ldexpf(1.9f, a > b ? 127 : -126) + __builtin_ldexpf(a, 277)),
    IDIOM(normal, float, r = __builtin_isnormal(a) ? 1.f : 2.f),
    IDIOM(classes, float, r = __builtin_fpclassify(0, 1, 2, 3, 4, a) + (__builtin_isinf_sign(b) ? 10.f : 20.f)),
    IDIOM(signs, float, r = __builtin_signbit(a) ? -1.f : __builtin_copysignf(3.f, b)),
    IDIOM(expected, int, if (__builtin_expect(n > 3, 1)) r = a; else r = b),
    IDIOM(likelyBranches, uint, r = b; if (a < 100) [[likely]] r = a + uint(n)),
    IDIOM(knownOrNot, uint, r = __builtin_constant_p(a) ? 1 : a + uint(n)),
    // arrays at known places, which loops carry from round to round
    IDIOM(
        moved, uint, uint s[8] = {a, b, a ^ b, a + b, 1, 2, 3, a}; for (int i = 0; i < n + 20; ++i) {
          uint t = s[7] + (s[4] & s[5]) + uint(i);
          for (int k = 7; k > 0; --k)
            s[k] = s[k - 1];
          s[4] += t;
          s[0] = t ^ s[2];
        } r = s[0] ^ s[3] ^ (s[7] << 3)),
    IDIOM(
        movedWords, short, short s[4] = {a, b, 7, short(a ^ b)}; for (int i = 0; i < 3 * n; ++i) {
          short t = short(s[3] + 3 * s[0] - i);
          if (t & 4) {
            s[3] = s[2];
            s[2] = short(s[1] ^ t);
          } else
            s[1] = s[0];
          s[0] = t;
        } r = short(s[0] ^ s[1] ^ s[2] ^ s[3])),
    IDIOM(
        movedFloats, float, float z[4] = {1, 2, 3, a > -1e6f && a < 1e6f ? a : 5}; for (int i = 0; i < n + 7; ++i) {
          float y = z[3] - z[0] * 0.5f;
          z[3] = z[2];
          z[2] = y > 2 ? z[1] + 1 : z[1] * 0.25f;
          z[1] = z[0];
          z[0] = y * 0.5f;
        } r = float(int(z[0] * 4) + int(z[1] * 4) + int(z[2] * 4) + int(z[3]))),
    IDIOM(
        turned, uint, uint s[16]; for (int i = 0; i < 16; ++i) s[i] = a * uint(i) + b;
        for (int round = 0; round < n; ++round) for (int half = 0; half < 2; ++half) for (int q = 0; q < 4; ++q) {
          int x = q;
          int y = 4 + ((q + half) & 3);
          int z = 12 + ((q + 3 * half) & 3);
          s[x] += s[y] + uint(round);
          s[z] = (s[z] ^ s[x]) << 16 | (s[z] ^ s[x]) >> 16;
          s[y] ^= s[z];
        } r = 0;
        for (int i = 0; i < 16; ++i) r = r * 3 + s[i]),
    IDIOM(
        exchanged, ulong64, ulong64 s[2] = {a, b}; for (int i = 0; i < n + int(a & 3); ++i) {
          ulong64 t = s[0];
          s[0] = s[1];
          s[1] = t * 5 + ulong64(i);
        } r = s[0] - s[1]),
};

/// A kernel for each, in one program.
std::string source() {
  std::string text = "#include <cm/cm.h>\ntypedef unsigned long long ulong64;\ntypedef long long long64;\n";
  for (const Idiom &idiom : idioms)
    text += fmt::format(R"(extern "C" _GENX_MAIN_ void {0}(SurfaceIndex in, SurfaceIndex out, int n) {{
  typedef {1} T;
  vector<T, {2}> left, right, result;
  read(in, 0, left);
  read(in, 256, right);
  for (int k = 0; k < {2}; ++k) {{
    T a = left(k), b = right(k), r;
    {3};
    result(k) = r;
  }}
  write(out, 0, result);
}}
)",
                        idiom.name, idiom.type, count, idiom.text);
  return text;
}

class Idioms : public testing::TestWithParam<std::string> {};

TEST_P(Idioms, areWhatCppSays) {
  pocm::Device device = test::open(GetParam());
  std::mt19937_64 random(11);
  pocm::Program program = test::compile(source());
  for (const Idiom &idiom : idioms) {
    for (int round = 0; round < 4; ++round) {
      std::vector<std::uint8_t> both(512), want(idiom.bytes), got(idiom.bytes);
      idiom.fill(both.data(), random);
      idiom.fill(both.data() + 256, random);
      // a row of edges against itself, then against itself turned, then random
      if (round == 1)
        std::rotate(both.data() + 256, both.data() + 256 + idiom.bytes / count, both.data() + 256 + idiom.bytes);
      idiom.model(both.data(), both.data() + 256, want.data(), someNumber);
      pocm::Buffer in = device.createBuffer(both.size()), out = device.createBuffer(idiom.bytes);
      in.write(both.data(), both.size());
      pocm::Kernel kernel = device.createKernel(program, idiom.name);
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      kernel.setArgument(2, &someNumber, sizeof(someNumber));
      device.enqueue(kernel, {1, 1}).wait();
      out.read(got.data(), got.size());
      EXPECT_EQ(got, want) << idiom.name << ", round " << round;
    }
  }
}

/// Whole vectors; what LLVM finds in them is the same.
TEST_P(Idioms, ofWholeVectors) {
  pocm::Device device = test::open(GetParam());
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void vectors(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> a, b, sign = 0;
  read(in, 0, a);
  read(in, 64, b);
  sign.merge(1, a > b);
  sign.merge(-1, a < b);
  write(out, 0, sign);
  vector<uint, 16> u = a;
  vector<uint, 16> turned = (u << 11) | (u >> 21);
  write(out, 64, turned);
  vector<int, 16> small = a & 15;
  vector<float, 16> powers = cm_exp(vector<float, 16>(small));
  write(out, 128, powers);
})");
  std::mt19937_64 random(3);
  std::int32_t data[32];
  for (int k = 0; k < 32; ++k)
    data[k] = k < 8 ? k % 3 - 1 : int(random() >> 33) - (1 << 30);
  data[20] = data[4];
  pocm::Buffer in = device.createBuffer(sizeof(data)), out = device.createBuffer(192);
  in.write(data, sizeof(data));
  pocm::Kernel kernel = device.createKernel(program, "vectors");
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  device.enqueue(kernel, {1, 1}).wait();
  struct {
    std::int32_t sign[16];
    std::uint32_t turned[16];
    float powers[16];
  } got;
  out.read(&got, sizeof(got));
  for (int k = 0; k < 16; ++k) {
    int a = data[k], b = data[16 + k];
    auto u = std::uint32_t(a);
    EXPECT_EQ(got.sign[k], (a > b) - (a < b)) << k;
    EXPECT_EQ(got.turned[k], u << 11 | u >> 21) << k;
    EXPECT_NEAR(got.powers[k], std::ldexp(1.0f, a & 15), std::ldexp(1e-6f, a & 15)) << k;
  }
}

// What becomes r, of a and b as numbers of 64 bits: wa and wb widened with zeros, sa and sb with their signs. The same
// text for vectors and for each of their elements; a product is all that is in `q`.
struct WideFormula {
  const char *text;
  uint (*model)(ulong64 wa, ulong64 wb, long64 sa, long64 sb, ulong64 first);
};
#define FORMULA(...)                                                                                                   \
  {#__VA_ARGS__, []([[maybe_unused]] ulong64 wa, [[maybe_unused]] ulong64 wb, [[maybe_unused]] long64 sa,              \
                    [[maybe_unused]] long64 sb, [[maybe_unused]] ulong64 first) { return uint(__VA_ARGS__); }}
const WideFormula wideFormulas[] = {
    FORMULA((wa * wb) >> 32),
    FORMULA((sa * sb) >> 32),
    FORMULA((sa * sb + (1ll << 30)) >> 31),
    FORMULA((wa * wb) ^ ((wa * wb) >> 32)),
    FORMULA((wa * 0xD2511F53ull) >> 32),
    FORMULA((sa * -12345ll) >> 32),
    FORMULA((wa * wb + wa) >> 7),
    FORMULA(((wa * wb & 0xFFFFFFFFull) * 977ull + wb) >> 32),
    FORMULA((sa * sb - sb) >> 16),
    FORMULA(((wa << 3) * (wb >> 1)) >> 29),
    FORMULA((wa * wb) | ~wb),
    FORMULA(((wa * wb) >> 32) + wa * wb * 3ull - first),
    FORMULA((wa * wb) * (wa * wb) >> 32),
    FORMULA((wa * wa + wb * wb + 5ull) >> 32),
};

TEST_P(Idioms, productsOfTwiceTheBits) {
  pocm::Device device = test::open(GetParam());
  std::mt19937_64 random(7);
  for (int n : {4, 8, 12, 16, 32, 64}) {
    std::string text = "#include <cm/cm.h>\ntypedef unsigned long long ulong64;\ntypedef long long long64;\n";
    for (const WideFormula &formula : wideFormulas)
      text += fmt::format(R"(extern "C" _GENX_MAIN_ void wide{0}(SurfaceIndex in, SurfaceIndex out) {{
  vector<int, {1}> a, b;
  for (int k = 0; k < {1}; k += 4) {{
    read(in, k * 4, a.select<4, 1>(k));
    read(in, 256 + k * 4, b.select<4, 1>(k));
  }}
  vector<uint, {1}> ua = a, ub = b;
  vector<ulong64, {1}> wa = ua, wb = ub, whole = wa * wb;
  vector<long64, {1}> sa = a, sb = b;
  ulong64 first = whole(0);
  vector<uint, {1}> r = {2};
  for (int k = 0; k < {1}; k += 4)
    write(out, k * 4, r.select<4, 1>(k));
}}
)",
                          &formula - wideFormulas, n, formula.text);
    pocm::Program program = test::compile(text);
    std::vector<std::uint32_t> data(128), got(64);
    for (int k = 0; k < 128; ++k)
      data[std::size_t(k)] = test::value<std::uint32_t>(random, k % 64 < 24 ? k % 24 : 24 + k);
    std::rotate(data.begin() + 64, data.begin() + 65, data.end());
    for (const WideFormula &formula : wideFormulas) {
      pocm::Buffer in = device.createBuffer(512), out = device.createBuffer(256);
      in.write(data.data(), 512);
      pocm::Kernel kernel = device.createKernel(program, fmt::format("wide{}", &formula - wideFormulas));
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      device.enqueue(kernel, {1, 1}).wait();
      out.read(got.data(), 256);
      for (int k = 0; k < n; ++k) {
        const std::uint32_t a = data[std::size_t(k)], b = data[std::size_t(64 + k)];
        EXPECT_EQ(got[std::size_t(k)],
                  formula.model(a, b, std::int32_t(a), std::int32_t(b), ulong64(data[0]) * data[64]))
            << formula.text << ", element " << k << " of " << n;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, Idioms, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
