// OWord blocks and scattered access to buffers (language reference, chapters 10.3 and 10.4): every element type and
// size, offsets inside, across and beyond the ends, against a byte array.
#include "Kernels.h"
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes pattern(std::size_t n) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i)
    bytes[i] = std::uint8_t(i * 7 + 3);
  return bytes;
}

struct Launcher {
  pocm::Device device;
  pocm::Program program;

  /// Runs kernel(in, out, offset, offsets) and returns the output buffer's bytes.
  Bytes operator()(const std::string &kernelName, const Bytes &in, const Bytes &out, std::int32_t offset,
                   const std::vector<std::uint32_t> &offsets) {
    pocm::Buffer a = device.createBuffer(in.size()), b = device.createBuffer(out.size());
    a.write(in.data(), in.size());
    b.write(out.data(), out.size());
    pocm::Kernel kernel = device.createKernel(program, kernelName);
    kernel.setArgument(0, a);
    kernel.setArgument(1, b);
    kernel.setArgument(2, &offset, 4);
    kernel.setArgument(3, offsets.data(), offsets.size() * 4);
    device.enqueue(kernel, {1, 1}).wait();
    Bytes result(out.size());
    b.read(result.data(), result.size());
    return result;
  }
};

struct Element {
  const char *type;
  int size;
};
constexpr Element elements[] = {{"uchar", 1}, {"short", 2}, {"half", 2}, {"int", 4}, {"float", 4}};
constexpr int counts[] = {1, 2, 4, 8, 16, 32};

/// Byte i of `bytes`, or 0 outside.
std::uint8_t at(const Bytes &bytes, std::int64_t i) {
  return i >= 0 && i < std::int64_t(bytes.size()) ? bytes[std::size_t(i)] : 0;
}

/// Kernels get and put that read and write `n` elements at the places that the code `at` names, in elements or bytes;
/// `u` has `given` numbers of the host's.
std::string scatteredKernels(Element e, int n, int given, const std::string &suffix, bool scaled,
                             const std::string &at) {
  return fmt::format("extern \"C\" _GENX_MAIN_ void get{1}(SurfaceIndex in, SurfaceIndex out, uint global, "
                     "vector<uint, {2}> u) {{\n"
                     "  {3}\n  vector<{0}, {4}> v = 1;\n  read{5}(in, global, at, v);\n"
                     "  vector<uchar, 128> all = 0xEE;\n  all.select<{6}, 1>(0) = v.format<uchar>();\n  "
                     "write(out, 0, all);\n}}\n"
                     "extern \"C\" _GENX_MAIN_ void put{1}(SurfaceIndex in, SurfaceIndex out, uint global, "
                     "vector<uint, {2}> u) {{\n"
                     "  {3}\n  vector<{0}, {4}> v;\n  read(in, 0, v);\n  write{5}(out, global, at, v);\n}}\n",
                     e.type, suffix, given, at, n, scaled ? "_scaled" : "", n * e.size);
}

/// Runs both with elements whose first bytes are at place(k).
template <class Place> void expectScattered(Launcher &run, Element e, int n, const std::string &suffix, const Bytes &in,
                                            std::uint32_t global, const std::vector<std::uint32_t> &given,
                                            Place place) {
  auto inside = [&](int k) { return place(k) + e.size <= std::int64_t(in.size()); };
  const Bytes got = run("get" + suffix, in, Bytes(128), global, given), before(in.size(), 0xAA);
  Bytes want = before;
  for (int k = 0; k < n; ++k)
    for (int b = 0; b < e.size; ++b) {
      ASSERT_EQ(got[std::size_t(k * e.size + b)], inside(k) ? at(in, place(k) + b) : 0)
          << e.type << suffix << " from " << given[0] << ", element " << k;
      if (inside(k))
        want[std::size_t(place(k) + b)] = at(in, k * e.size + b);
    }
  ASSERT_EQ(run("put" + suffix, in, before, global, given), want) << e.type << suffix << " from " << given[0];
}

class BufferAccess : public testing::TestWithParam<std::string> {};

