//===- scenes.cpp - Data of the kernels of scenes_genx.cpp ----------------------------------===//
#include "Work.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace {

/// Directions of length 1.
Surface directions(int groups) {
  Surface s = floats(buffer(std::size_t(groups) * 192), -1, 1);
  for (int group = 0; group < groups; ++group)
    for (int lane = 0; lane < 16; ++lane) {
      float *d = s.as<float>() + 48 * group + lane;
      float length = std::sqrt(d[0] * d[0] + d[16] * d[16] + d[32] * d[32]);
      d[0] /= length, d[16] /= length, d[32] /= length;
    }
  return s;
}

/// Places around the origin, and a radius's square.
Surface spheres(int count) {
  Surface s = floats(buffer(std::size_t(count) * 16), -10, 10);
  for (int i = 0; i < count; ++i)
    s.as<float>()[4 * i + 3] = 1 + float(i % 5) / 4;
  return s;
}

/// A permutation of 0 to 255, twice, and its begin once more.
Surface permutation() {
  Surface s = buffer(516 * 4);
  auto *at = s.as<std::uint32_t>();
  std::iota(at, at + 256, 0);
  std::mt19937 random(11);
  for (unsigned i = 255; i > 0; --i)
    std::swap(at[i], at[random() % (i + 1)]);
  for (unsigned i = 256; i < 516; ++i)
    at[i] = at[i - 256];
  return s;
}

/// Points at most 84 from the origin on each axis: their distance is at most 119.
Surface points(int count) {
  Surface s = buffer(std::size_t(count) * 4);
  std::mt19937 random(12);
  for (std::size_t i = 0; i < s.count<std::int16_t>(); ++i)
    s.as<std::int16_t>()[i] = std::int16_t(int(random() % 169) - 84);
  return s;
}

Surface angles(int count) {
  Surface s = buffer(std::size_t(count) * 16);
  for (int i = 0; i < count; ++i) {
    double angle = std::numbers::pi * i / count;
    s.as<std::int32_t>()[4 * i] = std::int32_t(65536 * std::cos(angle));
    s.as<std::int32_t>()[4 * i + 1] = std::int32_t(65536 * std::sin(angle));
  }
  return s;
}

/// Places before each place, or itself.
Surface before(int count) {
  Surface s = dwords(std::size_t(count), 1u << 31, 13);
  for (int i = 0; i < count; ++i)
    s.as<std::uint32_t>()[i] %= std::uint32_t(i + 1);
  return s;
}

} // namespace

std::vector<Work> scenes(int width, int height, int count) {
  const auto n = std::size_t(count);
  const pocm::ThreadSpace one{unsigned(count), 1};
  const int numberOfSpheres = 64, numberOfPoints = 1024, lines = std::min(count, 256);
  const float scale = 0.037f;
  const std::uint32_t pivot = 0x60000000;
  return {
      Work{"scenes",
           "edges",
           {randomBytes(image(width, height, 1)), image(width, height, 1, true)},
           {},
           {threads(width, 28), threads(height, 4)},
           Compare::Exact,
           [=](auto &s) { plainEdges(s[0].bytes.data(), s[1].bytes.data(), width, height); }},
      Work{"scenes",
           "halfcolour",
           {randomBytes(image(width, height, 4)), image(width, height, 1, true), image(width / 2, height / 2, 1, true),
            image(width / 2, height / 2, 1, true)},
           {},
           {threads(width, 16), threads(height, 8)},
           Compare::Exact,
           [=](auto &s) {
             plainHalfcolour(s[0].bytes.data(), s[1].bytes.data(), s[2].bytes.data(), s[3].bytes.data(), width, height);
           }},
      Work{"scenes",
           "larger",
           {randomBytes(image(width, height, 1)), image(2 * width, 2 * height, 1, true)},
           {},
           {threads(width, 16), threads(height, 4)},
           Compare::Exact,
           [=](auto &s) { plainLarger(s[0].bytes.data(), s[1].bytes.data(), width, height); }},
      Work{"scenes",
           "spheres",
           {directions(count), spheres(numberOfSpheres), buffer(n * 128, true)},
           {number(numberOfSpheres)},
           one,
           Compare::Close,
           [=](auto &s) {
             plainSpheres(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(),
                          numberOfSpheres, count);
           }},
      Work{"scenes",
           "noise",
           {permutation(), image(width / 16 * 16, height / 4, 4, true)},
           {number(scale)},
           {unsigned(width / 16), unsigned(height / 4)},
           Compare::Close,
           [=](auto &s) {
             plainNoise(s[0].template as<std::uint32_t>(), s[1].template as<float>(), scale, width / 16 * 16,
                        height / 4);
           }},
      Work{"scenes",
           "fewer",
           {floats(buffer(n * 256 + 128), -1, 1), floats(buffer(128), 0, 1), buffer(n * 64, true)},
           {},
           one,
           Compare::Close,
           [=](auto &s) {
             plainFewer(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(), count * 16);
           }},
      Work{"scenes",
           "determinants",
           {floats(buffer(n * 1024), -1, 1), buffer(n * 64, true)},
           {},
           one,
           Compare::Close,
           [=](auto &s) { plainDeterminants(s[0].template as<float>(), s[1].template as<float>(), count * 16); }},
      Work{"scenes",
           "parts",
           {randomBytes(buffer(n * 256)), buffer(n * 256, true)},
           {number(pivot)},
           one,
           Compare::Exact,
           [=](auto &s) {
             plainParts(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(), pivot, count);
           }},
      Work{"scenes",
           "bitmatrix",
           {randomBytes(buffer(n * 128)), buffer(n * 128, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) {
             plainBitmatrix(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(), count);
           }},
      Work{"scenes",
           "votes",
           {points(numberOfPoints), angles(lines), buffer(std::size_t(lines) * 1024, true)},
           {number(numberOfPoints)},
           {unsigned(lines), 1},
           Compare::Exact,
           [=](auto &s) {
             plainVotes(s[0].template as<std::int16_t>(), s[1].template as<std::int32_t>(),
                        s[2].template as<std::uint32_t>(), numberOfPoints, lines);
           }},
      Work{"scenes",
           "steps",
           {buffer(n * 64, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) { plainSteps(s[0].template as<std::uint32_t>(), count * 16); }},
      Work{"scenes",
           "matches",
           {dwords(n * 16 + 16, 2, 14), before(count * 16), buffer(n * 64, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) {
             plainMatches(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(),
                          s[2].template as<std::uint32_t>(), count * 16);
           }},
      Work{"scenes",
           "draws",
           {dwords(256, 1u << 24, 15), dwords(256, 256, 16), buffer(n * 64, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) {
             plainDraws(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(),
                        s[2].template as<std::uint32_t>(), count * 16);
           }},
      Work{"scenes",
           "roots",
           {floats(buffer(n * 64), 0.01f, 1000), buffer(n * 64, true)},
           {},
           one,
           Compare::Close,
           [=](auto &s) { plainRoots(s[0].template as<float>(), s[1].template as<float>(), count * 16); }},
      Work{"scenes", "upwards", {before(count * 16), buffer(n * 64, true)}, {}, one, Compare::Exact, [=](auto &s) {
             plainUpwards(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(), count * 16);
           }}};
}
