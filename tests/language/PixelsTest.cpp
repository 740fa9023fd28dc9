// Surfaces with formats, planes and fields (language reference, chapters 10.1, 10.2, 10.6, 10.7, 13.5, 19): media
// blocks of parts, typed access, texel loads and samplers against plain models.
#include "Kernels.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace {

using Bytes = std::vector<std::uint8_t>;
using Floats = std::vector<float>;

Bytes pattern(std::size_t n) {
  Bytes b(n);
  for (std::size_t i = 0; i < n; ++i)
    b[i] = std::uint8_t(i * 37 + i / 7 + 11);
  return b;
}

class Pixels : public testing::TestWithParam<std::string> {
protected:
  pocm::Device device = test::open(GetParam());

  pocm::Image image(std::uint32_t width, std::uint32_t height, const char *format, const Bytes &bytes) {
    pocm::Image i = device.createImage(width, height, std::string_view(format));
    i.write(bytes.data(), std::size_t(width) * i.bytesPerPixel());
    return i;
  }
  static Bytes contents(const pocm::Image &i, std::uint32_t rows) {
    Bytes b(std::size_t(i.width()) * i.bytesPerPixel() * rows);
    i.read(b.data(), std::size_t(i.width()) * i.bytesPerPixel());
    return b;
  }
  template <class T> std::vector<T> numbers(const pocm::Buffer &b) {
    std::vector<T> v(b.bytes() / sizeof(T));
    b.read(v.data(), b.bytes());
    return v;
  }
  /// Runs one thread with (image, buffer) and returns the buffer.
  template <class T>
  std::vector<T> run(const pocm::Program &p, const char *name, const pocm::Image &in, std::size_t count) {
    pocm::Kernel k = device.createKernel(p, name);
    pocm::Buffer out = device.createBuffer(count * sizeof(T));
    k.setArgument(0, in);
    k.setArgument(1, out);
    device.enqueue(k, {1, 1}).wait();
    return numbers<T>(out);
  }
};

// MED-01 MED-02 MED-03: larger blocks are joined from several, and rows of those begin anywhere.
TEST_P(Pixels, rowsOfJoinedBlocks) {
  constexpr int width = 72, height = 19, columns = 3, rows = 3; // threads beyond the edges, too
  Bytes bytes = pattern(std::size_t(width) * height);
  pocm::Image in = device.createImage(width / 4, height, 4), out = device.createImage(32 * columns / 4, 8 * rows, 4);
  in.write(bytes.data(), width);
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void shifts(SurfaceIndex in [[type("image2d_t")]], SurfaceIndex out [[type("image2d_t")]], int scale) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 12, 44> block;
  read(in, x - 6, y - 2, block.select<4, 1, 44, 1>(0, 0));
  read(in, x - 6, y + 2, block.select<4, 1, 44, 1>(4, 0));
  read(in, x - 6, y + 6, block.select<4, 1, 44, 1>(8, 0));
  matrix<ushort, 8, 32> sum = block.select<8, 1, 32, 1>(0, 0) * scale + block.select<8, 1, 32, 1>(4, 12);
  sum.select<4, 2, 32, 1>(0, 0) += block.select<4, 2, 32, 1>(3, 7);
  matrix<uchar, 8, 32> result = (sum + 77) >> 2;
  write(out, x, y, result);
}
)");
  pocm::Kernel k = device.createKernel(program, "shifts");
  k.setArgument(0, in);
  k.setArgument(1, out);
  const int scale = 251;
  k.setArgument(2, &scale, sizeof(scale));
  device.enqueue(k, {columns, rows}).wait();
  Bytes found(std::size_t(32 * columns) * 8 * rows);
  out.read(found.data(), 32 * columns);

  // Bytes left of a row are the first byte of its first pixel, those right of it the last pixel's.
  auto at = [&](int x, int y) {
    const int row = std::clamp(y, 0, height - 1), inside = std::clamp(x, 0, width - 1);
    const int pixel = inside / 4 * 4;
    return int(bytes[std::size_t(row * width + (x == inside ? x : pixel + ((x % 4) + 4) % 4))]);
  };
  for (int y = 0; y < 8 * rows; ++y)
    for (int x = 0; x < 32 * columns; ++x) {
      const int left = x / 32 * 32 - 6, top = y / 8 * 8 - 2, c = x % 32, r = y % 8;
      auto block = [&](int row, int column) { return at(left + column, top + row); };
      auto sum = std::uint16_t(block(r, c) * scale + block(r + 4, c + 12));
      if (r % 2 == 0)
        sum = std::uint16_t(sum + block(3 + r, c + 7));
      ASSERT_EQ(found[std::size_t(y * 32 * columns + x)], std::uint8_t((sum + 77) >> 2)) << x << ", " << y;
    }
}

