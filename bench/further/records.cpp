//===- records.cpp - Data of the kernels of records_genx.cpp --------------------------------===//
#include "Work.h"
#include <algorithm>

namespace {

/// Small numbers in some pixels, their places as labels in a connected part each, 0 elsewhere.
Surface places(int width, int height) {
  Surface s = image(width, height, 4);
  std::mt19937 random(9);
  for (std::size_t i = 0; i < s.count<std::uint32_t>(); ++i)
    s.as<std::uint32_t>()[i] = random() % 8 < 5 ? std::uint32_t(i + 1) : 0;
  return s;
}

/// Dwords in ascending order.
Surface sorted(std::size_t count) {
  Surface s = randomBytes(buffer(count * 4));
  std::sort(s.as<std::uint32_t>(), s.as<std::uint32_t>() + count);
  return s;
}

/// Letters of an alphabet of four.
Surface letters(std::size_t bytes) { return randomBytes(buffer(bytes), 3); }

/// Boxes before and behind the origin, none around it: least and most of x, y and z, and two floats that nobody reads.
Surface boxes(int count) {
  Surface s = buffer(std::size_t(count) * 32);
  std::mt19937 random(10);
  auto number = [&] { return float(random() % 2000) / 100 - 10; };
  for (int i = 0; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      float least = number();
      s.as<float>()[8 * i + 2 * axis] = least;
      s.as<float>()[8 * i + 2 * axis + 1] = least + 1;
    }
  return s;
}

/// Directions without zeros.
Surface directions(std::size_t count) {
  Surface s = floats(buffer(count * 192), 0.1f, 1);
  for (std::size_t i = 0; i < s.count<float>(); i += 3)
    s.as<float>()[i] = -s.as<float>()[i];
  return s;
}

} // namespace

std::vector<Work> records(int width, int height, int count) {
  const auto n = std::size_t(count);
  const pocm::ThreadSpace one{unsigned(count), 1};
  const int stops = std::min(512, count * 16) / 16 * 16, number_of_boxes = 64;
  const std::vector<std::uint32_t> key = {1, 22, 333, 4444, 55555, 666666, 7777777, 88888888};
  std::vector<Bytes> keyBytes(32);
  std::memcpy(keyBytes.data(), key.data(), keyBytes.size());
  std::vector<float> turned = {0.8f, 0.6f, 0, 0.01f, -0.6f, 0.8f, 0, 0.02f, 0, 0, 1, 0.03f, 1, 2, 3, 4};
  std::vector<Bytes> turnedBytes(64);
  std::memcpy(turnedBytes.data(), turned.data(), turnedBytes.size());
  Surface first = floats(image(stops, stops, 4), 1, 100), second = first;
  std::reverse(second.as<float>(), second.as<float>() + second.count<float>());
  return {
      Work{"records",
           "ways",
           {first, second, image(stops, stops, 4, true)},
           {number(stops)},
           {unsigned(stops / 16), unsigned(stops / 8)},
           Compare::Exact,
           [=](auto &s) {
             plainWays(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(), stops);
           }},
      Work{"records",
           "labels",
           {places(width, height), image(width, height, 4, true)},
           {},
           {unsigned((width + 5) / 6), unsigned((height + 5) / 6)},
           Compare::Exact,
           [=](auto &s) {
             plainLabels(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(), width, height);
           }},
      Work{"records",
           "runs",
           {randomBytes(buffer(n * 64), 1), buffer(n * 160, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) { plainRuns(s[0].bytes.data(), s[1].template as<std::uint16_t>(), count); }},
      Work{"records",
           "edits",
           {letters(n * 512), buffer(n * 32, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) { plainEdits(s[0].bytes.data(), s[1].template as<std::uint16_t>(), count); }},
      Work{"records",
           "chacha",
           {buffer(n * 1024, true)},
           {keyBytes},
           one,
           Compare::Exact,
           [=](auto &s) { plainChacha(key.data(), s[0].template as<std::uint32_t>(), count); }},
      Work{"records",
           "rounds",
           {randomBytes(buffer(n * 256)), randomBytes(buffer(4096)), randomBytes(buffer(160)), buffer(n * 256, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) {
             plainRounds(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(),
                         s[2].template as<std::uint32_t>(), s[3].template as<std::uint32_t>(), count);
           }},
      Work{"records",
           "adler",
           {randomBytes(buffer(n * 1024)), buffer(n * 16, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) { plainAdler(s[0].bytes.data(), s[1].template as<std::uint32_t>(), count); }},
      Work{"records",
           "points",
           {floats(buffer(n * 128), 0, 10), buffer(n * 128, true)},
           {turnedBytes},
           one,
           Compare::Close,
           [=](auto &s) {
             plainPoints(s[0].template as<float>(), s[1].template as<float>(), turned.data(), count * 8);
           }},
      Work{"records",
           "rays",
           {directions(n), boxes(number_of_boxes), buffer(n * 128, true)},
           {number(number_of_boxes)},
           one,
           Compare::Close,
           [=](auto &s) {
             plainRays(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(), number_of_boxes,
                       count);
           }},
      Work{"records",
           "yuv",
           {randomBytes(buffer(n * 96)), buffer(n * 96, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) { plainYuv(s[0].bytes.data(), s[1].bytes.data(), count); }},
      Work{"records",
           "places",
           {randomBytes(buffer(n * 64)), sorted(4096), buffer(n * 64, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) {
             plainPlaces(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(),
                         s[2].template as<std::uint32_t>(), count * 16);
           }},
      Work{"records",
           "decimals",
           {randomBytes(buffer(n * 32)), buffer(n * 96, true)},
           {},
           one,
           Compare::Exact,
           [=](auto &s) { plainDecimals(s[0].template as<std::uint32_t>(), s[1].bytes.data(), count * 8); }}};
}
