//===- models.cpp - Data of the kernels of models_genx.cpp ----------------------------------===//
#include "Work.h"
#include <algorithm>
#include <numeric>

namespace {

Surface words(std::size_t count, int least, int most, unsigned seed) {
  Surface s = buffer(count * 2);
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < count; ++i)
    s.as<std::int16_t>()[i] = std::int16_t(least + int(random() % unsigned(most - least + 1)));
  return s;
}

Surface scales(std::size_t count) {
  Surface s = buffer(count * 2);
  for (std::size_t i = 0; i < count; ++i)
    s.as<_Float16>()[i] = _Float16(0.001f * float(1 + i % 7));
  return s;
}

/// Letters by the next eight bits: a code is as many ones as the letter's number says, and a zero, so that short ones
/// are frequent in random bits.
Surface letters() {
  Surface s = buffer(512);
  for (unsigned bits = 0; bits < 256; ++bits) {
    unsigned ones = 0;
    while (ones < 7 && (bits >> ones & 1))
      ++ones;
    s.as<std::uint16_t>()[bits] = std::uint16_t((ones + 1) << 8 | ('a' + ones));
  }
  return s;
}

/// Links to smaller numbers not far away; here and there one to itself.
Surface links(std::size_t count) {
  Surface s = buffer(count * 4);
  std::mt19937 random(33);
  for (std::size_t i = 0; i < count; ++i)
    s.as<std::uint32_t>()[i] = std::uint32_t(random() % 16 ? i - std::min<std::size_t>(i, random() % 2000) : i);
  return s;
}

/// Ones and minus ones: what each state sends on its two wires.
Surface signs() {
  Surface s = buffer(128);
  for (unsigned k = 0; k < 32; ++k) {
    s.as<std::int16_t>()[k] = std::popcount(2 * k & 0x6d) % 2 ? 1 : -1;
    s.as<std::int16_t>()[32 + k] = std::popcount(2 * k & 0x4f) % 2 ? 1 : -1;
  }
  return s;
}

/// Systems whose middle is larger than the rest of its row.
Surface diagonals(std::size_t groups) {
  Surface s = floats(buffer(groups * 8192), -1, 1);
  for (std::size_t i = 0; i < s.count<float>(); ++i)
    if (i / 16 % 4 == 1)
      s.as<float>()[i] += 4;
  return s;
}

/// The places of 8 x 8 numbers, diagonal by diagonal.
Surface diagonalOrder() {
  std::vector<std::uint16_t> order(64);
  std::iota(order.begin(), order.end(), std::uint16_t(0));
  std::sort(order.begin(), order.end(), [](int a, int b) {
    const int s = a / 8 + a % 8, t = b / 8 + b % 8;
    return s != t ? s < t : s % 2 ? a / 8 < b / 8 : a % 8 < b % 8;
  });
  Surface s = buffer(128);
  std::memcpy(s.bytes.data(), order.data(), 128);
  return s;
}

} // namespace

