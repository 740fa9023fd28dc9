// The precision that docs/numerics.md states: every elementary function on all 65,536 halves and on a dense sample of
// all floats, against double precision (MTH-01 to MTH-16, FPC-07).
#include "Kernels.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace {

struct Function {
  const char *name;
  double (*exact)(double);
  double ulpFloat, ulpHalf; ///< Stated in docs/numerics.md.
  double domain;            ///< |x| up to this.
};
const Function functions[] = {
    {"cm_inv", [](double x) { return 1 / x; }, 0.5, 0.5, INFINITY},
    {"cm_log", [](double x) { return std::log2(x); }, 3, 1, INFINITY},
    {"cm_exp", [](double x) { return std::exp2(x); }, 1, 1, INFINITY},
    {"cm_sqrt", [](double x) { return std::sqrt(x); }, 0.5, 0.5, INFINITY},
    {"cm_sqrt_ieee", [](double x) { return std::sqrt(x); }, 0.5, 0.5, INFINITY},
    {"cm_rsqrt", [](double x) { return 1 / std::sqrt(x); }, 4, 1.5, INFINITY},
    {"cm_sin", [](double x) { return std::sin(x); }, 3, 1, 1e5},
    {"cm_cos", [](double x) { return std::cos(x); }, 3, 1, 1e5},
    {"cm_asin", [](double x) { return std::asin(x); }, 3, 1, 1},
    {"cm_acos", [](double x) { return std::acos(x); }, 3, 1, 1},
    {"cm_atan", [](double x) { return std::atan(x); }, 3, 1, INFINITY},
    {"cm_tanh", [](double x) { return std::tanh(x); }, 2, 1, INFINITY},
    {"cm_sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, 64, 12, INFINITY},
};

constexpr unsigned lanes = 16, perRow = 256;

template <class T> struct Format;
template <> struct Format<float> {
  static constexpr const char *name = "float";
  static constexpr int mantissa = 23, lowest = -126;
};
template <> struct Format<_Float16> {
  static constexpr const char *name = "half";
  static constexpr int mantissa = 10, lowest = -14;
};

/// Distance of a result from the exact value in units of the last place of the exact one.
template <class T> double ulps(T got, double exact) {
  using F = Format<T>;
  if (std::isnan(exact))
    return std::isnan(double(got)) ? 0 : INFINITY;
  double least = std::ldexp(1.0, F::lowest);
  if (std::abs(exact) < least) // flushed, or a little above
    return std::abs(double(got)) <= least ? 0 : INFINITY;
  // At the end of the range the largest number and infinity count as the same.
  double most = double(std::bit_cast<T>(
      std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>(sizeof(T) == 4 ? 0x7F7FFFFF : 0x7BFF)));
  if (std::abs(exact) > 0.999 * most || std::isinf(double(got)))
    return std::abs(exact) > 0.999 * most && std::abs(double(got)) >= 0.999 * most &&
                   std::signbit(exact) == std::signbit(double(got))
               ? 0
               : INFINITY;
  double unit = std::ldexp(1.0, std::max(std::ilogb(exact), F::lowest) - F::mantissa);
  return std::abs(double(got) - exact) / unit;
}

template <class T> void measure(const std::string &cpu, const std::vector<T> &inputs) {
  std::string source = "#include <cm/cm.h>\n";
  for (const Function &f : functions)
    source += fmt::format("extern \"C\" _GENX_MAIN_ void k_{0}(SurfaceIndex in, SurfaceIndex out) {{\n"
                          "  int at = (get_thread_origin_y() * {2} + get_thread_origin_x()) * {3} * sizeof({1});\n"
                          "  vector<{1}, {3}> x;\n  read(in, at, x);\n  x = {0}(x);\n  write(out, at, x);\n}}\n",
                          f.name, Format<T>::name, perRow, lanes);
  pocm::Program program = test::compile(source);
  pocm::Device device = test::open(cpu, 2);
  pocm::Buffer in = device.createBuffer(inputs.size() * sizeof(T)),
               out = device.createBuffer(inputs.size() * sizeof(T));
  in.write(inputs.data(), inputs.size() * sizeof(T));
  for (const Function &f : functions) {
    pocm::Kernel kernel = device.createKernel(program, std::string("k_") + f.name);
    kernel.setArgument(0, in);
    kernel.setArgument(1, out);
    device.enqueue(kernel, {perRow, std::uint32_t(inputs.size() / lanes / perRow)}).wait();
    std::vector<T> results(inputs.size());
    out.read(results.data(), results.size() * sizeof(T));
    double worst = 0;
    T worstAt = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      double x = double(inputs[i]);
      if (x != 0 && std::abs(x) < std::ldexp(1.0, Format<T>::lowest))
        continue; // a denormal input counts as 0
      if (std::abs(x) > f.domain)
        continue;
      if (double d = ulps(results[i], f.exact(x)); d > worst) {
        worst = d;
        worstAt = inputs[i];
      }
    }
    double stated = sizeof(T) == 4 ? f.ulpFloat : f.ulpHalf;
    EXPECT_LE(worst, stated + 1e-6) << f.name << " of " << Format<T>::name << " " << double(worstAt) << " on " << cpu;
    testing::Test::RecordProperty(std::string(f.name) + "_" + Format<T>::name, fmt::format("{:.3f}", worst));
  }
}