// OWD-01 OWD-02 OWD-03 OWD-05 OWD-07 VEC-70 MOD-02 MOD-03 MOD-04
TEST_P(BufferAccess, owordBlocksReadZerosBeyondTheEnd) {
  std::string source = "#include <cm/cm.h>\n";
  for (int bytes : {4, 16, 20, 32, 64, 100, 128})
    for (bool aligned : {false, true})
      source += fmt::format("extern \"C\" _GENX_MAIN_ void read{0}_{1}(SurfaceIndex in, SurfaceIndex out, int offset, "
                            "vector<uint, 1> u) {{\n"
                            "  vector<uchar, {0}> v;\n  read({2}, offset, v);\n  vector<uchar, 128> all = 0xEE;\n"
                            "  all.select<{0}, 1>(0) = v;\n  write(out, 0, all);\n}}\n",
                            bytes, int(aligned), aligned ? "DWALIGNED(in)" : "in");
  Launcher run{test::open(GetParam()), test::compile(source)};
  Bytes in = pattern(150), out(128);
  for (int bytes : {4, 16, 20, 32, 64, 100, 128})
    for (bool aligned : {false, true})
      for (int offset : {0, 16, 32, 64, 128, 144, 160, 4096, -16, aligned ? 4 : 48, aligned ? 148 : 112}) {
        Bytes got = run(fmt::format("read{}_{}", bytes, int(aligned)), in, out, offset, {0});
        for (int i = 0; i < 128; ++i)
          ASSERT_EQ(got[std::size_t(i)], i < bytes ? at(in, offset + i) : 0xEE)
              << bytes << " at " << offset << " + " << i;
      }
}

// OWD-01 OWD-03 OWD-05: blocks in rows, so far apart as a number at run time says: inside, over either end, backward,
// where the sum wraps, and at places that are rounded down.
TEST_P(BufferAccess, rowsOfBlocksAtAnyDistance) {
  constexpr int rows = 4;
  std::string source = "#include <cm/cm.h>\n";
  for (const char *scale : {"1", "16", "-32"})
    for (int blocks : {1, 2})
      source +=
          fmt::format("extern \"C\" _GENX_MAIN_ void rows{0}_{1}(SurfaceIndex in, SurfaceIndex out, int offset, "
                      "vector<int, 1> u) {{\n"
                      "  matrix<uchar, {2}, 32> m = 0xEE;\n  int width = u(0);\n"
                      "#pragma unroll\n  for (int r = 0; r < {2}; r++)\n"
                      "#pragma unroll\n    for (int b = 0; b < {1}; b++)\n"
                      "      read(in, offset * 4 + r * width * ({3}) + b * 32, m.select<1, 1, 16, 1>(r, b * 16));\n"
                      "  write(out, 0, m.format<uint>());\n}}\n",
                      scale[0] == '-' ? "m" : scale, blocks, rows, scale);
  Launcher run{test::open(GetParam()), test::compile(source)};
  Bytes in = pattern(464), out(128);
  for (int scale : {1, 16, -32})
    for (int blocks : {1, 2})
      for (int offset : {0, 16, 3, 112, 116, -4, 1 << 29, -(1 << 29)})
        for (int width : {0, 1, 4, 16, 21, 96, 200, -16, -48, 1 << 27, 1 << 30, INT32_MIN / 16, INT32_MAX / 3}) {
          Bytes got = run(fmt::format("rows{}_{}", scale < 0 ? "m" : std::to_string(scale), blocks), in, out, offset,
                          {std::uint32_t(width)});
          for (int i = 0; i < 128; ++i) {
            const int row = i / 32, block = i % 32 / 16;
            const auto sum = std::int32_t(std::uint32_t(offset) * 4 +
                                          std::uint32_t(row) * std::uint32_t(width) * std::uint32_t(scale) +
                                          std::uint32_t(block) * 32);
            ASSERT_EQ(got[std::size_t(i)], block < blocks ? at(in, std::int64_t(sum & -16) + i % 16) : 0xEE)
                << "rows " << width << " times " << scale << " from " << offset << ", byte " << i;
          }
        }
}