std::vector<Work> models(int width, int height, int count) {
  const auto n = std::size_t(count);
  const pocm::ThreadSpace one{unsigned(count), 1};
  auto work = [](const char *kernel, std::vector<Surface> surfaces, pocm::ThreadSpace space, Compare how, auto plain,
                 std::vector<std::vector<Bytes>> numbers = {}) {
    return Work{"models", kernel, std::move(surfaces), std::move(numbers), space, how, plain};
  };
  auto u = [](Surface &s) { return s.as<std::uint32_t>(); };
  auto f = [](Surface &s) { return s.as<float>(); };
  auto h = [](Surface &s) { return s.as<std::int16_t>(); };
  const int cells = width / 32 * 16, rows = height / 4, pitch = cells + 32, wide = 1024, keys = 512, pairs = 256;
  const auto plane = std::size_t(9 * pitch * (rows + 2)) * 4;
  const std::vector<float> m = {0.9f, 0.1f, 5, -0.08f, 1.05f, 3, 0.00005f, 0.00002f, 1};
  std::vector<Bytes> matrix(36);
  std::memcpy(matrix.data(), m.data(), 36);
  Surface zeros = buffer(plane, true);
  return {
      work("lattice", {floats(buffer(plane), 0.1f, 1), zeros}, {unsigned(cells / 16), unsigned(rows)}, Compare::Close,
           [=](auto &s) { plainLattice(f(s[0]), f(s[1]), pitch, rows, cells, 1.2f); },
           {number(pitch), number(rows), number(1.2f)}),
      work("fourbit",
           {randomBytes(buffer(n * wide / 2)), scales(n * wide / 32 + 8), floats(buffer(wide * 4), -1, 1),
            buffer(n * 4, true)},
           one, Compare::Close,
           [=](auto &s) {
             plainFourbit(s[0].bytes.data(), s[1].template as<_Float16>(), f(s[2]), f(s[3]), count, wide);
           },
           {number(wide)}),
      work("attention",
           {floats(buffer(n / 2 * 256 + 256), -1, 1), floats(buffer(keys * 256), -1, 1),
            floats(buffer(keys * 256), 0, 1), buffer(n / 2 * 256 + 256, true)},
           {unsigned(count / 2 + 1), 1}, Compare::Close,
           [=](auto &s) { plainAttention(f(s[0]), f(s[1]), f(s[2]), f(s[3]), count / 2 + 1, keys); }, {number(keys)}),
      work("tables", {dwords(n * 64, 0, 41), dwords(1024, 0, 42), dwords(36, 0, 43), buffer(n * 256, true)}, one,
           Compare::Exact, [=](auto &s) { plainTables(u(s[0]), u(s[1]), u(s[2]), u(s[3]), count * 16); }),
      work("sponge", {dwords(n * 400, 0, 44), dwords(96, 0, 45), buffer(n * 1600, true)}, one, Compare::Exact,
           [=](auto &s) {
             plainSponge(s[0].template as<std::uint64_t>(), s[1].template as<std::uint64_t>(),
                         s[2].template as<std::uint64_t>(), count);
           }),
      work("perspective", {dwords(std::size_t(width * height), 0, 46), buffer(std::size_t(width * height) * 4, true)},
           {unsigned(width / 16), unsigned(height)}, Compare::Almost,
           [=](auto &s) { plainPerspective(u(s[0]), u(s[1]), m.data(), width, height); },
           {matrix, number(width), number(height)}),
      work("cube", {dwords(n * 16, 0, 47), dwords(4913, 0, 48), buffer(n * 64, true)}, one, Compare::Exact,
           [=](auto &s) { plainCube(u(s[0]), u(s[1]), u(s[2]), count * 16); }),
      work("codes", {dwords(n * 640, 65536, 49), letters(), buffer(n * 1024, true)}, one, Compare::Exact,
           [=](auto &s) { plainCodes(u(s[0]), s[1].template as<std::uint16_t>(), s[2].bytes.data(), count * 16); }),
      work("lists", {links(n * 16), buffer(n * 64, true)}, one, Compare::Exact,
           [=](auto &s) { plainLists(u(s[0]), u(s[1]), count * 16); }),
      work("trellis",
           {words(n / 4 * pairs * 2 + pairs * 2, -15, 15, 50), signs(), buffer((n / 4 + 1) * pairs * 8, true),
            buffer((n / 4 + 1) * 128, true)},
           {unsigned(count / 4 + 1), 1}, Compare::Exact,
           [=](auto &s) {
             plainTrellis(h(s[0]), h(s[1]), s[2].template as<std::uint64_t>(), h(s[3]), count / 4 + 1, pairs);
           },
           {number(pairs)}),
      work("systems", {diagonals(n), buffer(n * 2048, true)}, one, Compare::Close,
           [=](auto &s) { plainSystems(f(s[0]), f(s[1]), count); }),
      work("limbs", {dwords(n * 256, 0, 51), buffer(n * 1024, true)}, one, Compare::Exact,
           [=](auto &s) { plainLimbs(u(s[0]), u(s[1]), count); }),
      work("kept", {dwords(n * 256, 0, 52), buffer(n * 1024, true), buffer(n * 4, true)}, one, Compare::Exact,
           [=](auto &s) { plainKept(u(s[0]), u(s[1]), u(s[2]), 1U << 31, count); }, {number(1U << 31)}),
      work("zigzag",
           {words(n * 64, -300, 300, 53), words(64, 100, 2000, 54), diagonalOrder(), buffer(n * 128, true),
            buffer(n * 4, true)},
           one, Compare::Exact, [=](auto &s) {
             plainZigzag(h(s[0]), h(s[1]), s[2].template as<std::uint16_t>(), h(s[3]), u(s[4]), count);
           })};
}
