// Totals of bytes and of their distances, every second element of bytes and words, neighbours that are added: what
// searches for motion and filters are made of, for objects of many sizes.
#include "Kernels.h"
#include "Scalar.h"
#include <cstdlib>
#include <fmt/format.h>

namespace {

/// The bytes of both operands, as a formula's model sees them.
struct Pixels {
  const std::uint8_t *a, *b;
  int n;
  int distance(int k) const { return std::abs(a[k] - b[k]); }
  int signedDistance(int k) const { return std::abs(std::int8_t(a[k]) - std::int8_t(b[k])); }
  template <class T> int total(T element, int step = 1, int first = 0) const {
    int sum = 0;
    for (int k = first; k < n; k += step)
      sum += element(k);
    return sum;
  }
};

/// Statements that set r, half as many ints as a and b have bytes; ca and cb are the same with signs. {0} is the number
/// of bytes, {1} half of it.
struct Formula {
  const char *text;
  int (*model)(const Pixels &p, int k);
};
const Formula formulas[] = {
    {"r = cm_sum<uint>(cm_sad2<ushort>(a, b));",
     [](const Pixels &p, int) { return p.total([&](int k) { return p.distance(k); }); }},
    {"r = cm_sum<ushort>(cm_sad2<ushort>(a, b)) + 3;",
     [](const Pixels &p, int) { return int(std::uint16_t(p.total([&](int k) { return p.distance(k); }))) + 3; }},
    {"r = cm_sum<uint>(cm_sad2<ushort>(ca, cb));",
     [](const Pixels &p, int) { return p.total([&](int k) { return p.signedDistance(k); }); }},
    {"vector<ushort, {0}> s = cm_sad2<ushort>(a, b); s = cm_sada2<ushort>(b, 77, s); s = cm_sada2<ushort>(a, 5, s);"
     " r = cm_sum<uint>(s);",
     [](const Pixels &p, int) {
       return p.total([&](int k) { return p.distance(k) + std::abs(p.b[k] - 77) + std::abs(p.a[k] - 5); });
     }},
    // Sums that wrap before they are widened.
    {"vector<ushort, {0}> s = 65200; s = cm_sada2<ushort>(a, b, s); r = cm_sum<uint>(s);",
     [](const Pixels &p, int) {
       return p.total([&](int k) { return int(std::uint16_t(65200 + p.distance(k) + p.distance(k + 1))); }, 2);
     }},
    {"vector<uchar, {1}> s = a.select<{1}, 2>(0) + a.select<{1}, 2>(1); r = cm_sum<uint>(s);",
     [](const Pixels &p, int) { return p.total([&](int k) { return int(std::uint8_t(p.a[k] + p.a[k + 1])); }, 2); }},
    {"vector<short, {0}> d = cm_abs<short>(a - b); r = cm_sum<int>(d) - 9;",
     [](const Pixels &p, int) { return p.total([&](int k) { return p.distance(k); }) - 9; }},
    {"r = cm_sum<uint>(a);", [](const Pixels &p, int) { return p.total([&](int k) { return int(p.a[k]); }); }},
    {"r = cm_sum<int>(ca);",
     [](const Pixels &p, int) { return p.total([&](int k) { return int(std::int8_t(p.a[k])); }); }},
    {"r = cm_sum<uint>(a) + cm_sum<uint>(b) * 2;",
     [](const Pixels &p, int) { return p.total([&](int k) { return p.a[k] + 2 * p.b[k]; }); }},
    {"vector<ushort, {0}> s = a; s += b; s += a; r = cm_sum<uint>(s);",
     [](const Pixels &p, int) { return p.total([&](int k) { return 2 * p.a[k] + p.b[k]; }); }},
    {"vector<ushort, {0}> s = a; s.select<{1}, 1>(0) = 7; s += b; r = cm_sum<uint>(s);",
     [](const Pixels &p, int) { return p.total([&](int k) { return (k < p.n / 2 ? 7 : p.a[k]) + p.b[k]; }); }},
    {"r = cm_sum<uint>(a.select<{1}, 2>(1));",
     [](const Pixels &p, int) { return p.total([&](int k) { return int(p.a[k]); }, 2, 1); }},
    {"vector<int, {0}> w = a; r = w.select<{1}, 2>(1) - w.select<{1}, 2>(0) * 3;",
     [](const Pixels &p, int k) { return p.a[2 * k + 1] - p.a[2 * k] * 3; }},
    {"vector<short, {0}> w = ca; r = w.select<{1}, 2>(0) - w.select<{1}, 2>(1);",
     [](const Pixels &p, int k) { return std::int8_t(p.a[2 * k]) - std::int8_t(p.a[2 * k + 1]); }},
    {"vector<ushort, {1}> s = (a.select<{1}, 2>(0) + a.select<{1}, 2>(1) + b.select<{1}, 2>(0) + b.select<{1}, 2>(1) + "
     "2) >> 2;"
     " r = s;",
     [](const Pixels &p, int k) { return (p.a[2 * k] + p.a[2 * k + 1] + p.b[2 * k] + p.b[2 * k + 1] + 2) >> 2; }},
    {"vector<ushort, {0}> s = cm_sad2<ushort>(a, b); r = s.select<{1}, 2>(0); r += s.select<{1}, 2>(1);",
     [](const Pixels &p, int k) { return p.distance(2 * k) + p.distance(2 * k + 1); }},
    {"vector<short, {0}> w = a * 129; w -= b * 64; vector<int, {0}> l = w; r = l.select<{1}, 2>(0) * 5;"
     " r -= l.select<{1}, 2>(1);",
     [](const Pixels &p, int k) {
       auto word = [&](int n) { return int(std::int16_t(p.a[n] * 129 - p.b[n] * 64)); };
       return word(2 * k) * 5 - word(2 * k + 1);
     }},
    {"vector<ushort, {0}> w = a * 257; vector<uint, {0}> l = w; r = l.select<{1}, 2>(1) + (l.select<{1}, 2>(0) >> 1);",
     [](const Pixels &p, int k) { return p.a[2 * k + 1] * 257 + (p.a[2 * k] * 257 >> 1); }},
    {"vector<int, {0}> w = a; r = 0; r.select<{1} - 4, 1>(0) = w.select<{1} - 4, 2>(7);",
     [](const Pixels &p, int k) { return k < p.n / 2 - 4 ? int(p.a[2 * k + 7]) : 0; }},
};

class ByteDistances : public testing::TestWithParam<std::string> {};

TEST_P(ByteDistances, ofAllSizes) {
  pocm::Device device = test::open(GetParam());
  std::mt19937_64 random(11);
  for (int n : {16, 48, 128}) {
    std::string text = "#include <cm/cm.h>\n";
    for (const Formula &formula : formulas)
      text += fmt::format(R"(extern "C" _GENX_MAIN_ void kernel{0}(SurfaceIndex in, SurfaceIndex out) {{
  vector<uchar, {1}> a, b;
  for (int k = 0; k < {1}; k += 16) {{
    read(in, k, a.select<16, 1>(k));
    read(in, {1} + k, b.select<16, 1>(k));
  }}
  vector<char, {1}> ca = a, cb = b;
  vector<int, {2}> r;
  {3}
  for (int k = 0; k < {2}; k += 8)
    write(out, k * 4, r.select<8, 1>(k));
}}
)",
                          &formula - formulas, n, n / 2, fmt::format(fmt::runtime(formula.text), n, n / 2));
    pocm::Program program = test::compile(text);
    const auto bytes = std::size_t(n);
    std::vector<std::uint8_t> data(2 * bytes);
    for (std::size_t k = 0; k < data.size(); ++k)
      data[k] = k % 16 < 3 ? std::uint8_t(k % 3 * 127 + k / bytes) : std::uint8_t(random());
    std::vector<std::int32_t> got(bytes / 2);
    for (const Formula &formula : formulas) {
      pocm::Buffer in = device.createBuffer(data.size()), out = device.createBuffer(got.size() * 4);
      in.write(data.data(), data.size());
      pocm::Kernel kernel = device.createKernel(program, fmt::format("kernel{}", &formula - formulas));
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      device.enqueue(kernel, {1, 1}).wait();
      out.read(got.data(), got.size() * 4);
      const Pixels pixels{data.data(), data.data() + bytes, n};
      for (int k = 0; k < n / 2; ++k)
        ASSERT_EQ(got[std::size_t(k)], formula.model(pixels, k)) << formula.text << ", element " << k << " of " << n;
    }
  }
}

