//===- samples.cpp - Data of the kernels of samples_genx.cpp --------------------------------===//
#include "Work.h"
#include <algorithm>

namespace {

/// Letters of one byte, and here and there a character of two, three or four, or a byte that is none.
Surface text(std::size_t bytes) {
  Surface s = buffer(bytes);
  std::mt19937 random(7);
  for (std::size_t i = 0; i < bytes;) {
    unsigned length = random() % 8 < 5 ? 1 : 1 + random() % 4;
    const Bytes first[] = {0x20, 0xc3, 0xe2, 0xf0};
    s.bytes[i++] = Bytes(first[length - 1] + (length == 1 ? random() % 96 : 0));
    for (unsigned k = 1; k < length && i < bytes; ++k)
      s.bytes[i++] = Bytes(0x80 + random() % 64);
    if (random() % 64 == 0 && i < bytes)
      s.bytes[i++] = 0x80;
  }
  return s;
}

Surface halfs(Surface s) {
  std::mt19937 random(8);
  for (std::size_t i = 0; i < s.count<_Float16>(); ++i)
    s.as<_Float16>()[i] = _Float16(float(random() % 2048) / 1024 - 1);
  return s;
}

/// Two tables of 256 bytes: a curve and the same upside down.
Surface curves() {
  Surface s = buffer(512);
  for (unsigned i = 0; i < 256; ++i) {
    s.bytes[i] = Bytes(i * i / 255);
    s.bytes[256 + i] = Bytes(255 - i * i / 255);
  }
  return s;
}

} // namespace

std::vector<Work> samples(int width, int height, int count) {
  const auto n = std::size_t(count);
  const int across = width / 8, high = std::min(count, 1024) * 8;
  const pocm::ThreadSpace one{unsigned(count), 1}, blocks{unsigned(width / 32), unsigned(height / 8)};
  const std::vector<std::int16_t> taps = {-700, 1900, -4200, 20000, 20000, -4200, 1900, -700};
  std::vector<Bytes> tapBytes(16);
  std::memcpy(tapBytes.data(), taps.data(), 16);
  Surface pixels = randomBytes(image(width, height, 1)), others = pixels, result = image(width, height, 1, true);
  std::reverse(others.bytes.begin(), others.bytes.end());
  return {Work{"samples",
               "planes",
               {randomBytes(buffer(n * 256)), buffer(n * 256, true)},
               {},
               one,
               Compare::Exact,
               [=](auto &s) { plainPlanes(s[0].bytes.data(), s[1].template as<std::uint32_t>(), count); }},
          Work{"samples",
               "blend",
               {pixels, others, result},
               {},
               blocks,
               Compare::Exact,
               [=](auto &s) { plainBlend(s[0].bytes.data(), s[1].bytes.data(), s[2].bytes.data(), width, height); }},
          Work{"samples",
               "utf8",
               {text(n * 224 + 32), buffer(n * 16, true)},
               {},
               one,
               Compare::Exact,
               [=](auto &s) { plainUtf8(s[0].bytes.data(), s[1].template as<std::uint32_t>(), count); }},
          Work{"samples",
               "longest",
               {randomBytes(buffer(n * 1024), 1), buffer(n * 64, true)},
               {},
               one,
               Compare::Exact,
               [=](auto &s) { plainLongest(s[0].bytes.data(), s[1].template as<std::uint32_t>(), count * 16); }},
          Work{"samples",
               "morton",
               {randomBytes(image(width, height, 4)), buffer(std::size_t(width * height) * 4, true)},
               {number(across)},
               {unsigned(across), unsigned(height / 8)},
               Compare::Exact,
               [=](auto &s) {
                 plainMorton(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(), width, height);
               }},
          Work{"samples",
               "halves",
               {halfs(image(1024, high, 1)), halfs(buffer(1024)), buffer(std::size_t(high) * 4, true)},
               {number(1024)},
               {unsigned(high / 8), 1},
               Compare::Close,
               [=](auto &s) {
                 plainHalves(s[0].template as<_Float16>(), s[1].template as<_Float16>(), s[2].template as<float>(), 512,
                             high);
               }},
          Work{"samples",
               "tones",
               {pixels, curves(), result},
               {},
               blocks,
               Compare::Exact,
               [=](auto &s) { plainTones(s[0].bytes.data(), s[1].bytes.data(), s[2].bytes.data(), width, height); }},
          Work{"samples",
               "fir",
               {randomBytes(buffer(n * 192 + 32)), buffer(n * 192, true)},
               {tapBytes},
               one,
               Compare::Exact,
               [=](auto &s) {
                 plainFir(s[0].template as<std::int16_t>(), s[1].template as<std::int16_t>(), taps.data(), count * 96);
               }},
          Work{"samples",
               "top",
               {floats(buffer(n * 512), -1, 1), buffer(n * 32, true)},
               {},
               one,
               Compare::Exact,
               [=](auto &s) { plainTop(s[0].template as<float>(), s[1].template as<float>(), count); }},
          Work{"samples",
               "unpack",
               {randomBytes(buffer(n * 192)), buffer(n * 256, true)},
               {},
               one,
               Compare::Exact,
               [=](auto &s) { plainUnpack(s[0].bytes.data(), s[1].template as<std::uint16_t>(), count * 64); }}};
}