// MED-01 MED-02 MED-03 MEM-17: blocks taken apart by columns, or by every nth of them, and put together in another
// order; some of it is written twice, and some comes from farther away.
TEST_P(Pixels, columnsInAnotherOrder) {
  constexpr int width = 64, height = 16;
  const Bytes bytes = pattern(std::size_t(width) * height);
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
#define IMAGES SurfaceIndex in [[type("image2d_t")]], SurfaceIndex out [[type("image2d_t")]]
#define READ                                                           \
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 8;   \
  matrix<uchar, 8, 16> p, r;                                           \
  read(in, x, y, p)
extern "C" _GENX_MAIN_ void mirrored(IMAGES) {
  READ;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    r.column(i) = p.column(15 - i);
  write(out, x, y, r);
}
extern "C" _GENX_MAIN_ void channels(IMAGES) {
  READ;
  r.select<8, 1, 4, 4>(0, 3) = p.select<8, 1, 4, 4>(0, 1);
  r.select<8, 1, 4, 4>(0, 0) = p.select<8, 1, 4, 4>(0, 2);
  r.select<8, 1, 4, 4>(0, 1) = p.select<8, 1, 4, 4>(0, 3);
  r.select<8, 1, 4, 4>(0, 2) = p.select<8, 1, 4, 4>(0, 2);
  r.select<8, 1, 4, 4>(0, 3) = p.select<8, 1, 4, 4>(0, 0);
  write(out, x, y, r);
}
extern "C" _GENX_MAIN_ void upsideDown(IMAGES) {
  READ;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    r.row(i) = p.row(7 - i);
  r.column(3) = p.column(4);
  write(out, x, y, r);
}
)");
  struct Case {
    const char *name;
    int (*from)(int row, int column);
  };
  for (const Case &c :
       {Case{"mirrored", [](int row, int column) { return row * 16 + 15 - column; }},
        Case{"channels",
             [](int row, int column) {
               constexpr int order[] = {2, 3, 2, 0};
               return row * 16 + column / 4 * 4 + order[column % 4];
             }},
        Case{"upsideDown", [](int row, int column) { return column == 3 ? row * 16 + 4 : (7 - row) * 16 + column; }}}) {
    pocm::Image in = device.createImage(width / 4, height, 4), out = device.createImage(width / 4, height, 4);
    in.write(bytes.data(), width);
    pocm::Kernel k = device.createKernel(program, c.name);
    k.setArgument(0, in);
    k.setArgument(1, out);
    device.enqueue(k, {width / 16, height / 8}).wait();
    Bytes found(bytes.size());
    out.read(found.data(), width);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int from = c.from(y % 8, x % 16), row = y / 8 * 8 + from / 16, column = x / 16 * 16 + from % 16;
        ASSERT_EQ(found[std::size_t(y * width + x)], bytes[std::size_t(row * width + column)])
            << c.name << ' ' << x << ", " << y;
      }
  }
}

// MED-01 MED-03 MED-06 MED-07 MED-08 MED-09: blocks are larger than these images, and begin anywhere.
TEST_P(Pixels, smallestImages) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void around(SurfaceIndex in, SurfaceIndex read_, SurfaceIndex to, int x, int y) {
  matrix<uchar, 4, 8> m;
  read(in, x, y, m);
  write(read_, 0, m);
  m += 3;
  write(to, x & ~3, y, m);
}
)");
  pocm::Kernel k = device.createKernel(program, "around");
  constexpr int sizes[][2] = {{1, 1}, {1, 3}, {2, 2}, {3, 1}, {4, 5}, {7, 2}, {9, 9}};
  for (auto [width, height] : sizes)
    for (int x : {-9, -5, -1, 0, 1, 4, 12})
      for (int y : {-6, -1, 0, 2, 9}) {
        const Bytes bytes = pattern(std::size_t(width) * std::size_t(height));
        pocm::Image in = device.createImage(std::uint32_t(width), std::uint32_t(height), 1),
                    to = device.createImage(std::uint32_t(width), std::uint32_t(height), 1);
        in.write(bytes.data(), std::size_t(width));
        const Bytes before(bytes.size(), 200);
        to.write(before.data(), std::size_t(width));
        pocm::Buffer read = device.createBuffer(32);
        k.setArgument(0, in);
        k.setArgument(1, read);
        k.setArgument(2, to);
        k.setArgument(3, &x, sizeof(x));
        k.setArgument(4, &y, sizeof(y));
        device.enqueue(k, {1, 1}).wait();
        Bytes wantRead, wantWritten = before;
        for (int r = 0; r < 4; ++r)
          for (int c = 0; c < 8; ++c) {
            const int row = std::clamp(y + r, 0, height - 1), column = std::clamp(x + c, 0, width - 1);
            wantRead.push_back(bytes[std::size_t(row * width + column)]);
            const int toRow = y + r, toColumn = (x & ~3) + c;
            if (toRow >= 0 && toRow < height && toColumn >= 0 && toColumn < width)
              wantWritten[std::size_t(toRow * width + toColumn)] = std::uint8_t(wantRead.back() + 3);
          }
        Bytes written(bytes.size());
        to.read(written.data(), std::size_t(width));
        EXPECT_EQ(numbers<std::uint8_t>(read), wantRead) << width << " x " << height << " at " << x << ", " << y;
        EXPECT_EQ(written, wantWritten) << width << " x " << height << " at " << x << ", " << y;
      }
}

