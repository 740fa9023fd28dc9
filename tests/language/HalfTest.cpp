// What docs/numerics.md says of half and of denormal numbers, of saturation to floats, and of quotients and roots that
// are correctly rounded: bit for bit, on every CPU and on simulated GPUs (CNV-17 CNV-21 FPC-03 MTH-05 MTH-13).
#include "Kernels.h"
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace {

using Half = _Float16;
using Bits = std::vector<std::uint32_t>;
constexpr unsigned lanes = 16;

float floatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bitsOf(float x) { return std::bit_cast<std::uint32_t>(x); }
Half halfOf(std::uint32_t bits) { return std::bit_cast<Half>(std::uint16_t(bits)); }
std::uint32_t bitsOf(Half x) { return std::bit_cast<std::uint16_t>(x); }

Half flushed(Half x, bool keep) { return keep || (bitsOf(x) & 0x7C00) ? x : halfOf(bitsOf(x) & 0x8000); }
float flushed(float x, bool keep) { return keep || (bitsOf(x) & 0x7F800000) ? x : floatOf(bitsOf(x) & 0x80000000); }

/// What a kernel of `source` leaves of two inputs of dwords, a group of `results` vectors of 16 dwords a thread.
Bits run(const pocm::Program &program, const char *kernel, const std::string &cpu, const Bits &a, const Bits &b,
         unsigned results) {
  pocm::Device device = test::open(cpu);
  pocm::Buffer in = device.createBuffer(a.size() * 4), more = device.createBuffer(b.size() * 4),
               out = device.createBuffer(a.size() * 4 * results);
  in.write(a.data(), a.size() * 4);
  more.write(b.data(), b.size() * 4);
  pocm::Kernel k = device.createKernel(program, kernel);
  k.setArgument(0, in);
  k.setArgument(1, more);
  k.setArgument(2, out);
  device.enqueue(k, {std::uint32_t(a.size() / lanes), 1}).wait();
  Bits all(a.size() * results);
  out.read(all.data(), all.size() * 4);
  return all;
}

/// A kernel of that name, with float control; `body` has vectors of dwords a and b and gives out(result, dwords).
std::string kernelOf(const char *name, const char *control, const char *body) {
  return fmt::format(
      "extern \"C\" _GENX_MAIN_ {} void {}(SurfaceIndex in, SurfaceIndex more, SurfaceIndex to) {{\n"
      "  vector<uint, 16> a, b; int t = get_thread_origin_x();\n"
      "  read(in, t * 64, a); read(more, t * 64, b);\n"
      "  auto out = [&](int k, vector<uint, 16> r) {{ write(to, (t * RESULTS + k) * 64, r); }};\n"
      "  auto halves = [](vector<half, 16> h) {{ vector<uint, 16> r = h.format<ushort>(); return r; }};\n"
      "  auto half_of = [](vector<uint, 16> v) {{ vector<ushort, 16> s = v; vector<half, 16> h = s.format<half>(); "
      "return h; }};\n"
      "  {}\n}}\n",
      control, name, body);
}

/// Every 7th half, and all that are denormal or nearly; with another one each.
void halves(Bits &a, Bits &b) {
  std::mt19937 random(3);
  for (unsigned k = 0; k < 0x10000; k += 7) {
    a.push_back(k);
    b.push_back(random() % 3 ? random() & 0x87FF : random() & 0xFFFF);
  }
  for (unsigned k = 0; k < 0x800; ++k) {
    a.push_back(k | (random() & 0x8000));
    b.push_back(random() % 2 ? random() & 0x83FF : 0x3800 + (random() & 0x7FF));
  }
  a.resize(a.size() / lanes * lanes);
  b.resize(a.size());
}

bool same(std::uint32_t got, std::uint32_t right, bool isHalf) {
  bool nan = isHalf ? (right & 0x7FFF) > 0x7C00 && (got & 0x7FFF) > 0x7C00
                    : (right & 0x7FFFFFFF) > 0x7F800000 && (got & 0x7FFFFFFF) > 0x7F800000;
  return got == right || nan;
}

TEST(HalfNumerics, denormals) {
  const char *body =
      "vector<half, 16> x = half_of(a), y = half_of(b);\n"
      "out(0, halves(x + y)); out(1, halves(x * y)); vector<float, 16> f = x; out(2, f.format<uint>());\n"
      "vector<float, 16> g = f * 0.375f; vector<half, 16> h = g; out(3, halves(h));\n"
      "vector<uint, 16> m = x > y; out(4, m); out(5, halves(x));\n"
      "vector<uint, 16> e = b << 9; vector<float, 16> small = e.format<float>() * 0.5f;\n"
      "out(6, small.format<uint>()); out(7, halves(cm_max<half>(x, y)));\n"
      "vector<half, 16> s = x; for (int k = 0; k < 3; ++k) s = s * 0.5f; out(8, halves(s));";
  constexpr unsigned results = 9;
  struct {
    const char *name, *control;
    bool half, single;
  } kernels[] = {{"plain", "", false, false},
                 {"ftz", "_GENX_FLOAT_CONTROL_(CM_DENORM_FTZ)", false, false},
                 {"halves_kept", "_GENX_FLOAT_CONTROL_(CM_DENORM_HF_ALLOW)", true, false},
                 {"floats_kept", "_GENX_FLOAT_CONTROL_(CM_DENORM_F_ALLOW)", false, true},
                 {"doubles_kept", "_GENX_FLOAT_CONTROL_(CM_DENORM_D_ALLOW)", false, false},
                 {"all_kept", "_GENX_FLOAT_CONTROL_(CM_DENORM_ALLOW)", true, true}};
  std::string source = fmt::format("#include <cm/cm.h>\n#define RESULTS {}\n", results);
  for (auto &k : kernels)
    source += kernelOf(k.name, k.control, body);
  Bits a, b;
  halves(a, b);
  for (unsigned optimization : {0u, 2u}) {
    pocm::Program program = test::compile(source, optimization);
    for (const std::string &cpu : test::cpus())
      for (auto &k : kernels) {
        Bits all = run(program, k.name, cpu, a, b, results);
        unsigned wrong = 0;
        for (std::size_t i = 0; i < a.size() && wrong < 5; ++i) {
          Half x = flushed(halfOf(a[i]), k.half), y = flushed(halfOf(b[i]), k.half);
          auto H = [&](double v) { return bitsOf(flushed(Half(v), k.half)); };
          Half s = x;
          for (int n = 0; n < 3; ++n)
            s = flushed(Half(float(s) * 0.5f), k.half);
          Half most = x > y || y != y ? x : x != x ? y : y;
          std::uint32_t right[] = {H(double(x) + double(y)),
                                   H(double(x) * double(y)),
                                   bitsOf(float(x)),
                                   bitsOf(flushed(Half(float(x) * 0.375f), k.half)),
                                   x > y,
                                   a[i],
                                   bitsOf(flushed(flushed(floatOf(b[i] << 9), k.single) * 0.5f, k.single)),
                                   bitsOf(most),
                                   bitsOf(s)};
          for (unsigned r = 0; r < results; ++r) {
            std::uint32_t got = all[(i / lanes * results + r) * lanes + i % lanes];
            bool zeros = r == 7 && !((got | right[r]) & 0x7FFF); // of 0 and -0 either
            if (!same(got, right[r], r != 2 && r != 6) && !zeros && ++wrong < 5)
              ADD_FAILURE() << fmt::format("{} on {}, -O{}: result {} of {:x} and {:x} is {:x}, not {:x}", k.name, cpu,
                                           optimization, r, a[i], b[i], got, right[r]);
          }
        }
      }
  }
}

// Sums, products and conversions that are never denormal, and some that just may be.
TEST(HalfNumerics, neverDenormal) {
  const char *body =
      "vector<half, 16> x = half_of(a), y = half_of(b); vector<char, 16> n = a * 7 + b; vector<half, 16> w = n;\n"
      "vector<half, 16> eighth = half(0.125f), less = half(0.0625f), tenth = half(0.0001f);\n"
      "out(0, halves(x * w)); out(1, halves(x + eighth)); out(2, halves(x - less));\n"
      "vector<half, 16> xx = x * x; out(3, halves(xx + cm_abs<half>(y))); out(4, halves(w * tenth - y * tenth));\n"
      "vector<half, 16> s = half(0); for (int k = 0; k < 4; ++k) s = s + xx; out(5, halves(s));\n"
      "vector<float, 16> f = n; vector<half, 16> g = f * 0x1p-14f, h = f * 0x1p-15f; out(6, halves(g)); "
      "out(7, halves(h)); out(8, halves((x - eighth) * w - eighth)); out(9, halves((w - x) * tenth));";
  constexpr unsigned results = 10;
  const std::string source = "#include <cm/cm.h>\n#define RESULTS " + std::to_string(results) + "\n" +
                             kernelOf("zeros", "", body) +
                             kernelOf("kept", "_GENX_FLOAT_CONTROL_(CM_DENORM_HF_ALLOW)", body);
  Bits a, b;
  halves(a, b);
  for (std::size_t i = 0; i < a.size(); i += 5) // near what is added
    a[i] = (i & 1 ? 0xB000 : 0x2C00) + std::uint32_t(i * 37 % 0x40) - 0x20;
  for (unsigned optimization : {0u, 2u}) {
    pocm::Program program = test::compile(source, optimization);
    for (const std::string &cpu : test::cpus())
      for (const char *name : {"zeros", "kept"}) {
        const bool keep = std::string_view(name) == "kept";
        Bits all = run(program, name, cpu, a, b, results);
        for (std::size_t i = 0; i < a.size(); ++i) {
          auto H = [&](double v) { return flushed(Half(v), keep); };
          const Half x = flushed(halfOf(a[i]), keep), y = flushed(halfOf(b[i]), keep), tenth = Half(0.0001f),
                     w = Half(std::int8_t(a[i] * 7 + b[i])), xx = H(double(x) * x);
          Half sum = 0;
          for (int k = 0; k < 4; ++k)
            sum = H(double(sum) + xx);
          const Half right[] = {H(double(x) * w),
                                H(x + 0.125),
                                H(x - 0.0625),
                                H(double(xx) + std::abs(double(y))),
                                H(double(H(double(w) * tenth)) - H(double(y) * tenth)),
                                sum,
                                H(w * 0x1p-14),
                                H(w * 0x1p-15),
                                H(double(H(double(H(x - 0.125)) * w)) - 0.125),
                                H(double(H(double(w) - x)) * tenth)};
          for (unsigned r = 0; r < results; ++r) {
            const std::uint32_t got = all[(i / lanes * results + r) * lanes + i % lanes];
            ASSERT_TRUE(same(got, bitsOf(right[r]), true))
                << fmt::format("{} on {}, -O{}: result {} of {:x} and {:x} is {:x}, not {:x}", name, cpu, optimization,
                               r, a[i], b[i], got, bitsOf(right[r]));
          }
        }
      }
  }
}

// An integer that half cannot hold is infinite, whatever it is converted to behind that.
TEST(HalfNumerics, overflow) {
  const char *body =
      "vector<uint, 16> u = a & 0xff000000u; vector<int, 16> n = (vector<int, 16>)u; vector<half, 16> h = u, i = n;\n"
      "vector<float, 16> f = h, g = i; out(0, f.format<uint>()); out(1, g.format<uint>());\n"
      "vector<float, 16> by = u; vector<half, 16> j = by; vector<float, 16> back = j; out(2, back.format<uint>());\n"
      "vector<uint, 16> w = h; out(3, w); vector<int, 16> v = i; out(4, v.format<uint>());\n"
      "vector<long long, 16> l = h; vector<uint, 16> low = l >> 20; out(5, low);\n"
      "vector<uint, 16> p = b & 0x1ff00; vector<half, 16> q = p; vector<float, 16> r = q; out(6, r.format<uint>());\n"
      "vector<unsigned long long, 16> x = q; vector<uint, 16> y = x >> 3; out(7, y);\n"
      "for (int k = 0; k < 2; ++k) { float one = (uint)(a(k) & 0xfff00000u); half o = one; b.format<float>()(k) = o; } "
      "out(8, b);";
  constexpr unsigned results = 9;
  std::string source = fmt::format("#include <cm/cm.h>\n#define RESULTS {}\n", results) + kernelOf("k", "", body);
  std::mt19937 random(5);
  Bits a(512), b(512);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = i % 5 ? std::uint32_t(random()) : std::uint32_t(random()) & 0xFFFFF;
    b[i] = std::uint32_t(random());
  }
  auto toInteger = [](double x, double least, double most) { return x <= least ? least : x >= most ? most : x; };
  for (unsigned optimization : {0u, 1u, 2u, 3u}) {
    pocm::Program program = test::compile(source, optimization);
    for (const std::string &cpu : test::cpus()) {
      Bits all = run(program, "k", cpu, a, b, results);
      for (std::size_t i = 0; i < a.size(); ++i) {
        std::uint32_t u = a[i] & 0xFF000000, p = b[i] & 0x1FF00;
        Half h = Half(double(u)), n = Half(double(std::int32_t(u))), q = Half(double(p));
        constexpr std::uint64_t most64 = ~std::uint64_t(0);
        std::uint64_t l = std::isinf(float(h)) ? std::uint64_t(INT64_MAX) : std::uint64_t(float(h));
        std::uint64_t x = std::isinf(float(q)) ? most64 : std::uint64_t(float(q));
        std::uint32_t last = b[i];
        if (i % lanes < 2)
          last = bitsOf(float(Half(float(a[i] & 0xFFF00000))));
        std::uint32_t right[] = {bitsOf(float(h)),
                                 bitsOf(float(n)),
                                 bitsOf(float(h)),
                                 std::uint32_t(toInteger(double(h), 0, 4294967295.0)),
                                 std::uint32_t(std::int32_t(toInteger(double(n), INT32_MIN, INT32_MAX))),
                                 std::uint32_t(l >> 20),
                                 bitsOf(float(q)),
                                 std::uint32_t(x >> 3),
                                 last};
        for (unsigned r = 0; r < results; ++r)
          ASSERT_EQ(all[(i / lanes * results + r) * lanes + i % lanes], right[r])
              << fmt::format("result {} of {:x} and {:x} on {}, -O{}", r, a[i], b[i], cpu, optimization);
      }
    }
  }
}

