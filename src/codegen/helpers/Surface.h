//===- Surface.h - Surfaces as kernels of LLVM back ends find them ---------------===//
//
// A device writes a record for each surface and sampler of a launch; compiled kernels and the helpers that they call
// read it. Where a kernel finds the records is its back end's to say (codegen/llvm/SurfacePolicy.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace pocm {

/// A plane of chroma of a surface; all zero where there is none.
struct PlaneView {
  std::int64_t offset, pitch; ///< Bytes, from the surface's base; from a row to the next.
  std::int32_t width, height; ///< Bytes in a row, rows.

  bool operator==(const PlaneView &) const = default;
};

/// A surface as kernels see it.
struct SurfaceView {
  std::uint8_t *base;      ///< First byte of the first row.
  const std::uint8_t *end; ///< One past the last byte that may be read.
  std::int64_t pitch;      ///< Bytes from a row to the next.
  std::int32_t width;      ///< Bytes in a row.
  std::int32_t height;     ///< Rows.
  std::int64_t bytes;      ///< From the first to behind the last byte: what buffer accesses may touch.
  std::int32_t pixel;      ///< Bytes per pixel: what is repeated at the left and right edge.
  std::uint32_t format;    ///< Number of a row of program/Formats.def; 0 for none.
  std::int32_t depth;      ///< Slices of `height` rows, one behind the other; 1 for what has two dimensions.
  std::uint32_t streams;   ///< 1: whole cache lines may be written around the cache.
  PlaneView planes[2];     ///< U, or U and V; V.

  bool operator==(const SurfaceView &) const = default;
};

/// A sampler's state. A kernel's sampler is its number in a table of these.
struct SamplerView {
  std::uint32_t filter, u, v, w; ///< As in pocm::Sampler.
  float border[4];
};

/// Surface indices are taken modulo this; unused entries of the table are all zero.
constexpr unsigned SurfaceSlots = 256;

/// What a media block sees of its surface: a plane and, in bits 8 and 9, 1 for even rows only, 2 for odd rows only; bit
/// 16 makes what lies outside 0.
enum MediaPart : std::uint32_t { MediaPlane = 0xFF, MediaTop = 1u << 8, MediaBottom = 2u << 8, MediaZero = 1u << 16 };

} // namespace pocm
