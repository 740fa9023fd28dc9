//===- MediaEdges.cpp - Media blocks over the edge of their surface -------------===//
//
// Reads repeat the nearest pixel of the surface: columns left of it repeat the bytes of
// the first pixel, columns right of it those of the last, rows likewise. Writes outside
// are dropped. (Language reference, media block read and write.)
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/MediaEdges.h"
#include <algorithm>
#include <cstring>

namespace pocm::cpu {
namespace {

/// Non-negative remainder.
std::int64_t modulo(std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; }

/// The byte of a row that is seen at column x.
std::int64_t clampColumn(std::int64_t x, const SurfaceView &s) {
  if (x < 0)
    return modulo(x, s.pixel);
  if (x >= s.width)
    return s.width - s.pixel + (x - s.width) % s.pixel;
  return x;
}

} // namespace

void readBlockOverEdge(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                       std::int32_t rows, std::uint8_t *block, std::int32_t pitch) {
  const SurfaceView &s = *surface;
  if (s.width <= 0 || s.height <= 0) { // the null surface
    std::memset(block, 0, std::size_t(rows) * std::size_t(pitch));
    return;
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t row = std::clamp<std::int64_t>(y + r, 0, s.height - 1);
    const std::uint8_t *from = s.base + row * s.pitch;
    std::uint8_t *to = block + r * pitch;
    // Most of a row lies inside; only its ends are repeated pixels.
    std::int64_t begin = std::clamp<std::int64_t>(-std::int64_t(x), 0, width);
    std::int64_t end = std::clamp<std::int64_t>(std::int64_t(s.width) - x, begin, width);
    for (std::int64_t c = 0; c < begin; ++c)
      to[c] = from[clampColumn(std::int64_t(x) + c, s)];
    if (end > begin)
      std::memcpy(to + begin, from + x + begin, std::size_t(end - begin));
    for (std::int64_t c = end; c < width; ++c)
      to[c] = from[clampColumn(std::int64_t(x) + c, s)];
  }
}

void writeBlockOverEdge(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                        std::int32_t rows, const std::uint8_t *block, std::int32_t pitch) {
  const SurfaceView &s = *surface;
  std::int64_t begin = std::clamp<std::int64_t>(-std::int64_t(x), 0, width);
  std::int64_t end = std::clamp<std::int64_t>(std::int64_t(s.width) - x, begin, width);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t row = std::int64_t(y) + r;
    if (row >= 0 && row < s.height && end > begin)
      std::memcpy(s.base + row * s.pitch + x + begin, block + r * pitch + begin, std::size_t(end - begin));
  }
}

} // namespace pocm::cpu