// NaN, -0 and what is negative gives +0.
TEST(HalfNumerics, saturation) {
  const char *body =
      "vector<half, 16> x = half_of(a), y(x, SAT); out(0, halves(y)); vector<float, 16> f = b.format<float>(), g(f, "
      "SAT);\n"
      "out(1, g.format<uint>()); vector<half, 16> h(f, SAT); out(2, halves(h)); vector<float, 16> i(x, SAT);\n"
      "out(3, i.format<uint>()); vector<float, 16> p = cm_mul<float>(f, 2.0f, SAT); out(4, p.format<uint>());\n"
      "vector<half, 16> q = cm_add<half>(x, x, SAT); out(5, halves(q)); vector<bfloat16, 16> v(f, SAT);\n"
      "vector<float, 16> w = v; out(6, w.format<uint>()); vector<float, 16> z(-0.0f, SAT); out(7, z.format<uint>());";
  constexpr unsigned results = 8;
  std::string source = fmt::format("#include <cm/cm.h>\n#define RESULTS {}\n", results) + kernelOf("k", "", body);
  pocm::Program program = test::compile(source);
  Bits a, b;
  halves(a, b);
  std::mt19937 random(11);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = i % 4 ? (std::uint32_t(random()) & 0x83FFFFFF) + 0x3C000000 : std::uint32_t(random());
  b[1] = 0x80000000, b[2] = 0x7FC00000, b[3] = 0xFF800000, b[5] = 0x7F800000, b[6] = 0xFFC00001;
  auto clamp = [](double x) { return x > 0 ? std::min(x, 1.0) : 0.0; };
  for (const std::string &cpu : test::cpus()) {
    Bits all = run(program, "k", cpu, a, b, results);
    for (std::size_t i = 0; i < a.size(); ++i) {
      Half x = flushed(halfOf(a[i]), false);
      float f = flushed(floatOf(b[i]), false);
      auto H = [&](double v) { return bitsOf(flushed(Half(v), false)); };
      std::uint32_t whole = bitsOf(float(clamp(f)));
      std::uint32_t right[] = {H(clamp(double(x))),
                               whole,
                               H(clamp(f)),
                               bitsOf(float(clamp(double(x)))),
                               bitsOf(float(clamp(double(f) * 2))),
                               H(clamp(double(x) * 2)),
                               (whole + 0x7FFF + (whole >> 16 & 1)) & 0xFFFF0000,
                               0};
      for (unsigned r = 0; r < results; ++r)
        ASSERT_EQ(all[(i / lanes * results + r) * lanes + i % lanes], right[r])
            << fmt::format("result {} of {:x} and {:x} on {}", r, a[i], b[i], cpu);
    }
  }
}