// MOD-01 MOD-02 MOD-03 MOD-04 MED-01 MED-02 MED-03 MED-05 MED-06 MED-07 MED-08 MED-09 MED-10 MED-12 MED-13 ENM-05
// PIT-21
TEST_P(Pixels, planesAndFields) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void parts(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 4, 8> m;
  read(TOP_FIELD(in), 4, 1, m);            write(out, 0, m);
  read(BOTTOM_FIELD(in), 4, -1, m);        write(out, 32, m);
  read(MODIFIED(in), 4, 2, m);             write(out, 64, m);
  read(MODIFIED_TOP_FIELD(in), -4, 0, m);  write(out, 96, m);
  read(MODIFIED_BOTTOM_FIELD(in), 12, 3, m); write(out, 128, m);
  read(CONSTANT(in), 0, 0, m);             write(out, 160, m);
  read_plane(in, GENX_SURFACE_Y_PLANE, 2, 3, m);  write(out, 192, m);
  read_plane(in, GENX_SURFACE_UV_PLANE, 4, 1, m); write(out, 224, m);
  read_plane(in, GENX_TOP_FIELD, GENX_SURFACE_UV_PLANE, 12, 0, m); write(out, 256, m);
  vector<uchar, 8> row;
  read(in, 8, 5, row);
  m = 0;
  m.row(0) = row;
  write(out, 288, m);
}
extern "C" _GENX_MAIN_ void stores(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 2, 8> m = 1;
  write(BOTTOM_FIELD(in), 4, 1, m);
  m = 2;
  write_plane(in, GENX_SURFACE_UV_PLANE, 12, 2, m);
  m = 3;
  write_plane(in, GENX_SURFACE_Y_PLANE, -4, 6, m);
  vector<uchar, 8> row = 4;
  write(in, 8, 0, row);
})");
  constexpr int width = 16, height = 8;
  Bytes bytes = pattern(width * height * 3 / 2);
  pocm::Image in = image(width, height, "NV12", bytes);
  Bytes got = run<std::uint8_t>(program, "parts", in, 320), want;
  auto block = [&](int plane, int first, int step, int x, int y, int rows) {
    int base = plane ? width * height : 0, lines = ((plane ? height / 2 : height) - first + step - 1) / step;
    int pixel = plane ? 2 : 1;
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 8; ++c) {
        int px = x + c, py = std::clamp(y + r, 0, lines - 1);
        if (px < 0)
          px = ((px % pixel) + pixel) % pixel;
        if (px >= width)
          px = width - pixel + (px - width) % pixel;
        want.push_back(r < rows ? bytes[std::size_t(base + (first + py * step) * width + px)] : 0);
      }
  };
  block(0, 0, 2, 4, 1, 4);
  block(0, 1, 2, 4, -1, 4);
  block(0, 0, 1, 4, 2, 4);
  block(0, 0, 2, -4, 0, 4);
  block(0, 1, 2, 12, 3, 4);
  block(0, 0, 1, 0, 0, 4);
  block(0, 0, 1, 2, 3, 4);
  block(1, 0, 1, 4, 1, 4);
  block(1, 0, 2, 12, 0, 4);
  block(0, 0, 1, 8, 5, 1);
  EXPECT_EQ(got, want);

  run<std::uint8_t>(program, "stores", in, 16);
  Bytes after = bytes;
  auto fill = [&](int plane, int first, int step, int x, int y, int rows, std::uint8_t value) {
    int base = plane ? width * height : 0, lines = plane ? height / 2 : height;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < 8; ++c)
        if (int py = first + (y + r) * step; py < lines && x + c >= 0 && x + c < width)
          after[std::size_t(base + py * width + x + c)] = value;
  };
  fill(0, 1, 2, 4, 1, 2, 1);
  fill(1, 0, 1, 12, 2, 2, 2);
  fill(0, 0, 1, -4, 6, 2, 3);
  fill(0, 0, 1, 8, 0, 1, 4);
  EXPECT_EQ(contents(in, height * 3 / 2), after);
}

// Elements that lie apart in rows of a block, with every step and from every element on, in blocks that leave the
// image.
TEST_P(Pixels, elementsApart) {
  constexpr int width = 48, height = 12, columns = 24;
  std::string source = "#include <cm/cm.h>\n";
  auto name = [](int step, int first) { return fmt::format("apart{}from{}", step, first); };
  auto lanes = [](int step, int first) { return (columns - first - 1) / step + 1; };
  for (int step = 2; step <= 4; ++step)
    for (int first = 0; first <= step; ++first)
      source += fmt::format(R"(
extern "C" _GENX_MAIN_ void {0}(SurfaceIndex in, SurfaceIndex out, int x, int y) {{
  matrix<uchar, 4, 24> m;
  read(in, x, y, m);
  vector<uchar, 64> r = 0;
  r.select<{1}, 1>(0) = m.select<1, 1, {1}, {2}>(1, {3});
  matrix<uchar, 2, 5> some = m.select<2, 2, 5, {2}>(1, {3});
  r.select<10, 1>(32) = some.format<uchar>();
  write(out, 0, r);
}}
)",
                            name(step, first), lanes(step, first), step, first);
  const pocm::Program program = test::compile(source);
  pocm::Device device = test::open(GetParam());
  std::mt19937_64 random(8);
  std::vector<std::uint8_t> pixels(std::size_t(width * height));
  for (std::uint8_t &pixel : pixels)
    pixel = std::uint8_t(random());
  pocm::Image in = device.createImage(width, height, 1);
  in.write(pixels.data(), width);
  for (int step = 2; step <= 4; ++step)
    for (int first = 0; first <= step; ++first)
      for (const auto &[x, y] : {std::pair(0, 0), std::pair(24, 8), std::pair(7, 3), std::pair(33, 10)}) {
        pocm::Buffer out = device.createBuffer(64);
        pocm::Kernel kernel = device.createKernel(program, name(step, first));
        kernel.setArgument(0, in);
        kernel.setArgument(1, out);
        kernel.setArgument(2, &x, sizeof(x));
        kernel.setArgument(3, &y, sizeof(y));
        device.enqueue(kernel, {1, 1}).wait();
        std::vector<std::uint8_t> got(64), want(64);
        out.read(got.data(), 64);
        auto at = [&](int row, int k) { // edge pixels repeat
          return pixels[std::size_t(std::min(y + row, height - 1) * width + std::min(x + first + k * step, width - 1))];
        };
        for (int k = 0; k < lanes(step, first); ++k)
          want[std::size_t(k)] = at(1, k);
        for (int k = 0; k < 10; ++k)
          want[std::size_t(32 + k)] = at(1 + k / 5 * 2, k % 5);
        EXPECT_EQ(got, want) << name(step, first) << " at " << x << ", " << y;
      }
}

