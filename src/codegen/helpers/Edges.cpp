//===- Edges.cpp - Blocks over the edge of their surface ------------------===//
//
// Media blocks: reads repeat the nearest pixel of the surface: columns left of it repeat the bytes of
// the first pixel, columns right of it those of the last, rows likewise. Writes outside
// are dropped. (Language reference, media block read and write.)
// Buffers, and matrices in memory: zeros are read beyond the end, writes there are dropped.
//
//===----------------------------------------------------------------------===//
#include "codegen/helpers/Helpers.h"
#include "program/Formats.h"
#include <algorithm>
#include <cstring>

namespace pocm {
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

void pocm_media_read(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                     std::uint8_t *block, std::int32_t pitch) {
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

void pocm_media_write(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                      const std::uint8_t *block, std::int32_t pitch) {
  const SurfaceView &s = *surface;
  std::int64_t begin = std::clamp<std::int64_t>(-std::int64_t(x), 0, width);
  std::int64_t end = std::clamp<std::int64_t>(std::int64_t(s.width) - x, begin, width);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t row = std::int64_t(y) + r;
    if (row >= 0 && row < s.height && end > begin)
      std::memcpy(s.base + row * s.pitch + x + begin, block + r * pitch + begin, std::size_t(end - begin));
  }
}

namespace {

/// The plane and the field of a surface as a surface of its own; empty when there is no such plane.
SurfaceView partOf(const SurfaceView &surface, std::uint32_t part) {
  SurfaceView s = surface;
  if (std::uint32_t plane = part & MediaPlane) {
    auto shape = planeOf(s.format, plane, std::uint32_t(s.height), std::uint64_t(s.width), std::uint64_t(s.pitch));
    if (!shape)
      return {};
    s.base += shape->offset;
    s.pitch = std::int64_t(shape->pitch);
    s.width = std::int32_t(shape->rowBytes);
    s.height = std::int32_t(shape->rows);
    s.pixel = std::int32_t(shape->pixelBytes);
  }
  if (part & (MediaTop | MediaBottom)) {
    int first = part & MediaBottom ? 1 : 0;
    s.base += s.pitch * first;
    s.height = (s.height + 1 - first) / 2;
    s.pitch *= 2;
  }
  return s;
}

} // namespace

void pocm_media_part_read(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                          std::int32_t rows, std::uint8_t *block, std::int32_t pitch, std::uint32_t part) {
  SurfaceView s = partOf(*surface, part);
  if (!(part & MediaZero))
    return pocm_media_read(&s, x, y, width, rows, block, pitch);
  std::memset(block, 0, std::size_t(rows) * std::size_t(pitch));
  std::int64_t begin = std::clamp<std::int64_t>(-std::int64_t(x), 0, width);
  std::int64_t end = std::clamp<std::int64_t>(std::int64_t(s.width) - x, begin, width);
  for (std::int64_t r = 0; r < rows; ++r)
    if (std::int64_t row = y + r; row >= 0 && row < s.height && end > begin)
      std::memcpy(block + r * pitch + begin, s.base + row * s.pitch + x + begin, std::size_t(end - begin));
}

void pocm_media_part_write(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                           std::int32_t rows, const std::uint8_t *block, std::int32_t pitch, std::uint32_t part) {
  SurfaceView s = partOf(*surface, part);
  pocm_media_write(&s, x, y, width, rows, block, pitch);
}

namespace {
/// The part of [offset, offset + count) that lies in the buffer, relative to offset.
std::pair<std::int64_t, std::int64_t> inside(const SurfaceView &s, std::int64_t offset, std::int64_t count) {
  std::int64_t begin = std::clamp<std::int64_t>(-offset, 0, count);
  std::int64_t end = std::clamp<std::int64_t>(s.bytes - offset, begin, count);
  return {begin, end};
}
} // namespace

void pocm_buffer_read(const SurfaceView *surface, std::int64_t offset, std::int64_t count, std::uint8_t *block) {
  auto [begin, end] = inside(*surface, offset, count);
  std::memset(block, 0, std::size_t(count));
  if (end > begin)
    std::memcpy(block + begin, surface->base + offset + begin, std::size_t(end - begin));
}

void pocm_buffer_write(const SurfaceView *surface, std::int64_t offset, std::int64_t count, const std::uint8_t *block) {
  auto [begin, end] = inside(*surface, offset, count);
  if (end > begin)
    std::memcpy(surface->base + offset + begin, block + begin, std::size_t(end - begin));
}

namespace {
/// Calls with (offset in the matrix, offset in the block, bytes) of each stretch of a row that lies in the matrix.
template <class Copy> void stretches(std::int64_t width, std::int64_t height, std::int64_t pitch, std::int64_t x,
                                     std::int64_t y, std::int64_t rowBytes, std::int64_t rows, std::int64_t blocks,
                                     Copy copy) {
  for (std::int64_t b = 0; b < blocks; ++b) {
    std::int64_t left = x + b * rowBytes, begin = std::clamp<std::int64_t>(-left, 0, rowBytes),
                 end = std::clamp<std::int64_t>(width - left, begin, rowBytes);
    for (std::int64_t r = 0; r < rows; ++r)
      if (std::int64_t row = y + r; row >= 0 && row < height && end > begin)
        copy(row * pitch + left + begin, (b * rows + r) * rowBytes + begin, std::size_t(end - begin));
  }
}
} // namespace

void pocm_matrix_read(const std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                      std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows, std::int32_t blocks,
                      std::uint8_t *block) {
  std::memset(block, 0, std::size_t(rowBytes) * std::size_t(rows) * std::size_t(blocks));
  stretches(
      width, height, pitch, x, y, rowBytes, rows, blocks,
      [&](std::int64_t from, std::int64_t to, std::size_t bytes) { std::memcpy(block + to, matrix + from, bytes); });
}

void pocm_matrix_write(std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                       std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows, std::int32_t blocks,
                       const std::uint8_t *block) {
  stretches(
      width, height, pitch, x, y, rowBytes, rows, blocks,
      [&](std::int64_t to, std::int64_t from, std::size_t bytes) { std::memcpy(matrix + to, block + from, bytes); });
}

} // namespace pocm