// Multiply-adds of half round once, as no header asks for.
TEST(HalfNumerics, multiplyAdd) {
  const char *body = "vector<half, 16> x = half_of(a & 0xffff), y = half_of(a >> 16), z = half_of(b & 0xffff);\n"
                     "cm::detail::raw<half, 16> f = __builtin_elementwise_fma(x.value(), y.value(), z.value());\n"
                     "out(0, halves(cm::detail::make<vector<half, 16>, half, 16>(f)));";
  std::string source = "#include <cm/cm.h>\n#define RESULTS 1\n" + kernelOf("k", "", body) +
                       kernelOf("kept", "_GENX_FLOAT_CONTROL_(CM_DENORM_HF_ALLOW)", body) +
                       kernelOf("up", "_GENX_FLOAT_CONTROL_(CM_RTP | CM_DENORM_HF_ALLOW)", body);
  pocm::Program program = test::compile(source);
  std::mt19937 random(23);
  Bits a(1 << 15), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::uint32_t(random());
    b[i] = std::uint32_t(random()) & 0xFFFF;
    if (i % 4 == 0)
      continue;
    // What is added is half a unit away from the product, or so little that it only decides a tie.
    a[i] = (a[i] & 0x8FFF8FFF) | 0x30003000;
    Half product = Half(double(halfOf(a[i] & 0xFFFF)) * double(halfOf(a[i] >> 16)));
    b[i] = i % 4 == 1 ? bitsOf(product) ^ (random() & 0x8003)
                      : bitsOf(Half(std::ldexp(double(product), -int(random() % 16))));
  }
  for (const std::string &cpu : test::cpus())
    for (const char *name : {"k", "kept", "up"}) {
      Bits all = run(program, name, cpu, a, b, 1);
      bool keep = std::string_view(name) != "k";
      for (std::size_t i = 0; i < a.size(); ++i) {
        Half x = flushed(halfOf(a[i] & 0xFFFF), keep), y = flushed(halfOf(a[i] >> 16), keep),
             z = flushed(halfOf(b[i]), keep);
        double exact = std::fma(double(x), double(y), double(z)); // to far more than twice the digits
        Half right = Half(exact);
        if (std::string_view(name) == "up" && double(right) < exact)
          right = halfOf(right < 0 ? bitsOf(right) - 1 : bitsOf(right) + 1);
        if (std::string_view(name) == "up" && (exact == 0 || std::isinf(float(right))))
          continue; // the sign of 0, and what is beyond the largest, are other things
        ASSERT_TRUE(same(all[i], bitsOf(flushed(right, keep)), true))
            << fmt::format("{} of {:x} and {:x} on {}: {:x}, not {:x}", name, a[i], b[i], cpu, all[i], bitsOf(right));
      }
    }
}