// OWD-01 OWD-02 OWD-05: blocks at owords and at dwords whose offsets are never negative, as those of threads, or 32
// bits cannot hold in bytes, at constant distances from each other: inside, over the end and in front of the beginning.
TEST_P(BufferAccess, owordsAndDwordsAtThreadsPlaces) {
  constexpr int rows = 8, threads = 8;
  Launcher run{test::open(GetParam()), test::compile(R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void mixed(SurfaceIndex in, SurfaceIndex out, uint number) {
  uint at = get_thread_origin_x() * 48 + 16, other = (number & 0xff) * 16, far = number * 16;
  matrix<uchar, 8, 16> m;
  read(in, at, m.row(0));
  read(DWALIGNED(in), at + 4, m.row(1));
  read(in, at + 32, m.row(2));
  read(DWALIGNED(in), at - 8, m.row(3));
  read(in, other, m.row(4));
  read(DWALIGNED(in), other + 4, m.row(5));
  read(in, far + 16, m.row(6));
  read(DWALIGNED(in), far - 16, m.row(7));
  write(out, get_thread_origin_x() * 128, m.format<uint>());
})")};
  const Bytes in = pattern(300);
  pocm::Buffer a = run.device.createBuffer(in.size()), b = run.device.createBuffer(threads * rows * 16);
  a.write(in.data(), in.size());
  pocm::Kernel kernel = run.device.createKernel(run.program, "mixed");
  kernel.setArgument(0, a);
  kernel.setArgument(1, b);
  for (std::uint32_t number : {0u, 1u, 3u, 16u, 17u, 18u, 19u, 255u, 256u, 0x07FFFFFFu, 0x08000000u, 0x0FFFFFFFu}) {
    kernel.setArgument(2, &number, sizeof(number));
    run.device.enqueue(kernel, {threads, 1}).wait();
    Bytes got(threads * rows * 16);
    b.read(got.data(), got.size());
    for (int thread = 0; thread < threads; ++thread) {
      const int at0 = thread * 48 + 16, other = int(number & 0xff) * 16, far = int(number * 16);
      const int starts[rows] = {at0, at0 + 4, at0 + 32, at0 - 8, other, other + 4, int(number * 16 + 16), far - 16};
      for (int i = 0; i < rows * 16; ++i)
        ASSERT_EQ(got[std::size_t(thread * rows * 16 + i)], at(in, std::int64_t(starts[i / 16]) + i % 16))
            << "thread " << thread << ", number " << number << ", byte " << i;
    }
  }
}

// OWD-04 OWD-05
TEST_P(BufferAccess, owordBlocksBeyondTheEndAreNotWritten) {
  std::string source = "#include <cm/cm.h>\n";
  for (int bytes : {16, 32, 64, 128})
    source += fmt::format(
        "extern \"C\" _GENX_MAIN_ void write{0}(SurfaceIndex in, SurfaceIndex out, int offset, vector<uint, 1> u) {{\n"
        "  matrix<ushort, 2, {1}> m;\n  read(in, 0, m);\n  write(out, offset, m);\n}}\n",
        bytes, bytes / 4);
  Launcher run{test::open(GetParam()), test::compile(source)};
  Bytes in = pattern(128), out(150, 0xAA);
  for (int bytes : {16, 32, 64, 128})
    for (int offset : {0, 16, 80, 128, 144, 160, -16, -32, 1 << 30}) {
      Bytes got = run(fmt::format("write{}", bytes), in, out, offset, {0});
      for (int i = 0; i < 150; ++i)
        ASSERT_EQ(got[std::size_t(i)], i >= offset && i < offset + bytes ? in[std::size_t(i - offset)] : 0xAA)
            << bytes << " at " << offset << ", byte " << i;
    }
}

// SCT-01 SCT-02 SCT-05: elements that lie side by side, as many kernels count their places up: inside, over the end
// where a part of an element is left, in front of the beginning, and where places begin anew.
TEST_P(BufferAccess, scatteredElementsSideBySide) {
  constexpr int n = 16;
  pocm::Device device = test::open(GetParam());
  for (Element e : elements) {
    std::string source = "#include <cm/cm.h>\n";
    for (bool scaled : {false, true})
      source +=
          scatteredKernels(e, n, 1, scaled ? "_scaled" : "", scaled,
                           fmt::format("vector<uint, {0}> at; for (int i = 0; i < {0}; i++) at(i) = u(0) + i * {1};", n,
                                       scaled ? e.size : 1));
    Launcher run{device, test::compile(source)};
    for (bool scaled : {false, true})
      for (std::uint32_t start : {0u, 1u, 5u, 100u / unsigned(e.size), 140u / unsigned(e.size), 132u, 1000u, ~0u, ~5u,
                                  0x7FFFFFF9u, 0x80000000u, 0x3FFFFFFEu}) {
        constexpr std::uint32_t global = 4;
        expectScattered(run, e, n, scaled ? "_scaled" : "", pattern(152), global, {start}, [&](int k) {
          return std::int64_t(global + start + std::uint32_t(k) * (scaled ? std::uint32_t(e.size) : 1u)) *
                 (scaled ? 1 : e.size);
        });
      }
  }
}

// SCT-01 SCT-02 SCT-05 SCT-06 SCT-07 SCT-09 SCT-10 VEC-71 VEC-72 PIT-22 PIT-23
TEST_P(BufferAccess, scatteredElementsOfEveryTypeAndCount) {
  pocm::Device device = test::open(GetParam());
  auto suffixOf = [](int n, bool scaled) { return std::to_string(n) + (scaled ? "_scaled" : ""); };
  for (Element e : elements) {
    std::string source = "#include <cm/cm.h>\n";
    for (int n : counts)
      for (bool scaled : {false, true})
        source += scatteredKernels(e, n, n, suffixOf(n, scaled), scaled, fmt::format("vector<uint, {}> at = u;", n));
    Launcher run{device, test::compile(source)};
    for (int n : counts)
      for (bool scaled : {false, true}) {
        std::uint32_t step = scaled ? std::uint32_t(e.size) + 1 : 3; // distinct places, odd addresses among them
        std::vector<std::uint32_t> offsets;
        for (int k = 0; k < n; ++k)
          offsets.push_back(k % 8 == 7 ? 0x40000000u + std::uint32_t(k) : std::uint32_t(k) * step - 2);
        constexpr std::uint32_t global = 2; // offsets start below it and wrap
        expectScattered(run, e, n, suffixOf(n, scaled), pattern(150), global, offsets, [&](int k) {
          return std::int64_t(std::uint32_t(global + offsets[std::size_t(k)])) * (scaled ? 1 : e.size);
        });
      }
  }
}

// SCT-01 SCT-03
TEST_P(BufferAccess, elementsAtConstantDistances) {
  constexpr int lanes = 16, steps[] = {2, 3, 8, -4};
  constexpr unsigned room = 160;
  std::string source = "#include <cm/cm.h>\n";
  for (const char *type : {"uchar", "ushort", "uint"})
    for (int step : steps)
      source += fmt::format("extern \"C\" _GENX_MAIN_ void {0}{2}(SurfaceIndex in, SurfaceIndex out, uint first, "
                            "vector<uint, 1> u) {{\n  vector<uint, 16> at;\n  vector<{0}, 16> v;\n"
                            "#pragma unroll\n  for (int k = 0; k < 16; ++k)\n    at(k) = first + k * ({1});\n"
                            "  for (int j = 0; j < 2; ++j) {{\n    read(in, 0, at, v);\n    v += 1;\n"
                            "    write(out, 0, at, v);\n    at += 1;\n  }}\n}}\n",
                            type, step, step + 8);
  Launcher run{test::open(GetParam()), test::compile(source)};
  for (auto [type, size] : {std::pair("uchar", 1), {"ushort", 2}, {"uint", 4}})
    for (int step : steps)
      for (std::uint32_t first : {0u, 5u, 64u, 100u, 159u, 0x80000000u, 0xFFFFFFF0u, 0xFFFFFFFFu}) {
        const Bytes in = pattern(room * std::size_t(size));
        Bytes want(in.size(), 0x55);
        const Bytes got = run(fmt::format("{}{}", type, step + 8), in, want, std::int32_t(first), {0});
        for (std::uint32_t j = 0; j < 2; ++j)
          for (int k = 0; k < lanes; ++k)
            if (const std::uint32_t place = first + std::uint32_t(k * step) + j; place < room) {
              std::uint32_t x = 0;
              std::memcpy(&x, &in[place * std::uint32_t(size)], std::size_t(size));
              ++x;
              std::memcpy(&want[place * std::uint32_t(size)], &x, std::size_t(size));
            }
        EXPECT_EQ(got, want) << type << ' ' << step << ' ' << first;
      }
}

// SCT-03
TEST_P(BufferAccess, placesThatComeOneByOne) {
  constexpr unsigned count = 32, digits = 8, room = 50;
  Launcher run{test::open(GetParam()), test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void sorted(SurfaceIndex in, SurfaceIndex out, uint at, vector<uint, 8> u) {
  vector<ushort, 32> keys;
  read(in, 0, keys);
  vector<uint, 8> next = u;
  for (int i = 0; i < 32; i += 16) {
    vector<ushort, 16> some = keys.select<16, 1>(i);
    vector<uint, 16> place;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      place(k) = next(some(k) & 7);
      next(some(k) & 7) += 1;
    }
    write(out, at, place, some);
  }
})")};
  const Bytes in = pattern(count * 2);
  for (std::uint32_t first : {0u, 3u, 20u, 45u, 0xFFFFFFF0u}) {
    std::vector<std::uint32_t> next;
    for (unsigned d = 0; d < digits; ++d)
      next.push_back(first + d * 7);
    Bytes want(room * 2, 0x55);
    const Bytes got = run("sorted", in, want, 2, next);
    for (unsigned k = 0; k < count; ++k) {
      std::uint16_t key;
      std::memcpy(&key, &in[k * 2], 2);
      if (const std::uint32_t place = 2 + next[key % digits]++; place < room)
        std::memcpy(&want[place * 2], &key, 2);
    }
    EXPECT_EQ(got, want) << first;
  }
}