// MOD-01 MOD-02: the fields of an odd number of rows are not of the same height.
TEST_P(Pixels, fieldsOfEveryHeight) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void fields(SurfaceIndex in, SurfaceIndex out, SurfaceIndex to, int y) {
  matrix<uchar, 2, 8> top, bottom;
  read(TOP_FIELD(in), 4, y, top);
  read(BOTTOM_FIELD(in), 4, y, bottom);
  write(out, 0, top);
  write(out, 16, bottom);
  write(TOP_FIELD(to), 0, y, top);
  write(BOTTOM_FIELD(to), 8, y, bottom);
}
)");
  pocm::Kernel k = device.createKernel(program, "fields");
  constexpr int width = 16;
  for (int height : {2, 3, 4, 7, 8, 9})
    for (int y : {-3, -1, 0, 1, 2, 3, 5}) {
      const Bytes bytes = pattern(std::size_t(width) * std::size_t(height)), before(bytes.size(), 200);
      pocm::Image in = image(width, std::uint32_t(height), "R8_UINT", bytes),
                  to = image(width, std::uint32_t(height), "R8_UINT", before);
      pocm::Buffer out = device.createBuffer(32);
      k.setArgument(0, in);
      k.setArgument(1, out);
      k.setArgument(2, to);
      k.setArgument(3, &y, sizeof(y));
      device.enqueue(k, {1, 1}).wait();
      Bytes wantRead, wantWritten = before;
      for (int field : {0, 1}) {
        const int rows = (height + 1 - field) / 2;
        for (int r = 0; r < 2; ++r)
          for (int c = 0; c < 8; ++c) {
            const int from = 2 * std::clamp(y + r, 0, rows - 1) + field;
            wantRead.push_back(bytes[std::size_t(from * width + 4 + c)]);
            if (y + r >= 0 && y + r < rows)
              wantWritten[std::size_t((2 * (y + r) + field) * width + 8 * field + c)] = wantRead.back();
          }
      }
      EXPECT_EQ(numbers<std::uint8_t>(out), wantRead) << height << " rows, at " << y;
      EXPECT_EQ(contents(to, std::uint32_t(height)), wantWritten) << height << " rows, at " << y;
    }
}

// VEC-68 VEC-69
TEST_P(Pixels, edgesOfATinySurface) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void edges(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 2, 2> a, b;
  read(in, -1, -1, a);
  read(in, 3, 1, b);
  vector<uchar, 16> r = 0;
  r.select<4, 1>(0) = a;
  r.select<4, 1>(4) = b;
  write(out, 0, r);
})");
  pocm::Image in = image(4, 2, "R8_UINT", {0, 1, 2, 3, 4, 5, 6, 7});
  auto got = run<std::uint8_t>(program, "edges", in, 16);
  got.resize(8);
  EXPECT_EQ(got, (Bytes{0, 0, 0, 0, 7, 7, 7, 7}));
}

// OBJ-09
TEST_P(Pixels, vectorsOfSurfaces) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void many(vector<SurfaceIndex, 3> in, SurfaceIndex out, int which) {
  vector<uint, 4> v, w;
  read(in(which), 0, v);
  read(in[1], 0, w);
  write(out, 0, v + w * 100);
})");
  std::vector<pocm::Buffer> buffers;
  for (std::uint32_t i = 0; i < 3; ++i) {
    std::uint32_t words[4] = {i, i + 1, i + 2, i + 3};
    buffers.push_back(device.createBuffer(16));
    buffers.back().write(words, 16);
  }
  pocm::Buffer out = device.createBuffer(16);
  pocm::Kernel k = device.createKernel(program, "many");
  k.setArgument(0, std::span<const pocm::Buffer>(buffers));
  k.setArgument(1, out);
  for (int which = 0; which < 3; ++which) {
    k.setArgument(2, &which, 4);
    device.enqueue(k, {1, 1}).wait();
    auto w = std::uint32_t(which);
    EXPECT_EQ(numbers<std::uint32_t>(out), (std::vector<std::uint32_t>{100 + w, 201 + w, 302 + w, 403 + w}));
  }
  EXPECT_THROW(k.setArgument(0, buffers[0]), pocm::Error);
}