/// cm_pow, cm_frem and cm_sincos against double precision: pairs from a dense sample, the exponent so that results
/// neither overflow nor vanish.
template <class T> void measureTwoOperands(const std::string &cpu) {
  constexpr unsigned count = 1u << 18;
  std::string source = fmt::format(R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(SurfaceIndex a, SurfaceIndex b, SurfaceIndex p, SurfaceIndex f, SurfaceIndex s, SurfaceIndex c) {{
  int at = (get_thread_origin_y() * {1} + get_thread_origin_x()) * {2} * sizeof({0});
  vector<{0}, {2}> x, y, cosine;
  read(a, at, x); read(b, at, y);
  write(p, at, cm_pow(x, y)); write(f, at, cm_frem(y, x)); write(s, at, cm_sincos(cosine, y)); write(c, at, cosine);
}})",
                                   Format<T>::name, perRow, lanes);
  pocm::Program program = test::compile(source);
  pocm::Device device = test::open(cpu, 2);
  std::vector<T> in[2], out[4];
  for (auto &v : in)
    v.resize(count);
  double range = sizeof(T) == 4 ? 100 : 10;
  for (unsigned i = 0; i < count; ++i) {
    double x = std::exp2((double(i * 2654435761u % count) / count - 0.5) * 2 * range);
    double y = (double(i * 40503u % 65521u) / 65521 - 0.5) * 2 * range / std::max(1.0, std::abs(std::log2(x)));
    in[0][i] = T(x);
    in[1][i] = T(y);
  }
  pocm::Kernel kernel = device.createKernel(program, "k");
  std::vector<pocm::Buffer> buffers;
  for (unsigned i = 0; i < 6; ++i) {
    buffers.push_back(device.createBuffer(count * sizeof(T)));
    kernel.setArgument(i, buffers[i]);
    if (i < 2)
      buffers[i].write(in[i].data(), count * sizeof(T));
  }
  device.enqueue(kernel, {perRow, count / lanes / perRow}).wait();
  struct {
    const char *name;
    double (*exact)(double x, double y);
    double stated;
  } of[] = {{"cm_pow", [](double x, double y) { return std::pow(x, y); },
             !test::hasPowersByLogarithms() ? 1.0
             : sizeof(T) == 4               ? 128
                                            : 16},
            {"cm_frem", [](double x, double y) { return std::fmod(y, x); }, 0},
            {"cm_sincos, sine", [](double, double y) { return std::sin(y); }, 3},
            {"cm_sincos, cosine", [](double, double y) { return std::cos(y); }, 3}};
  for (unsigned f = 0; f < 4; ++f) {
    out[f].resize(count);
    buffers[f + 2].read(out[f].data(), count * sizeof(T));
    double worst = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < count; ++i)
      if (double d = ulps(out[f][i], of[f].exact(double(in[0][i]), double(in[1][i]))); d > worst) {
        worst = d;
        at = i;
      }
    EXPECT_LE(worst, of[f].stated + 1e-6) << of[f].name << " of " << Format<T>::name << " " << double(in[0][at]) << ", "
                                          << double(in[1][at]) << " on " << cpu;
  }
}

// ARI-22: a product that is added to something is not rounded before, on CPUs that can; -ffp-contract=off rounds it.
TEST(Numerics, productsKeepTheirBitsInSums) {
  const char *source = R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(SurfaceIndex in, SurfaceIndex out) {
  vector<float, 16> a, b, c;
  read(in, 0, a); read(in, 64, b); read(in, 128, c);
  write(out, 0, a * b + c); write(out, 64, c - a * b); write(out, 128, a * b - c);
  vector<float, 16> p = b * c; // used otherwise too
  write(out, 192, p + a); write(out, 256, p);
  vector<double, 8> x = a.select<8, 1>(0), y = b.select<8, 1>(0), z = c.select<8, 1>(0);
  x /= 3; y /= 7;
  vector<double, 8> s = x * y + z;
  write(out, 320, s);
})";
  float in[3][16];
  for (unsigned i = 0; i < 48; ++i)
    in[i / 16][i % 16] = (float(i * 2654435761u % 1000003) / 1000003 - 0.5f) * (i < 32 ? 8 : 1);
  for (const std::string &cpu : test::cpus())
    for (bool contraction : {true, false}) {
      pocm::Device device = test::open(cpu);
      pocm::Kernel kernel =
          device.createKernel(test::compile(source, 2, std::vector<std::string>(!contraction, "contraction")), "k");
      pocm::Buffer from = device.createBuffer(sizeof(in)), to = device.createBuffer(384);
      from.write(in, sizeof(in));
      kernel.setArgument(0, from);
      kernel.setArgument(1, to);
      device.enqueue(kernel, {1, 1}).wait();
      float out[5][16];
      double wide[8];
      to.read(out, sizeof(out));
      to.read(wide, sizeof(wide), 320);
      bool once = contraction && cpu != "x86-64";
#if defined(__x86_64__)
      once = once && __builtin_cpu_supports("fma");
#endif
      unsigned differences = 0;
      for (unsigned i = 0; i < 16; ++i) {
        volatile float p = in[0][i] * in[1][i]; // rounded
        float a = in[0][i], b = in[1][i], c = in[2][i];
        EXPECT_EQ(out[0][i], once ? std::fma(a, b, c) : p + c) << cpu << contraction << i;
        EXPECT_EQ(out[1][i], once ? std::fma(-a, b, c) : c - p) << cpu << contraction << i;
        EXPECT_EQ(out[2][i], once ? std::fma(a, b, -c) : p - c) << cpu << contraction << i;
        volatile float other = b * c;
        EXPECT_EQ(out[3][i], other + a) << "used otherwise too, " << cpu << contraction << i;
        EXPECT_EQ(out[4][i], other) << cpu << contraction << i;
        differences += std::fma(a, b, c) != p + c;
        if (i < 8) {
          volatile double q = double(a) / 3 * (double(b) / 7);
          EXPECT_EQ(wide[i], once ? std::fma(double(a) / 3, double(b) / 7, double(c)) : q + double(c)) << cpu << i;
        }
      }
      EXPECT_GT(differences, 2u); // otherwise nothing has been shown
    }
}