// Correctly rounded, of floats and halves that are not denormal.
TEST(HalfNumerics, exactQuotientsAndRoots) {
  const char *body =
      "vector<float, 16> x = a.format<float>(), y = b.format<float>(); vector<float, 16> q = cm_div_ieee(x, y);\n"
      "out(0, q.format<uint>()); vector<half, 16> h = half_of(a & 0xffff), i = half_of(b & 0xffff);\n"
      "out(1, halves(cm_div_ieee(h, i))); ROOTS";
  constexpr unsigned results = 4;
  const char *device = std::getenv("POCM_TEST_DEVICE");
  bool roots = !device || std::string_view(device).find("tgllp") == std::string_view::npos; // refused there
  std::string source =
      fmt::format(
          "#include <cm/cm.h>\n#define RESULTS {}\n#define ROOTS {}\n", results,
          roots ? "vector<float, 16> r = cm_sqrt_ieee(x); out(2, r.format<uint>()); out(3, halves(cm_sqrt_ieee(h)));"
                : "") +
      kernelOf("k", "", body);
  pocm::Program program = test::compile(source);
  std::mt19937 random(17);
  Bits a, b;
  const std::uint32_t ends[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000, 0x3FFFFFFF,
                                0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800001, 0xBFFFFFFF, 0x7E800000};
  for (std::uint32_t x : ends)
    for (std::uint32_t y : ends)
      a.push_back(x), b.push_back(y);
  while (a.size() < 16384) {
    auto x = std::uint32_t(random()), y = std::uint32_t(random());
    if (a.size() % 3 == 0) // of like exponents, the results of which are all numbers
      x = (x & 0x80FFFFFF) + 0x3F000000, y = (y & 0x80FFFFFF) + 0x3F000000;
    if (a.size() % 16 == 0)
      y |= 0x7FFFF0;
    a.push_back(x), b.push_back(y);
  }
  for (const std::string &cpu : test::cpus()) {
    Bits all = run(program, "k", cpu, a, b, results);
    for (std::size_t i = 0; i < a.size(); ++i) {
      float x = flushed(floatOf(a[i]), false), y = flushed(floatOf(b[i]), false);
      Half h = flushed(halfOf(a[i]), false), g = flushed(halfOf(b[i]), false);
      auto H = [&](double v) { return bitsOf(flushed(Half(v), false)); };
      std::uint32_t right[] = {bitsOf(flushed(x / y, false)), H(double(h) / double(g)), bitsOf(std::sqrt(x)),
                               H(std::sqrt(double(h)))};
      bool least = std::abs(x / y) == 0x1p-126f; // rounded to it from below: flushed before or behind that
      for (unsigned r = 0; r < (roots ? results : 2); ++r)
        ASSERT_TRUE(same(all[(i / lanes * results + r) * lanes + i % lanes], right[r], r & 1) || (least && r == 0))
            << fmt::format("result {} of {:x} and {:x} on {}: {:x}, not {:x}", r, a[i], b[i], cpu,
                           all[(i / lanes * results + r) * lanes + i % lanes], right[r]);
    }
  }
}

} // namespace