// Elements of objects of surfaces, and parts of them, are assigned to, chosen at run time and lent to functions.
TEST_P(Pixels, surfacesInVectorsAndMatrices) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
template <class T, int N> void put(vector_ref<T, N> all, int k, T s) { all(k) = s; }
extern "C" _GENX_MAIN_ void mixed(vector<SurfaceIndex, 5> in, SurfaceIndex out, int n) {
  vector<SurfaceIndex, 4> s = in(0);
  s(1) = in(1);
  s[2] = in(2);
  s(n) = in(1);
  matrix<SurfaceIndex, 2, 2> m = s;
  m.row(1) = in.select<2, 1>(3);
  m[0](0) = m(1, 1);
  vector<SurfaceIndex, 9> all;
  all.select<4, 1>(0) = s;
  all(4) = m(0, 0);
  all(5) = m(0, 1);
  vector_ref<SurfaceIndex, 2> part = s.select<2, 2>(0);
  part = in.select<2, 1>(3);
  put(s, 3, in(2));
  s.select<2, 1>(1).merge(in(0), 2);
  all.select<2, 2>(6) = s.select<2, 2>(0);
  all(7) = n > 2 ? s(0) : s(3);
  vector<SurfaceIndex, 2> chosen = s.iselect(vector<ushort, 2>(3, 0));
  m.column(1) = chosen;
  vector<uint, 16> r = 0;
  for (int k = 0; k < 9; ++k) {
    vector<uint, 4> first;
    read(all(k), 0, first);
    r(k) = first(0);
  }
  for (int k = 0; k < 2; ++k) {
    vector<uint, 4> first, second;
    read(m(k, 1), 0, first);
    read(m.select<2, 1, 1, 1>(0, 1)(k, 0), 0, second);
    r(9 + k) = first(0);
    r(11 + k) = second(0);
  }
  write(out, 0, r);
})");
  std::vector<pocm::Buffer> buffers;
  for (std::uint32_t i = 0; i < 5; ++i) {
    std::uint32_t words[4] = {i};
    buffers.push_back(device.createBuffer(16));
    buffers.back().write(words, 16);
  }
  pocm::Buffer out = device.createBuffer(64);
  pocm::Kernel k = device.createKernel(program, "mixed");
  k.setArgument(0, std::span<const pocm::Buffer>(buffers));
  k.setArgument(1, out);
  int n = 3;
  k.setArgument(2, &n, 4);
  device.enqueue(k, {1, 1}).wait();
  // s: 0 1 2 1, m: 4 1 3 4; then s: 3 1 0 2; chosen: 2 3
  EXPECT_EQ(numbers<std::uint32_t>(out), (std::vector<std::uint32_t>{0, 1, 2, 1, 4, 1, 3, 3, 0, 2, 3, 2, 3, 0, 0, 0}));
}

// TRP-01 LTY-04
TEST_P(Pixels, transposedAndTypedBlocks) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void blocks(SurfaceIndex in, SurfaceIndex out) {
  matrix<uint, 2, 4> t;
  read_transpose(in, CM_READ_4, 2, 1, 1, t);
  write(out, 0, t);
  matrix<uint, 2, 4> m;
  cm_load<uint, 2, 4>(in, 24, 7, m);
  write(out, 32, m);
  cm_load<uint, 2, 4>(in, -8, -1, m);
  write(out, 64, m);
  m = 9;
  cm_store<uint, 2, 4>(in, -8, 3, m);
  cm_prefetch<uint, 2, 4>(in, 0, 0);
})");
  Bytes bytes = pattern(8 * 8 * 4);
  std::uint32_t words[64];
  std::memcpy(words, bytes.data(), 256);
  pocm::Image in = image(8, 8, "R32_UINT", bytes);
  auto got = run<std::uint32_t>(program, "blocks", in, 24);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_EQ(got[i * 4 + j], words[(4 + j) * 8 + 2 + i]);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(got[8 + r * 4 + c], r == 0 && c < 2 ? words[56 + 6 + c] : 0);
      EXPECT_EQ(got[16 + r * 4 + c], r == 1 && c >= 2 ? words[c - 2] : 0);
    }
  Bytes after = contents(in, 8);
  std::uint32_t now[64];
  std::memcpy(now, after.data(), 256);
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(now[i], (i / 8 == 3 || i / 8 == 4) && i % 8 < 2 ? 9 : words[i]);
}

struct FormatCase {
  const char *name;
  unsigned bytes;
  const char *type;
  /// Channels R, G, B, A of a pixel.
  std::array<double, 4> (*decode)(const std::uint8_t *p);
};
double un8(std::uint8_t x) { return x / 255.0; }
template <class T> T at(const std::uint8_t *p, int i) {
  T v;
  std::memcpy(&v, p + std::size_t(i) * sizeof(T), sizeof(T));
  return v;
}
using Rgba = std::array<double, 4>;
const FormatCase formats[] = {
    {"A8R8G8B8", 4, "float", [](const std::uint8_t *p) { return Rgba{un8(p[2]), un8(p[1]), un8(p[0]), un8(p[3])}; }},
    {"X8R8G8B8", 4, "float", [](const std::uint8_t *p) { return Rgba{un8(p[2]), un8(p[1]), un8(p[0]), 1}; }},
    {"A8B8G8R8", 4, "float", [](const std::uint8_t *p) { return Rgba{un8(p[0]), un8(p[1]), un8(p[2]), un8(p[3])}; }},
    {"R10G10B10A2", 4, "float",
     [](const std::uint8_t *p) {
       std::uint32_t w = at<std::uint32_t>(p, 0);
       return Rgba{(w & 1023) / 1023.0, (w >> 10 & 1023) / 1023.0, (w >> 20 & 1023) / 1023.0, (w >> 30) / 3.0};
     }},
    {"R8_UNORM", 1, "float", [](const std::uint8_t *p) { return Rgba{un8(p[0]), 0, 0, 1}; }},
    {"A8", 1, "float", [](const std::uint8_t *p) { return Rgba{0, 0, 0, un8(p[0])}; }},
    {"R8_UINT", 1, "uint", [](const std::uint8_t *p) { return Rgba{double(p[0]), 0, 0, 1}; }},
    {"R16_UINT", 2, "uint", [](const std::uint8_t *p) { return Rgba{double(at<std::uint16_t>(p, 0)), 0, 0, 1}; }},
    {"R16_SINT", 2, "int", [](const std::uint8_t *p) { return Rgba{double(at<std::int16_t>(p, 0)), 0, 0, 1}; }},
    {"R16_UNORM", 2, "float", [](const std::uint8_t *p) { return Rgba{at<std::uint16_t>(p, 0) / 65535.0, 0, 0, 1}; }},
    {"R8G8_UNORM", 2, "float", [](const std::uint8_t *p) { return Rgba{un8(p[0]), un8(p[1]), 0, 1}; }},
    {"R16G16_UNORM", 4, "float",
     [](const std::uint8_t *p) {
       return Rgba{at<std::uint16_t>(p, 0) / 65535.0, at<std::uint16_t>(p, 1) / 65535.0, 0, 1};
     }},
    {"R32_UINT", 4, "uint", [](const std::uint8_t *p) { return Rgba{double(at<std::uint32_t>(p, 0)), 0, 0, 1}; }},
    {"R32_SINT", 4, "int", [](const std::uint8_t *p) { return Rgba{double(at<std::int32_t>(p, 0)), 0, 0, 1}; }},
    {"A16B16G16R16", 8, "float",
     [](const std::uint8_t *p) {
       return Rgba{at<std::uint16_t>(p, 0) / 65535.0, at<std::uint16_t>(p, 1) / 65535.0,
                   at<std::uint16_t>(p, 2) / 65535.0, at<std::uint16_t>(p, 3) / 65535.0};
     }},
};