// Several accesses at equal distances, forwards and backwards: kernels strided... read in turn the elements from, from
// + 1 ... of each stride and write them in another order, all elements or not; all lanes do, or those below the host's
// u(0) alone read or write.
// SCT-01 SCT-02 SCT-03
TEST_P(BufferAccess, elementsAtEqualDistances) {
  constexpr unsigned room = 130;
  constexpr int strides[] = {1, 2, 3, 4, 6, -1, -2, -4}, lanes[] = {8, 16}, gap = 6;
  constexpr Element types[] = {{"uchar", 1}, {"ushort", 2}, {"uint", 4}};
  constexpr const char *kinds[] = {"all", "read", "write"};
  struct Case {
    Element e;
    int stride, n;
    std::string kind, name;
  };
  std::vector<Case> cases;
  for (Element e : types)
    for (int stride : strides)
      for (int n : lanes)
        for (std::string kind : kinds)
          if (kind == "all" || n + e.size != 18) // not all of them
            cases.push_back(
                {e, stride, n, kind,
                 fmt::format("strided_{}_{}{}_{}_{}", kind, stride < 0 ? "m" : "", std::abs(stride), n, e.type)});
  std::string source = "#include <cm/cm.h>\n";
  for (const Case &c : cases) {
    const int some = std::abs(c.stride);
    const std::string where = fmt::format("vector<uint, {}>(id + ", c.n);
    auto masked = [&](const char *kind, const std::string &text) {
      return c.kind == kind ? "  SIMD_IF_BEGIN(lane < u(0)) {\n" + text + "  } SIMD_IF_END;\n" : text;
    };
    std::string reads, writes;
    source +=
        fmt::format("extern \"C\" _GENX_MAIN_ void {0}(SurfaceIndex in, SurfaceIndex out, uint at, vector<uint, 8> "
                    "u) {{\n  vector<uint, {1}> id, lane;\n  for (int k = 0; k < {1}; ++k)\n    lane(k) = k;\n"
                    "  id = lane * {2} + at;\n",
                    c.name, c.n, c.stride);
    for (int k = 0; k < some; ++k) {
      source += fmt::format("  vector<{}, {}> v{} = {};\n", c.e.type, c.n, k, k + 9);
      reads += fmt::format("  read(in, 1, {}{}), v{});\n", where, k, k);
      if (some != gap || k != 4)
        writes += fmt::format("  write(out, 2, {0}{1}), vector<{2}, {3}>(v{4} + {1}));\n", where, (k + 1) % some,
                              c.e.type, c.n, k);
    }
    source += masked("read", reads) + masked("write", writes) + "}\n";
  }
  Launcher run{test::open(GetParam()), test::compile(source)};
  for (const Case &c : cases)
    for (std::uint32_t at : {0u, 5u, 31u, 95u, 126u, 140u, 0xFFFFFFF1u, 0xFFFFFFFDu, 0x7FFFFFFFu}) {
      const auto size = std::size_t(c.e.size);
      const Bytes in = pattern(room * size);
      const std::uint32_t below = at % 3 == 0 ? std::uint32_t(c.n) : at % 3 == 1 ? 0 : std::uint32_t(c.n) - 3;
      Bytes want(room * size, 0x55);
      const Bytes got = run(c.name, in, want, std::int32_t(at), std::vector<std::uint32_t>(8, below));
      const int some = std::abs(c.stride);
      for (int i = 0; i < some; ++i)
        for (int k = 0; k < c.n && !(some == gap && i == 4); ++k) {
          const std::uint32_t lane = at + std::uint32_t(k * c.stride), from = lane + std::uint32_t(i) + 1,
                              to = lane + std::uint32_t((i + 1) % some) + 2;
          std::uint32_t x = 0;
          if (c.kind == "read" && std::uint32_t(k) >= below)
            x = std::uint32_t(i) + 9;
          else if (from < room)
            std::memcpy(&x, &in[from * size], size);
          x += std::uint32_t((i + 1) % some);
          if (to < room && (c.kind != "write" || std::uint32_t(k) < below))
            std::memcpy(&want[to * size], &x, size);
        }
      ASSERT_EQ(got, want) << c.name << " at " << at << ", lanes below " << below;
    }
}