TEST(Numerics, functionsOfTwoOperands) {
  for (const char *cpu : {"x86-64", "native"}) {
    measureTwoOperands<float>(cpu);
    measureTwoOperands<_Float16>(cpu);
  }
}

/// Powers of 0 and others in one register, and exponentials and logarithms that leave all numbers.
TEST(Numerics, endsOfPowers) {
  const char *source = R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(SurfaceIndex a, SurfaceIndex b, SurfaceIndex p, SurfaceIndex e, SurfaceIndex l) {
  vector<float, 32> x, y;
  read(a, 0, x); read(b, 0, y);
  write(p, 0, cm_pow(x, y)); write(e, 0, cm_exp(y)); write(l, 0, cm_log(x));
})";
  pocm::Program program = test::compile(source);
  float x[32], y[32];
  const float bases[] = {0, 2, 0.25f, 1, 0, 10, 0, 3},
              exponents[] = {0.45f,   130,  -140,      126.5f, 2,   -1000, INFINITY, 127.99f,
                             -126.5f, 1e9f, -INFINITY, 64,     -64, 300,   1,        0.5f};
  for (unsigned k = 0; k < 32; ++k) {
    x[k] = bases[k % 8];
    y[k] = exponents[k % 16];
  }
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu, 1);
    pocm::Kernel kernel = device.createKernel(program, "k");
    std::vector<pocm::Buffer> buffers;
    for (unsigned k = 0; k < 5; ++k) {
      buffers.push_back(device.createBuffer(sizeof x));
      kernel.setArgument(k, buffers[k]);
    }
    buffers[0].write(x, sizeof x);
    buffers[1].write(y, sizeof y);
    device.enqueue(kernel, {1, 1}).wait();
    float out[3][32];
    for (unsigned k = 0; k < 3; ++k)
      buffers[2 + k].read(out[k], sizeof x);
    for (unsigned k = 0; k < 32; ++k) {
      auto Expect = [&](float got, double exact, const char *what) {
        exact = std::abs(exact) < 0x1p-126 ? 0 : double(float(exact)); // denormals count as 0
        if (exact == 0 || std::isinf(exact))
          EXPECT_EQ(double(got), exact) << what << " of " << x[k] << " and " << y[k] << " on " << cpu;
        else
          EXPECT_NEAR(double(got) / exact, 1, 1e-5) << what << " of " << x[k] << " and " << y[k] << " on " << cpu;
      };
      Expect(out[0][k], std::pow(double(x[k]), double(y[k])), "the power");
      Expect(out[1][k], std::exp2(double(y[k])), "the exponential");
      Expect(out[2][k], std::log2(double(x[k])), "the logarithm");
    }
  }
}

TEST(Numerics, allHalves) {
  std::vector<_Float16> all(65536);
  for (unsigned i = 0; i < all.size(); ++i) {
    std::uint16_t bits = std::uint16_t(i);
    std::memcpy(&all[i], &bits, 2);
  }
  for (const std::string &cpu : test::leastAndMost())
    measure(cpu, all);
}

TEST(Numerics, aDenseSampleOfFloats) {
  std::vector<float> sample(1u << 19);
  for (std::uint32_t i = 0; i < sample.size(); ++i) {
    std::uint32_t bits = i * 8192u + i * 2654435761u % 8192u;
    std::memcpy(&sample[i], &bits, 4);
  }
  const float edges[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 0x1p-126f, -0x1p-126f, 0x1.fffffep127f, 1, -1};
  std::copy(std::begin(edges), std::end(edges), sample.begin());
  for (const std::string &cpu : test::cpus())
    measure(cpu, sample);
}

} // namespace