// TYD-01 TYD-02 TYD-03 TYD-04 LTY-01 LTY-02 LTY-03 SMP-03 SMP-08 SMP-09 SMP-10
TEST_P(Pixels, typedAccessConvertsByFormat) {
  std::string source = "#include <cm/cm.h>\n";
  for (const char *type : {"float", "int", "uint"})
    source += fmt::format(R"(
extern "C" _GENX_MAIN_ void typed_{0}(SurfaceIndex in, SurfaceIndex out, SurfaceIndex copy) {{
  vector<uint, 16> u, v;
  for (int i = 0; i < 16; i++) {{ u(i) = i % 5 + (i > 13 ? 100 : 0); v(i) = i / 5; }}
  matrix<{0}, 4, 16> m, n;
  read_typed(in, CM_ABGR_ENABLE, m, u, v);
  for (int r = 0; r < 4; r++) write(out, r * 64, m.row(r));
  matrix<{0}, 2, 16> two;
  read_typed(in, CM_AR_ENABLE, two, u, v);
  for (int r = 0; r < 2; r++) write(out, 256 + r * 64, two.row(r));
  n = 7;
  vector<ushort, 16> p = u < 100;
  p(0) = 0;
  cm_load4_typed<CM_ABGR_ENABLE>(n, p, in, u, v);
  write(out, 384, n.row(0));
  vector<{0}, 64> loaded;
  cm_3d_load<CM_3D_LOAD_LZ, CM_ABGR_ENABLE>(loaded, 0, in, u, v);
  write(out, 448, loaded.template select<16, 1>(0));
  load16(n, CM_R_ENABLE, in, u, v);
  write(out, 512, n.row(0));
  write_typed(copy, CM_ABGR_ENABLE, m, u, v);
  vector<ushort, 16> only = 0;
  only(3) = 1;
  cm_store4_typed<CM_ABGR_ENABLE>(m, only, copy, u + 1, v);
  cm_prefetch4_typed<CM_R_ENABLE, CacheHint::Cached, CacheHint::Cached>(in, u, v);
}})",
                          type);
  pocm::Program program = test::compile(source);
  for (const FormatCase &f : formats) {
    constexpr std::uint32_t width = 5, height = 3;
    Bytes bytes = pattern(width * height * f.bytes);
    pocm::Image in = image(width, height, f.name, bytes);
    pocm::Image copy = image(width, height, f.name, Bytes(bytes.size()));
    pocm::Buffer out = device.createBuffer(576);
    pocm::Kernel k = device.createKernel(program, std::string("typed_") + f.type);
    k.setArgument(0, in);
    k.setArgument(1, out);
    k.setArgument(2, copy);
    device.enqueue(k, {1, 1}).wait();
    std::vector<std::uint32_t> got = numbers<std::uint32_t>(out);
    auto value = [&](std::size_t i) {
      return std::string_view(f.type) == "float" ? double(std::bit_cast<float>(got[i]))
             : std::string_view(f.type) == "int" ? double(std::int32_t(got[i]))
                                                 : double(got[i]);
    };
    for (std::size_t i = 0; i < 16; ++i) {
      Rgba want = i > 13 ? Rgba{} : f.decode(bytes.data() + i * f.bytes);
      for (std::size_t c = 0; c < 4; ++c)
        EXPECT_FLOAT_EQ(float(value(c * 16 + i)), float(want[c])) << f.name << " pixel " << i << " channel " << c;
      EXPECT_FLOAT_EQ(float(value(64 + i)), float(want[0])) << f.name;
      EXPECT_FLOAT_EQ(float(value(80 + i)), float(want[3])) << f.name;
      EXPECT_FLOAT_EQ(float(value(96 + i)), i == 0 || i > 13 ? 7.0f : float(want[0])) << f.name << " " << i;
      EXPECT_FLOAT_EQ(float(value(112 + i)), float(want[0])) << f.name;
      EXPECT_FLOAT_EQ(float(value(128 + i)), float(want[0])) << f.name;
    }
    Bytes after = contents(copy, height), wantCopy = bytes;
    if (std::string_view(f.name) == "X8R8G8B8")
      for (std::size_t i = 3; i < wantCopy.size(); i += 4)
        wantCopy[i] = 0;
    std::copy_n(wantCopy.begin() + 3 * f.bytes, f.bytes, wantCopy.begin() + 4 * f.bytes);
    for (std::size_t i = 14 * f.bytes; i < 15 * f.bytes; ++i)
      wantCopy[i] = 0; // the last pixel was not written
    EXPECT_EQ(after, wantCopy) << f.name;
  }
}