// Places by arithmetic that mostly follow each other: clamped, wrapped around, by quotients and remainders.
TEST_P(BufferAccess, placesThatMostlyFollow) {
  constexpr std::uint32_t room = 150;
  struct Places {
    const char *text; // of id and w
    std::uint32_t (*model)(std::uint32_t id, std::uint32_t w);
  };
  constexpr Places from[] = {
      {"cm_min<int>(cm_max<int>(vector<int, {0}>(id) - 3, 2), int(w) + 60)",
       [](std::uint32_t id, std::uint32_t w) {
         return std::uint32_t(std::min(std::max(std::int32_t(id - 3), 2), std::int32_t(w) + 60));
       }},
      {"id % w", [](std::uint32_t id, std::uint32_t w) { return id % w; }},
      {"id / w * 48 + id % w + 1", [](std::uint32_t id, std::uint32_t w) { return id / w * 48 + id % w + 1; }},
      {"(id & 63) + (id >> 6)", [](std::uint32_t id, std::uint32_t) { return (id & 63) + (id >> 6); }},
      {"id ^ w", [](std::uint32_t id, std::uint32_t w) { return id ^ w; }},
      {"cm_max<uint>(id, 0x80000000u) + 0x80000003u",
       [](std::uint32_t id, std::uint32_t) { return std::max(id, 0x80000000u) + 0x80000003u; }},
  };
  constexpr Places to[] = {
      // no place twice
      {"(id + w) & 127", [](std::uint32_t id, std::uint32_t w) { return (id + w) & 127; }},
      {"id ^ 20", [](std::uint32_t id, std::uint32_t) { return id ^ 20; }},
  };
  struct Lanes {
    Element e;
    int n;
  };
  constexpr Lanes kinds[] = {
      {{"uchar", 1}, 16}, {{"ushort", 2}, 16}, {{"uint", 4}, 8}, {{"uint", 4}, 16}, {{"uint", 4}, 32}};
  std::string source = "#include <cm/cm.h>\n";
  auto name = [](Element e, int n, const Places &f, const Places &t, const auto &all, const auto &others) {
    return fmt::format("follow_{}_{}_{}_{}", e.type, n, &f - all, &t - others);
  };
  for (const auto &[e, n] : kinds)
    for (const Places &f : from)
      for (const Places &t : to)
        source += fmt::format(R"(
extern "C" _GENX_MAIN_ void {0}(SurfaceIndex in, SurfaceIndex out, uint at, vector<uint, 8> u) {{
  vector<uint, {1}> id;
  for (int k = 0; k < {1}; ++k)
    id(k) = k;
  id += at;
  uint w = u(0);
  vector<{2}, {1}> v;
  vector<uint, {1}> from = {3}, to = {4};
  read(in, 0, from, v);
  v += 1;
  write(out, 0, to, v);
}}
)",
                              name(e, n, f, t, from, to), n, e.type, fmt::format(fmt::runtime(f.text), n), t.text);
  Launcher run{test::open(GetParam()), test::compile(source)};
  for (const auto &[e, n] : kinds)
    for (const Places &f : from)
      for (const Places &t : to)
        for (std::uint32_t at : {0u, 2u, 48u, 61u, 96u, 143u, 0xFFFFFFF8u, 0x7FFFFFF5u}) {
          const std::uint32_t w = std::array{16u, 7u, 64u, 1u}[std::size_t(&f - from + at) % 4];

          const auto size = std::size_t(e.size);
          const Bytes in = pattern(room * size);
          Bytes want(room * size, 0x55);
          const Bytes got =
              run(name(e, n, f, t, from, to), in, want, std::int32_t(at), std::vector<std::uint32_t>(8, w));
          for (std::uint32_t k = 0; k < std::uint32_t(n); ++k) {
            const std::uint32_t source = f.model(at + k, w), target = t.model(at + k, w);
            std::uint32_t x = 0;
            if (source < room)
              std::memcpy(&x, &in[source * size], size);
            ++x;
            if (target < room)
              std::memcpy(&want[target * size], &x, size);
          }
          ASSERT_EQ(got, want) << name(e, n, f, t, from, to) << " at " << at << ", " << w;
        }
}

