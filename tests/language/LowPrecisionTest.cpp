// Numbers of 16 bits and less (language reference, chapter 8, TYP-07 to TYP-14): conversions of all 65,536 halves and
// of all codes against the nearest number of a table, stochastic rounding, nibbles; arithmetic of bfloat16.
#include "Conformance.h"
#include <bit>
#include <random>

namespace {

using test::Row;

double half(std::uint32_t code) {
  std::uint16_t bits = std::uint16_t(code);
  return double(std::bit_cast<_Float16>(bits));
}

struct Format {
  const char *ids, *convert, *code;
  int exponent, mantissa, bias;
  bool infinity;

  std::uint32_t nan() const { return infinity ? ((1u << exponent) - 1) << mantissa | 1u << (mantissa - 1) : 0x7F; }
  std::uint32_t top() const { return infinity ? ((1u << exponent) - 1) << mantissa : 0x7F; } // first that is no number
  double decode(std::uint32_t code) const {
    std::uint32_t magnitude = code & 0x7F;
    double sign = code & 0x80 ? -1 : 1;
    if (infinity && magnitude == top())
      return sign * INFINITY;
    if (magnitude > top() || (!infinity && magnitude == top()))
      return NAN;
    int e = int(magnitude >> mantissa);
    double m = double(magnitude & ((1u << mantissa) - 1)) / double(1 << mantissa);
    return sign * (e ? std::ldexp(1 + m, e - bias) : std::ldexp(m, 1 - bias));
  }
  /// Nearest code, ties to even; too large becomes the first that is no number, or the highest with SAT.
  std::uint32_t encode(double value, bool saturate) const {
    std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
    if (std::isnan(value))
      return nan() | sign;
    double x = std::abs(value);
    std::uint32_t best = 0;
    for (std::uint32_t c = 0; c < top(); ++c) {
      double distance = std::abs(decode(c) - x), least = std::abs(decode(best) - x);
      if (distance < least || (distance == least && c % 2 == 0))
        best = c;
    }
    double highest = decode(top() - 1), step = highest - decode(top() - 2);
    bool over = x > highest + step / 2 || (x == highest + step / 2 && (top() - 1) % 2);
    return (over ? (saturate ? top() - 1 : top()) : best) | sign;
  }
};
const Format formats[] = {{"LPC-03 TYP-12", "cm_bf8_cvt", "uchar", 5, 2, 15, true},
                          {"LPC-04 TYP-13", "cm_hf8_cvt", "char", 4, 3, 7, false}};

/// A half as kernels see it that do not ask for denormals.
double flushed(double value) {
  constexpr double least = 0x1p-14;
  return std::abs(value) < least ? std::copysign(0, value) : value;
}

class LowPrecision : public testing::TestWithParam<std::string> {};

constexpr unsigned lanes = 32;

TEST_P(LowPrecision, everyHalfToBytesAndBack) {
  std::string source = "#include <cm/cm.h>\n";
  for (const Format &f : formats)
    source += fmt::format(R"(
extern "C" _GENX_MAIN_ void to_{0}(SurfaceIndex in, SurfaceIndex plain, SurfaceIndex saturated) {{
  int at = (get_thread_origin_y() * 256 + get_thread_origin_x()) * 32;
  vector<half, 32> x;
  read(in, at * 2, x);
  write(plain, at, cm_{0}_cvt<{1}>(x));
  write(saturated, at, cm_{0}_cvt<{1}>(x, SAT));
}}
extern "C" _GENX_MAIN_ void from_{0}(SurfaceIndex in, SurfaceIndex out) {{
  int at = get_thread_origin_x() * 32;
  vector<{1}, 32> x;
  read(in, at, x);
  write(out, at * 2, cm_{0}_cvt<half>(x));
}})",
                          std::string(f.convert).substr(3, 3), f.code);
  pocm::Program program = test::compile(source);
  pocm::Device device = test::open(GetParam());
  constexpr unsigned count = 65536;
  std::vector<std::uint16_t> all(count);
  for (unsigned i = 0; i < count; ++i)
    all[i] = std::uint16_t(i);
  pocm::Buffer in = device.createBuffer(count * 2), plain = device.createBuffer(count),
               sat = device.createBuffer(count);
  in.write(all.data(), count * 2);
  for (const Format &f : formats) {
    std::string name = std::string(f.convert).substr(3, 3);
    pocm::Kernel kernel = device.createKernel(program, "to_" + name);
    kernel.setArgument(0, in);
    kernel.setArgument(1, plain);
    kernel.setArgument(2, sat);
    device.enqueue(kernel, {256, count / 256 / lanes}).wait();
    std::vector<std::uint8_t> got(count), gotSat(count);
    plain.read(got.data(), count);
    sat.read(gotSat.data(), count);
    int wrong = 0;
    for (unsigned i = 0; i < count && wrong < 5; ++i) {
      std::uint32_t want = f.encode(flushed(half(i)), false), wantSat = f.encode(flushed(half(i)), true);
      if (got[i] != want || gotSat[i] != wantSat) {
        ADD_FAILURE() << f.ids << " half " << i << " (" << half(i) << "): " << int(got[i]) << ", " << int(gotSat[i])
                      << ", not " << want << ", " << wantSat;
        ++wrong;
      }
    }
    std::vector<std::uint8_t> codes(256);
    for (unsigned i = 0; i < 256; ++i)
      codes[i] = std::uint8_t(i);
    pocm::Buffer bytes = device.createBuffer(256), halves = device.createBuffer(512);
    bytes.write(codes.data(), 256);
    kernel = device.createKernel(program, "from_" + name);
    kernel.setArgument(0, bytes);
    kernel.setArgument(1, halves);
    device.enqueue(kernel, {256 / lanes, 1}).wait();
    std::vector<std::uint16_t> back(256);
    halves.read(back.data(), 512);
    for (unsigned i = 0; i < 256; ++i) {
      double want = flushed(f.decode(i)), value = half(back[i]);
      EXPECT_TRUE(value == want || (std::isnan(value) && std::isnan(want))) << f.ids << " code " << i << ": " << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, LowPrecision, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

const std::vector<Row> rows = {
    {"TYP-10",
     "bfloat16",
     "vector<bfloat16, 4> a = 1.0f + ramp.select<4, 1>(0) * 0.25f, b = 3; out = a * b + 1;",
     {4, 4.75, 5.5, 6.25}},
    {"TYP-10 CNV-05", "float", "vector<bfloat16, 2> a = 257.0f; a(1) = 1.00390625f; out = a;", {256, 1}},
    {"TYP-10", "float", "vector<bfloat16, 2> a = 3; vector<half, 2> b = 0.5f; out = a * b;", {1.5, 1.5}},
    {"TYP-10",
     "bfloat16",
     "vector<bfloat16, 4> a(1, -2, 3, -4); out = 0; out.merge(a, a < 0); out = cm_abs<bfloat16>(out) + "
     "cm_max<bfloat16>(a, 0);",
     {1, 2, 3, 4}},
    {"TYP-10", "int", "vector<bfloat16, 3> a(2.5f, -3.75f, 300.0f); out = a;", {2, -3, 300}},
    {"TYP-10", "float", "vector<bfloat16, 8> a = ramp.select<8, 1>(0); out = cm_sum<float>(a.select<4, 2>(1));", {16}},
    {"LPC-01 AMB-27",
     "ushort",
     "vector<float, 4> f(1.0f, 1.00390625f, 1.01171875f, -2.0f); out = cm_bf_cvt<half>(f).format<ushort>();",
     {0x3F80, 0x3F80, 0x3F82, 0xC000}},
    {"LPC-01", "float", "vector<ushort, 2> b(0x3F80, 0xC040); out = cm_bf_cvt<float>(b.format<half>());", {1, -3}},
    {"LPC-01",
     "float",
     "out = cm_bf_cvt<float>(cm_bf_cvt<bfloat16>(vector<float, 2>(0.1f)));",
     {0.10009765625, 0.10009765625}},
    {"LPC-02 TYP-11",
     "uint",
     "vector<float, 3> f; f.format<uint>() = vector<uint, 3>(0x3F801000u, 0x3F803000u, 0x3F800FFFu); out = "
     "cm_tf32_cvt<int>(f);",
     {0x3F800000u, 0x3F804000u, 0x3F800000u}},
    {"LPC-02", "float", "out = cm_tf32_cvt<float>(cm_tf32_cvt<int>(vector<float, 1>(1.5f)));", {1.5}},
    {"LPC-05",
     "half",
     "vector<float, 4> f = 1.0f + 0x1p-11f; vector<uint, 4> r(0, 0xFFF, 0x1000, 0x1FFF); out = cm_srnd<half>(f, r);",
     {1, 1, 1.0009765625, 1.0009765625}},
    {"LPC-05",
     "uchar",
     "vector<half, 3> h = 1.125f; vector<ushort, 3> r(0, 0x7F, 0x80); out = cm_srnd<uchar>(h, r);",
     {0x3C, 0x3C, 0x3D}},
    {"LPC-05",
     "uchar",
     "vector<float, 3> f = 1.125f; vector<uchar, 3> r(0, 0x7F, 0x80); out.select<3, 1>(0) = cm_srnd<uchar>(f, r); "
     "vector<bfloat16, 3> b = 1.125f; out.select<3, 1>(3) = cm_srnd<uchar>(b, r); vector<uint, 3> bits(0x100, 0x37F, "
     "0x80); out.select<3, 1>(6) = cm_srnd<uchar>(f, bits.format<float>());",
     {0x3C, 0x3C, 0x3D, 0x3C, 0x3C, 0x3D, 0x3C, 0x3C, 0x3D}},
    {"LPC-06",
     "uchar",
     "vector<half, 4> h = 1.125f; vector<uchar, 4> r(0, 127, 128, 255); out = cm_srnd_bf8(h, r);",
     {0x3C, 0x3C, 0x3D, 0x3D}},
    {"LPC-06",
     "uchar",
     "vector<bfloat16, 2> h = 1.125f; vector<uchar, 2> r(127, 128); out = cm_srnd_bf8(h, r);",
     {0x3C, 0x3D}},
    {"LPC-07",
     "char",
     "vector<float, 4> h = -1.0625f; vector<uchar, 4> r(0, 127, 128, 255); out = cm_srnd_hf8(h, r);",
     {-72, -72, -71, -71}},
    {"LPC-08 TYP-14",
     "uint",
     "vector<ushort, 16> t = ramp.select<16, 1>(0) * 256 + 1; vector<uchar, 64> s = 0; s(1) = 0x3A; s(61) = 0xF0; "
     "vector<uint, 16> r = cm_upconvert_4bit_lut<1>(t, s); out.select<2, 1>(0) = r.select<2, 1>(0); out(2) = r(15);",
     {0x03010A01u, 0x00010001u, 0x0F010001u}},
    {"LPC-08",
     "uint",
     "vector<uchar, 16> t = ramp.select<16, 1>(0) + 16; vector<ushort, 32> s = 0; s(2) = 0x4321; "
     "vector<uint, 16> r = cm_upconvert_4bit_lut<0>(t, s); out = r.select<2, 1>(0);",
     {0x10101010u, 0x14131211u}},
    {"LPC-09",
     "uint",
     "vector<half, 4> a(0.5f, 1.25f, -6.0f, 100.0f), b(2.5f, 5.0f, -0.2f, 0.26f); "
     "out = cm_downscale<DownscaleType::E2M1, DownscaleMode::Mode0>(a, b);",
     {0x00640021u, 0x0018007Fu}},
    {"LPC-09",
     "uint",
     "vector<half, 2> a(1, 2), b(-3, 9); out(0) = cm_downscale<DownscaleType::Int4, DownscaleMode::Mode1>(a, b)(0); "
     "out(1) = cm_downscale<DownscaleType::Int4, DownscaleMode::Mode2>(a, b)(0); out(2) = "
     "cm_downscale<DownscaleType::Int4, DownscaleMode::Mode3>(a, b)(0);",
     {0x007200D1u, 0x7D002100u, 0x7200D100u}},
    {"LPC-09",
     "uint",
     "vector<half, 2> a = 2.5f, b = 2.5f; out = cm_downscale<DownscaleType::Int4, DownscaleMode::Mode0>(a, b, "
     "0x80007FFFu);",
     {0x00320032u}},
    {"LPC-09",
     "uint",
     "vector<half, 2> a(1, 2), b(-3, 9); out(0) = cm_downscale<downscale::Int4, downscale::Mode1>(a, b)(0); "
     "out(1) = cm_downscale<downscale::Int4, downscale::Mode2, half, 2>(a, b)(0); vector<bfloat16, 2> c = a, d = b; "
     "out(2) = cm_downscale<downscale::Int4, downscale::Mode3>(c.format<short>(), d.format<short>())(0); "
     "out(3) = cm_downscale<downscale::Int4, downscale::Mode1, half, 2>(a, b, vector<uint, 1>(0u))(0);",
     {0x007200D1u, 0x7D002100u, 0x7200D100u, 0x007200D1u}},
    {"LPC-10",
     "int",
     "vector<ushort, 4> s(3, 4, 5, 6); vector<ushort, 2> p(1, 0x100); out.select<4, 1>(0) = cm_lfsr(s, p); "
     "out(4) = cm_lfsr<ushort, 4>(s, ushort(9))(2); out(5) = cm_lfsr(vector<uint, 8>(7), vector<uint, 1>(16))(7); "
     "matrix<float, 2, 2> m = 1.5f; out(6) = cm_tf32_cvt<int, float, 2, 2>(m)(0); "
     "out(7) = cm_tf32_cvt<int, float, 2>(m.row(0))(1);",
     {0, 2, 3, 3, 11, 19, 0x3FC00000, 0x3FC00000}},
    {"LPC-10",
     "half",
     "matrix<half, 32, 32> m = 0; for (int i = 0; i < 32; i++) m(i, 31 - i) = -i; vector<half, 32> r = "
     "cm_mxfp_reduce(m); out = r.select<8, 1>(0);",
     {0, 16, 8, 24, 4, 20, 12, 28}},
    {"LPC-10 of bits",
     "ushort",
     "matrix<half, 32, 32> m = 0; for (int i = 0; i < 32; i++) m(i, 31 - i) = -i; vector<short, 32> r = "
     "cm_mxfp_reduce(m.format<short, 32, 32>()); vector<ushort, 32> u = cm_mxfp_reduce(m.format<ushort, 32, 32>()); "
     "vector<half, 32> h = r.format<half>(); out.select<8, 1>(0) = h.select<8, 1>(0); out(8) = u(1);",
     {0, 16, 8, 24, 4, 20, 12, 28, 0x4C00}},
    {"LPC-11",
     "ushort",
     "vector<ushort, 32> v = ramp; v = cm_mxfp_linearize(v); vector<ushort, 32> w = cm_mxfp_linearize(v); "
     "out.select<4, 1>(0) = v.select<4, 1>(14); "
     "out.select<4, 1>(4) = w.select<4, 1>(0);",
     {14, 30, 1, 17, 0, 1, 2, 3}},
    {"LPC-12", "float", "out = cm_f16tof32(cm_f32tof16(vector<float, 2>(1.5f)));", {1.5, 1.5}},
};

TEST(LowPrecisionRows, conversions) { test::check(rows); }

// LPC-12: scalars of half and bfloat16 become each other as numbers do, wherever the conversion is written.
TEST(LowPrecisionRows, scalarsOfHalfAndBfloat16) {
  const char *functions = R"(
#define ASSIGNED(to, from) to = from
#define FROM_BODY(to) to = b
#define SWAPPED(x, y) { auto old = x; x = y; y = old; }
#define SAME(x) x
template <class To, class From> _GENX_ To returned(From x) { return x; }
template <class To, class From> _GENX_ To cast(From x) { return static_cast<To>(x) + (To)(x) + To(x); }
struct Pair { half h; bfloat16 b; _GENX_ Pair(bfloat16 x, half y) : h(x), b(y) {} };
)";
  test::check(
      {{"LPC-12 variables",
        "float",
        "bfloat16 b = 2.5f + zero; half h = b; bfloat16 c = h + 1; out(0) = h; out(1) = c; h = c; out(2) = h; c += h; "
        "out(3) = c; h = c = half(6); out(4) = h; half some[2] = {}; some[1] = b; out(5) = some[1]; out(6) = zero ? h "
        ": "
        "b; vector<half, 2> v = 1; v(1) = b; out(7) = v(1);",
        {2.5, 3.5, 3.5, 7, 6, 2.5, 2.5, 2.5}},
       {"LPC-12 rounded once",
        "float",
        "half h = 0.33325f + zero; bfloat16 b = h; out(0) = b; b = 1e30f; h = b; out(1) = h; h = -65504.0f; b = h; "
        "out(2) = b;",
        {0.333984375, INFINITY, -65536}},
       {"LPC-12 in macros",
        "float",
        "bfloat16 b = 2.5f + zero; half h = 4; ASSIGNED(h, b); out(0) = h; h = 4; FROM_BODY(h); out(1) = h; h = 4; "
        "SWAPPED(h, b); out(2) = h; out(3) = b; SAME(h = b + 1); out(4) = h; SAME(SAME(h) = SAME(b)); out(5) = h;",
        {2.5, 2.5, 2.5, 4, 5, 4}},
       {"LPC-12 in templates",
        "float",
        "bfloat16 b = 2.5f + zero; half h = 4; out(0) = returned<half>(b); out(1) = returned<bfloat16>(h); out(2) = "
        "returned<int>(3.7f + zero); out(3) = returned<float, int>(16777217 + zero); out(4) = cast<half>(b); out(5) = "
        "cast<bfloat16>(h); out(6) = cast<int>(7 + zero); Pair p(b, h); out(7) = p.h * p.b;",
        {2.5, 4, 3, 16777216, 7.5, 12, 21, 10}}},
      functions);
}

} // namespace