// TYD-05
TEST_P(Pixels, typedAtomics) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void atomics(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> u(0, 1, 2, 3, 0, 1, 2, 9), v(0, 0, 0, 0, 1, 1, 5, 0), old = 77;
  vector<ushort, 8> mask(1, 1, 0, 1, 1, 1, 1, 1);
  write_typed_atomic<ATOMIC_ADD>(mask, in, old, 10u, u, v);
  write(out, 0, old);
  write_typed_atomic<ATOMIC_INC>(in, NULL, u, v);
  write_typed_atomic<ATOMIC_CMPXCHG>(in, old, 1000u, 11u, u, v);
  write(out, 32, old);
  vector<int, 8> s;
  write_typed_atomic<ATOMIC_MINSINT>(in, s, vector<int, 8>(-4), u, v);
})");
  std::uint32_t words[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  Bytes bytes(32);
  std::memcpy(bytes.data(), words, 32);
  pocm::Image in = image(4, 2, "R32_UINT", bytes);
  auto got = run<std::uint32_t>(program, "atomics", in, 16);
  EXPECT_EQ(got, (std::vector<std::uint32_t>{0, 1, 77, 3, 4, 5, 0, 0, 11, 12, 3, 14, 15, 16, 0, 0}));
  Bytes after = contents(in, 2);
  std::memcpy(words, after.data(), 32);
  EXPECT_EQ(std::vector<std::uint32_t>(words, words + 8),
            (std::vector<std::uint32_t>{~3u, ~3u, ~3u, ~3u, ~3u, ~3u, 6, 7}));
}

// SMP-01 SMP-02 SMP-04 SMP-05 SMP-06 SMP-07 OBJ-10
TEST_P(Pixels, samplersFilterAndAddress) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void sampled(SurfaceIndex in, SamplerIndex s, SurfaceIndex out, vector<float, 16> u, vector<float, 16> v, ushort offsets) {
  vector<float, 16> beside;
  cm_3d_sample<CM_3D_SAMPLE_LZ, CM_R_ENABLE>(beside, 0x1E0, s, in, u, v);
  write(out, 576, beside);
  cm_3d_sample<CM_3D_SAMPLE_LZ, CM_R_ENABLE>(beside, offsets, s, in, u, v);
  write(out, 640, beside);
  vector<uint, 16> column, row;
  for (int i = 0; i < 16; i++) { column(i) = i % 4; row(i) = i / 4; }
  cm_3d_load<CM_3D_LOAD_LZ, CM_R_ENABLE>(beside, offsets, in, column, row);
  write(out, 704, beside);
  matrix<float, 3, 16> m;
  sample16(m, CM_BGR_ENABLE, in, s, u, v);
  for (int r = 0; r < 3; r++) write(out, r * 64, m.row(r));
  vector<float, 32> two;
  cm_3d_sample<CM_3D_SAMPLE_L, CM_AG_ENABLE>(two, 0, s, in, 0.0f, u, v);
  write(out, 192, two.select<32, 1>(0));
  vector<float, 16> shadow;
  cm_3d_sample<CM_3D_SAMPLE_C, CM_R_ENABLE>(shadow, 0, s, in, 0.5f, u, v);
  write(out, 320, shadow);
  vector<half, 16> small;
  cm_3d_sample<CM_3D_SAMPLE_D, CM_R_ENABLE>(small, 0, s, in, u, 0.0f, 0.0f, v);
  vector<float, 16> wide = small;
  write(out, 384, wide);
  vector<float, 16> lod = 5;
  cm_3d_sample<CM_3D_LOD, CM_R_ENABLE>(lod, 0, s, in, u, v);
  write(out, 448, lod);
  matrix<ushort, 1, 32> grid;
  sample32(grid, CM_R_ENABLE, in, s, 0.125f, 0.125f, 0.25f, 0.25f);
  write(out, 512, grid);
})");
  constexpr int size = 4;
  Bytes bytes = pattern(size * size * 4);
  pocm::Image in = image(size, size, "A8R8G8B8", bytes);
  using A = pocm::Sampler::Address;
  auto texel = [&](int x, int y, int channel, A mode) -> double {
    int at[2] = {x, y};
    for (int &i : at) {
      if (mode == A::Border && (i < 0 || i >= size))
        return 0;
      if (mode == A::Wrap)
        i = ((i % size) + size) % size;
      else if (mode == A::Mirror)
        i = ((i % (2 * size)) + 2 * size) % (2 * size), i = i < size ? i : 2 * size - 1 - i;
      else if (mode == A::MirrorOnce)
        i = std::min(i < 0 ? -1 - i : i, size - 1);
      else
        i = std::clamp(i, 0, size - 1);
    }
    static constexpr int order[] = {2, 1, 0, 3};
    return un8(bytes[std::size_t((at[1] * size + at[0]) * 4 + order[channel])]);
  };
  for (A mode : {A::Wrap, A::Mirror, A::Clamp, A::Border, A::MirrorOnce})
    for (auto filter : {pocm::Sampler::Filter::Nearest, pocm::Sampler::Filter::Linear}) {
      Floats u(16), v(16);
      for (int i = 0; i < 16; ++i) {
        u[std::size_t(i)] = float(i * 7 % 16) / 5.0f - 1.05f;
        v[std::size_t(i)] = float(i * 5 % 16) / 6.0f - 0.8f;
      }
      u[0] = NAN;
      pocm::Kernel k = device.createKernel(program, "sampled");
      pocm::Buffer out = device.createBuffer(768);
      std::uint16_t offsets = 0x720 | 5; // U 7, V 2; R means nothing here
      k.setArgument(5, &offsets, 2);
      k.setArgument(0, in);
      k.setArgument(1, pocm::Sampler{filter, mode, mode});
      k.setArgument(2, out);
      k.setArgument(3, u.data(), 64);
      k.setArgument(4, v.data(), 64);
      device.enqueue(k, {1, 1}).wait();
      Floats got = numbers<float>(out);
      auto sampled = [&](float uu, float vv, auto look) {
        if (std::isnan(uu))
          return 0.0;
        double x = double(uu) * size, y = double(vv) * size;
        if (filter == pocm::Sampler::Filter::Nearest)
          return double(look(int(std::floor(x)), int(std::floor(y))));
        int ix = int(std::floor(x - 0.5)), iy = int(std::floor(y - 0.5));
        double ax = x - 0.5 - ix, ay = y - 0.5 - iy;
        return (look(ix, iy) * (1 - ax) + look(ix + 1, iy) * ax) * (1 - ay) +
               (look(ix, iy + 1) * (1 - ax) + look(ix + 1, iy + 1) * ax) * ay;
      };
      for (std::size_t i = 0; i < 16; ++i) {
        auto channel = [&](int c) { return sampled(u[i], v[i], [&](int x, int y) { return texel(x, y, c, mode); }); };
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_NEAR(got[c * 16 + i], channel(int(c)), 1e-5) << int(mode) << int(filter) << " lane " << i;
        EXPECT_NEAR(got[48 + i], channel(1), 1e-5);
        EXPECT_NEAR(got[64 + i], channel(3), 1e-5);
        double shadow = sampled(u[i], v[i], [&](int x, int y) { return double(0.5 <= texel(x, y, 0, mode)); });
        EXPECT_NEAR(got[80 + i], shadow, 1e-5) << int(mode) << int(filter) << " lane " << i;
        EXPECT_NEAR(got[96 + i], channel(0), 1e-3);
        EXPECT_EQ(got[112 + i], 0);
        auto beside = [&](int right, int down) {
          return sampled(u[i], v[i], [&](int x, int y) { return texel(x + right, y + down, 0, mode); });
        };
        EXPECT_NEAR(got[144 + i], beside(1, -2), 1e-5) << int(mode) << int(filter) << " lane " << i;
        EXPECT_NEAR(got[160 + i], beside(7, 2), 1e-5) << int(mode) << int(filter) << " lane " << i;
        EXPECT_NEAR(got[176 + i], texel(int(i % 4) + 7, int(i / 4) + 2, 0, A::Border), 1e-5);
      }
      std::uint16_t grid[32];
      std::memcpy(grid, got.data() + 128, 64);
      for (int i = 0; i < 32; ++i) {
        double want = sampled(0.125f + float(i % 8) * 0.25f, 0.125f + float(i / 8) * 0.25f,
                              [&](int x, int y) { return texel(x, y, 0, mode); });
        EXPECT_NEAR(grid[i], want * 65535, 1) << i;
      }
    }
}