// Records whose fields have several types.
TEST_P(BufferAccess, fieldsOfSeveralTypes) {
  Launcher run{test::open(GetParam()), test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void records(SurfaceIndex in, SurfaceIndex out, uint at, vector<uint, 8> u) {
  vector<uint, 16> id;
  for (int k = 0; k < 16; ++k)
    id(k) = k;
  id = id * 3 + at;
  vector<float, 16> x = 7;
  vector<uint, 16> n = 8;
  vector<int, 16> m = 9;
  SIMD_IF_BEGIN(id < u(0)) {
    read(in, 0, vector<uint, 16>(id + 1), x);
    read(in, 0, id, n);
    read(in, 0, vector<uint, 16>(id + 2), m);
  }
  SIMD_IF_END;
  write(out, 0, id, x);
  write(out, 0, vector<uint, 16>(id + 1), vector<uint, 16>(n >> 1));
  write(out, 0, vector<uint, 16>(id + 2), vector<int, 16>(m >> 1));
})")};
  constexpr unsigned room = 60;
  Bytes in = pattern(room * 4);
  for (std::size_t k = 3; k < in.size(); k += 4)
    in[k] = 0x3F; // no denormals, which moves of floats flush
  for (std::uint32_t at : {0u, 7u, 30u, 0xFFFFFFF6u})
    for (std::uint32_t below : {0xFFFFFFFFu, 33u}) {
      Bytes want(room * 4, 0x55);
      const Bytes got = run("records", in, want, std::int32_t(at), std::vector<std::uint32_t>(8, below));
      for (unsigned k = 0; k < 16; ++k) {
        const std::uint32_t id = at + 3 * k;
        auto field = [&](std::uint32_t number, std::uint32_t otherwise) {
          std::uint32_t value = id < below ? 0 : otherwise;
          if (id < below && id + number < room)
            std::memcpy(&value, &in[(id + number) * 4], 4);
          return value;
        };
        const std::uint32_t values[] = {field(1, std::bit_cast<std::uint32_t>(7.0f)), field(0, 8) >> 1,
                                        std::uint32_t(std::int32_t(field(2, 9)) >> 1)};
        for (std::uint32_t c = 0; c < 3; ++c)
          if (id + c < room)
            std::memcpy(&want[(id + c) * 4], &values[c], 4);
      }
      EXPECT_EQ(got, want) << at << ", below " << below;
    }
}

