//===- lists.cpp - Data of the kernels of lists_genx.cpp ------------------------------------===//
#include "Work.h"
#include <algorithm>

namespace {

/// Lists of 64 dwords, each sorted.
Surface sortedLists(std::size_t count) {
  Surface s = dwords(count * 64, 1u << 31, 21);
  for (std::size_t i = 0; i < count; ++i)
    std::sort(s.as<std::uint32_t>() + 64 * i, s.as<std::uint32_t>() + 64 * i + 64);
  return s;
}

/// A table of 4096 places, half of which have a key of 1 to 2048 and a value.
Surface hashTable() {
  Surface s = buffer(4096 * 8);
  auto *at = s.as<std::uint32_t>();
  for (std::uint32_t key = 1; key <= 2048; ++key) {
    std::uint32_t place = key * 2654435761u >> 20;
    while (at[2 * place])
      place = (place + 1) & 4095;
    at[2 * place] = key;
    at[2 * place + 1] = key * 3;
  }
  return s;
}

/// Keys, of which some are not in the table; none is 0.
Surface someKeys(std::size_t count) {
  Surface s = dwords(count, 4096, 22);
  for (std::size_t i = 0; i < count; ++i)
    ++s.as<std::uint32_t>()[i];
  return s;
}

/// Letters of four kinds.
Surface letters(std::size_t bytes, unsigned seed) {
  Surface s = buffer(bytes);
  std::mt19937 random(seed);
  for (Bytes &b : s.bytes)
    b = Bytes('A' + random() % 4);
  return s;
}

} // namespace

std::vector<Work> lists(int width, int height, int count) {
  const auto n = std::size_t(count);
  const int columns = width / 16, rows = height / 16, sensorWidth = width / 14 * 14;
  const pocm::ThreadSpace one{unsigned(count), 1};
  auto work = [](const char *kernel, std::vector<Surface> surfaces, pocm::ThreadSpace space, Compare how, auto plain,
                 std::vector<std::vector<Bytes>> numbers = {}) {
    return Work{"lists", kernel, std::move(surfaces), std::move(numbers), space, how, plain};
  };
  auto words = [](Surface &s) { return s.as<std::uint32_t>(); };
  return {
      work("paths", {dwords(n * 256, 1u << 16, 23), buffer(n * 1024, true)}, one, Compare::Exact,
           [=](auto &s) { plainPaths(words(s[0]), words(s[1]), count); }),
      work("align", {letters(n * 32, 24), letters(n * 96 + 32, 25), buffer(n * 64, true)}, one, Compare::Exact,
           [=](auto &s) { plainAlign(s[0].bytes.data(), s[1].bytes.data(), s[2].template as<std::int16_t>(), count); }),
      work("digits", {dwords(n * 256, 1u << 31, 26), buffer(n * 1024, true)}, one, Compare::Exact,
           [=](auto &s) { plainDigits(words(s[0]), words(s[1]), count); }),
      work("neighbours", {floats(buffer(n * 128), 0, 1), floats(buffer(2048), 0, 1), buffer(n * 256, true)}, one,
           Compare::Close,
           [=](auto &s) {
             plainNeighbours(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(), count);
           }),
      work("cells", {randomBytes(image(width, height, 1)), buffer(std::size_t(columns * rows) * 128, true)},
           {unsigned(columns), unsigned(rows)}, Compare::Exact,
           [=](auto &s) { plainCells(s[0].bytes.data(), words(s[1]), width, height); }, {number(columns)}),
      work("earlier", {letters(n * 256 + 32, 27), buffer(n * 256, true)}, one, Compare::Exact,
           [=](auto &s) { plainEarlier(s[0].bytes.data(), s[1].bytes.data(), count); }),
      work("running", {dwords(n * 256, 1u << 31, 28), buffer(n * 1024, true)}, one, Compare::Exact,
           [=](auto &s) { plainRunning(words(s[0]), words(s[1]), count); }),
      work("chamfer", {randomBytes(image(width / 32 * 32, height, 1)), image(width / 32 * 32, height, 1, true)},
           {unsigned(width / 32), threads(height, 8)}, Compare::Exact,
           [=](auto &s) { plainChamfer(s[0].bytes.data(), s[1].bytes.data(), width / 32 * 32, height); }),
      work("sensor", {randomBytes(image(sensorWidth, height, 1)), image(sensorWidth, height, 4, true)},
           {unsigned(sensorWidth / 14), threads(height, 4)}, Compare::Exact,
           [=](auto &s) { plainSensor(s[0].bytes.data(), s[1].bytes.data(), sensorWidth, height); }),
      work("merged", {sortedLists(2 * n), buffer(n * 512, true)}, one, Compare::Exact,
           [=](auto &s) { plainMerged(words(s[0]), words(s[1]), count); }),
      work("keys", {someKeys(n * 16), hashTable(), buffer(n * 64, true)}, one, Compare::Exact,
           [=](auto &s) { plainKeys(words(s[0]), words(s[1]), words(s[2]), 16 * count); }),
      work("rowbytes", {floats(buffer(n * 1024), -1, 1), image(256, count, 1, true), buffer(n * 64, true)}, one,
           Compare::Close,
           [=](auto &s) {
             plainRowbytes(s[0].template as<float>(), s[1].template as<std::int8_t>(), s[2].template as<float>(),
                           count);
           }),
      work("norms", {floats(buffer(n * 1024), -1, 1), buffer(n * 1024, true)}, one, Compare::Close,
           [=](auto &s) { plainNorms(s[0].template as<float>(), s[1].template as<float>(), count); }),
  };
}