// SMP-04 SMP-08
TEST_P(Pixels, nullMasksLieBehindTheChannels) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
constexpr CM3DLoadOp withMask(CM3DLoadOp op) { return op |= CM_3D_LOAD_NULLMASK_ENABLE; }
extern "C" _GENX_MAIN_ void masked(SurfaceIndex in, SamplerIndex s, SurfaceIndex out, vector<float, 8> u, vector<uint, 16> x) {
  vector<float, 24> behind = -1.0f;
  constexpr auto op = CM_3D_SAMPLE_LZ | CM_3D_SAMPLE_NULLMASK_ENABLE | CM_3D_SAMPLE_CPS_LOD_COMP_ENABLE;
  cm_3d_sample<op, CM_GR_ENABLE>(behind, 0, s, in, u, 0.125f);
  write(out, 0, behind.select<16, 1>(0));
  write(out, 64, behind.select<8, 1>(16));
  matrix<float, 4, 16> rows = -1.0f;
  cm_3d_load<withMask(CM_3D_LOAD_LZ), CM_GR_ENABLE>(rows.format<float>(), 0, in, x);
  for (int r = 0; r < 4; r++) write(out, 96 + r * 64, rows.row(r));
})");
  Bytes bytes = pattern(64);
  pocm::Image in = image(4, 4, "A8R8G8B8", bytes);
  Floats u(8);
  std::vector<std::uint32_t> x(16);
  for (std::size_t i = 0; i < 8; ++i)
    u[i] = (float(i % 4) + 0.5f) / 4;
  for (std::size_t i = 0; i < 16; ++i)
    x[i] = std::uint32_t(i % 4);
  pocm::Kernel k = device.createKernel(program, "masked");
  pocm::Buffer out = device.createBuffer(352);
  using A = pocm::Sampler::Address;
  k.setArgument(0, in);
  k.setArgument(1, pocm::Sampler{pocm::Sampler::Filter::Nearest, A::Clamp, A::Clamp});
  k.setArgument(2, out);
  k.setArgument(3, u.data(), 32);
  k.setArgument(4, x.data(), 64);
  device.enqueue(k, {1, 1}).wait();
  Floats got = numbers<float>(out);
  auto bits = [&](std::size_t i) { return std::bit_cast<std::uint32_t>(got[i]); };
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(got[c * 8 + i], un8(bytes[i % 4 * 4 + 2 - c]), 1e-6) << i;
  EXPECT_EQ(bits(16), 0xFFu);
  EXPECT_EQ(got[17], -1);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(got[24 + c * 16 + i], un8(bytes[i % 4 * 4 + 2 - c]), 1e-6) << i;
  EXPECT_EQ(bits(56), 0xFFFFu);
  EXPECT_EQ(got[57], -1);
  EXPECT_EQ(got[72], -1);
}

INSTANTIATE_TEST_SUITE_P(Cpus, Pixels, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