// As many scatters as elements in a stride, which leave gaps, as some lie strides apart.
TEST_P(BufferAccess, scattersThatLeaveGaps) {
  Launcher run{test::open(GetParam()), test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void gaps(SurfaceIndex in, SurfaceIndex out, uint at, vector<uint, 8> u) {
  vector<uint, 16> id, x, y;
  for (int k = 0; k < 16; ++k)
    id(k) = k;
  id = id * 2 + at;
  read(in, 0, x);
  read(in, 64, y);
  write(out, 0, id, x);
  write(out, 0, vector<uint, 16>(id + 5), y);
})")};
  constexpr unsigned room = 50;
  const Bytes in = pattern(128);
  for (std::uint32_t at : {0u, 6u, 11u, 40u}) {
    Bytes want(room * 4, 0x55);
    const Bytes got = run("gaps", in, want, std::int32_t(at), std::vector<std::uint32_t>(8));
    for (unsigned second : {0u, 1u})
      for (unsigned k = 0; k < 16; ++k)
        if (const std::uint32_t to = at + 2 * k + 5 * second; to < room)
          std::memcpy(&want[to * 4], &in[second * 64 + k * 4], 4);
    EXPECT_EQ(got, want) << at;
  }
}

// The same in shared local memory.
TEST_P(BufferAccess, elementsAtEqualDistancesElsewhere) {
  Launcher run{test::open(GetParam()), test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void shared(SurfaceIndex in, SurfaceIndex out, uint at, vector<uint, 8> u) {
  cm_slm_init(1024);
  uint slm = cm_slm_alloc(1024);
  vector<uint, 16> x, y, id;
  read(in, 0, x);
  read(in, 64, y);
  for (int k = 0; k < 16; ++k)
    id(k) = k;
  id = id * 2 + at;
  cm_slm_write(slm, vector<uint, 16>(id + 1), x);
  cm_slm_write(slm, id, y);
  cm_barrier();
  vector<uint, 16> back;
  cm_slm_read(slm, vector<uint, 16>(at + 31 - (id - at)), back);
  write(out, 0, back);
  cm_slm_read(slm, id, back);
  write(out, 64, back);
}
)")};
  const Bytes in = pattern(128);
  std::uint32_t x[16], y[16], want[32];
  std::memcpy(x, in.data(), 64);
  std::memcpy(y, in.data() + 64, 64);
  for (int k = 0; k < 16; ++k)
    want[k] = x[15 - k], want[16 + k] = y[k];
  for (std::uint32_t at : {0u, 3u, 100u}) {
    Bytes bytes(128);
    std::memcpy(bytes.data(), want, 128);
    EXPECT_EQ(run("shared", in, Bytes(128), std::int32_t(at), std::vector<std::uint32_t>(8)), bytes) << at;
  }
}

