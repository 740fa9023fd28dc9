//===- places.cpp - Data of the kernels of places_genx.cpp ----------------------------------===//
#include "Work.h"

namespace {

/// What moves between two pictures, with some noise.
Surface moved(const Surface &from, int width, int dx, int dy) {
  Surface s = from;
  std::mt19937 random(9);
  for (std::size_t i = 0; i < s.bytes.size(); ++i)
    s.bytes[i] = Bytes(from.bytes[(i + std::size_t(dy * width + dx)) % s.bytes.size()] ^ (random() & 3));
  return s;
}

} // namespace

std::vector<Work> places(int width, int height, int count) {
  const Surface before = randomBytes(image(width, height, 1));
  const int across = (width - 24) / 16, down = (height - 24) / 16;
  const std::vector<float> turn = {0.8f, 0.6f, 0, 0, -0.6f, 0.8f, 0, 0, 0, 0, 1.5f, 0.1f, 3, -2, 0.5f, 1};
  std::vector<Bytes> turnBytes(turn.size() * sizeof(float));
  std::memcpy(turnBytes.data(), turn.data(), turnBytes.size());
  const auto n = std::size_t(count) * 64;
  return {Work{"places",
               "motion",
               {moved(before, width, 2, 3), before, buffer(std::size_t(across * down) * 4, true)},
               {number(across)},
               {unsigned(across), unsigned(down)},
               Compare::Exact,
               [=](auto &s) {
                 plainMotion(s[0].bytes.data(), s[1].bytes.data(), s[2].template as<std::uint32_t>(), width, across,
                             down);
               }},
          Work{"places",
               "fields",
               {before, image(width, height / 16 * 8, 1, true)},
               {},
               {unsigned(width / 32), unsigned(height / 16)},
               Compare::Exact,
               [=](auto &s) { plainFields(s[0].bytes.data(), s[1].bytes.data(), width, height / 16 * 8); }},
          Work{"places",
               "vertices",
               {floats(buffer(n * 16), -1, 1), buffer(n * 16, true)},
               {turnBytes},
               {unsigned(count), 1},
               Compare::Close,
               [=](auto &s) {
                 plainVertices(s[0].template as<float>(), s[1].template as<float>(), turn.data(), count * 64);
               }},
          Work{"places",
               "borders",
               {floats(buffer(std::size_t(width * height) * 4), 0, 1), buffer(std::size_t(width * height) * 4, true)},
               {number(width), number(height)},
               {unsigned(width / 16), unsigned(height)},
               Compare::Close,
               [=](auto &s) { plainBorders(s[0].template as<float>(), s[1].template as<float>(), width, height); }},
          Work{"places",
               "letters",
               {randomBytes(buffer(n * 8)), buffer(n * 8, true)},
               {number(int('e'))},
               {unsigned(count * 4), 1},
               Compare::Exact,
               [=](auto &s) { plainLetters(s[0].bytes.data(), s[1].bytes.data(), 'e', count * 512); }},
          Work{"places",
               "layers",
               {randomBytes(buffer(n * 8)), moved(randomBytes(buffer(n * 8)), 64, 1, 1), buffer(n * 8, true)},
               {number(-9)},
               {unsigned(count * 4), 1},
               Compare::Exact,
               [=](auto &s) {
                 plainLayers(s[0].template as<std::int8_t>(), s[1].template as<std::int8_t>(),
                             s[2].template as<std::int8_t>(), -9, count * 512);
               }}};
}