// 16x16 pixels at displacements that threads choose, as searches for motion have them.
TEST_P(ByteDistances, ofBlocks) {
  pocm::Device device = test::open(GetParam());
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void search(SurfaceIndex now, SurfaceIndex before, SurfaceIndex out) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  matrix<uchar, 16, 16> a, b;
  matrix<uchar, 4, 24> c, d;
  read(now, 8, 8, a);
  read(before, x, y, b);
  read(now, 4, 4, c);
  read(before, x + 1, y + 2, d);
  vector<ushort, 16> s = cm_sad2<ushort>(a.row(0), b.row(0));
#pragma unroll
  for (int r = 1; r < 16; ++r)
    s = cm_sada2<ushort>(a.row(r), b.row(r), s);
  vector<ushort, 16> t = 0;
  for (int r = 0; r < 4; ++r)
    t = cm_sada2<ushort>(c.select<1, 1, 16, 1>(r, 2), d.select<1, 1, 16, 1>(r, 5), t);
  vector<uint, 4> sums = 0;
  sums(0) = cm_sum<uint>(s);
  sums(1) = cm_sum<uint>(cm_sad2<ushort>(a, b));
  sums(2) = cm_sum<uint>(t);
  sums(3) = cm_sum<uint>(cm_sad2<ushort>(c, d));
  write(out, (y * 16 + x) * 16, sums);
})");
  constexpr unsigned side = 40, places = 16;
  std::mt19937_64 random(5);
  std::vector<std::uint8_t> now(side * side), before(side * side);
  for (std::size_t k = 0; k < now.size(); ++k)
    now[k] = std::uint8_t(random()), before[k] = std::uint8_t(random() % 7 ? random() : 255);
  pocm::Image first = device.createImage(side, side, 1), second = device.createImage(side, side, 1);
  first.write(now.data(), side);
  second.write(before.data(), side);
  pocm::Buffer out = device.createBuffer(places * places * 16);
  pocm::Kernel kernel = device.createKernel(program, "search");
  kernel.setArgument(0, first);
  kernel.setArgument(1, second);
  kernel.setArgument(2, out);
  device.enqueue(kernel, {places, places}).wait();
  std::vector<std::uint32_t> got(places * places * 4);
  out.read(got.data(), got.size() * 4);
  auto distances = [&](unsigned x, unsigned y, unsigned fromX, unsigned fromY, unsigned width, unsigned height) {
    std::uint32_t sum = 0;
    for (unsigned r = 0; r < height; ++r)
      for (unsigned c = 0; c < width; ++c)
        sum += std::uint32_t(std::abs(now[(fromY + r) * side + fromX + c] - before[(y + r) * side + x + c]));
    return sum;
  };
  for (unsigned y = 0; y < places; ++y)
    for (unsigned x = 0; x < places; ++x) {
      const std::uint32_t *sums = &got[(y * places + x) * 4];
      EXPECT_EQ(sums[0], distances(x, y, 8, 8, 16, 16)) << x << ", " << y;
      EXPECT_EQ(sums[1], sums[0]) << x << ", " << y;
      EXPECT_EQ(sums[2], distances(x + 6, y + 2, 6, 4, 16, 4)) << x << ", " << y;
      EXPECT_EQ(sums[3], distances(x + 1, y + 2, 4, 4, 24, 4)) << x << ", " << y;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpus, ByteDistances, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