// UNT-01 UNT-02 UNT-03 UNT-04 VEC-77 ENM-02
TEST_P(BufferAccess, untypedChannelsLeaveNoGaps) {
  std::string source = "#include <cm/cm.h>\n";
  for (int mask = 1; mask < 16; ++mask)
    source += fmt::format("extern \"C\" _GENX_MAIN_ void untyped{0}(SurfaceIndex in, SurfaceIndex out, uint unused, "
                          "vector<uint, 8> u) {{\n"
                          "  matrix<int, {1}, 8> m;\n  read_untyped(in, ChannelMaskType({0}), m, u);\n  m += 1;\n"
                          "  write_untyped(out, ChannelMaskType({0}), m, u);\n}}\n",
                          mask, std::popcount(unsigned(mask)));
  Launcher run{test::open(GetParam()), test::compile(source)};
  constexpr int dwords = 40;
  Bytes in = pattern(dwords * 4);
  std::vector<std::uint32_t> offsets{0, 8, 4, 16, 38, 12, 0xFFFFFFFE, 24}; // one over the end, one around 0
  for (int mask = 1; mask < 16; ++mask) {
    Bytes want(dwords * 4, 0x55), got = run("untyped" + std::to_string(mask), in, want, 0, offsets);
    for (std::uint32_t offset : offsets)
      for (int c = 0; c < 4; ++c)
        if (std::uint32_t place = offset + std::uint32_t(c); (mask >> c & 1) && place < dwords) {
          std::uint32_t x;
          std::memcpy(&x, &in[place * 4], 4);
          x += 1;
          std::memcpy(&want[place * 4], &x, 4);
        }
    EXPECT_EQ(got, want) << mask;
  }
}

// SCT-03 SCT-04
TEST_P(BufferAccess, singleElements) {
  Launcher run{test::open(GetParam()), test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void one(SurfaceIndex in, SurfaceIndex out, uint element, vector<uint, 1> u) {
  ushort x = read<ushort>(in, element);
  write(out, element, ushort(x + 1));
  write(out, 1u, u(0), float(x));
})")};
  Bytes in = pattern(20), got = run("one", in, Bytes(20), 3, {2});
  std::uint16_t x, y;
  float f;
  std::memcpy(&x, &in[6], 2);
  std::memcpy(&y, &got[6], 2);
  std::memcpy(&f, &got[12], 4);
  EXPECT_EQ(y, std::uint16_t(x + 1));
  EXPECT_EQ(f, float(x));
  EXPECT_EQ(run("one", in, Bytes(20), 100, {100}), Bytes(20)); // beyond the end
}

INSTANTIATE_TEST_SUITE_P(Cpus, BufferAccess, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
