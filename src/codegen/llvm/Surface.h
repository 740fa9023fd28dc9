//===- Surface.h - Surfaces as kernels of LLVM back ends find them ---------------===//
//
// A device writes a record for each surface and sampler of a launch; compiled kernels and the helpers that they call
// read it. Where a kernel finds the records is its back end's to say (SurfacePolicy.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace pocm {

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
};

/// A sampler's state. A kernel's sampler is its number in a table of these.
struct SamplerView {
  std::uint32_t filter, u, v, w; ///< As in pocm::Sampler.
  float border[4];
};

/// Surface indices are taken modulo this; unused entries of the table are all zero.
constexpr unsigned SurfaceSlots = 256;

/// Names under which the device offers its helpers to compiled kernels.
constexpr const char *MediaReadHelper = "pocm_cpu_media_read";
constexpr const char *MediaWriteHelper = "pocm_cpu_media_write";
constexpr const char *BufferReadHelper = "pocm_cpu_buffer_read";
constexpr const char *BufferWriteHelper = "pocm_cpu_buffer_write";
/// Copies a block to or from `block`, whose rows are `pitch` bytes apart; outside the surface the nearest edge pixel
/// is read and nothing is written. x and width in bytes, y and rows in rows.
using MediaRead = void (*)(const SurfaceView *, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                           std::uint8_t *block, std::int32_t pitch);
using MediaWrite = void (*)(const SurfaceView *, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                            const std::uint8_t *block, std::int32_t pitch);

/// What a media block sees of its surface: a plane and, in bits 8 and 9, 1 for even rows only, 2 for odd rows only; bit
/// 16 makes what lies outside 0.
enum MediaPart : std::uint32_t { MediaPlane = 0xFF, MediaTop = 1u << 8, MediaBottom = 2u << 8, MediaZero = 1u << 16 };
constexpr const char *MediaPartReadHelper = "pocm_cpu_media_part_read";
constexpr const char *MediaPartWriteHelper = "pocm_cpu_media_part_write";
using MediaPartRead = void (*)(const SurfaceView *, std::int32_t x, std::int32_t y, std::int32_t width,
                               std::int32_t rows, std::uint8_t *block, std::int32_t pitch, std::uint32_t part);
using MediaPartWrite = void (*)(const SurfaceView *, std::int32_t x, std::int32_t y, std::int32_t width,
                                std::int32_t rows, const std::uint8_t *block, std::int32_t pitch, std::uint32_t part);

/// Pixels at coordinates (u, v): for each channel of `mask` (R is bit 0) `count` values of 32 bits, float or integer as
/// the format says. Outside and where `wanted` is 0: 0, or nothing is written.
constexpr const char *TypedReadHelper = "pocm_cpu_typed_read";
constexpr const char *TypedWriteHelper = "pocm_cpu_typed_write";
using TypedRead = void (*)(const SurfaceView *, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                           const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w,
                           std::uint32_t *channels);
using TypedWrite = void (*)(const SurfaceView *, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                            const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w,
                            const std::uint32_t *channels);
/// Filtered pixels at normalised coordinates, as the sampler of this number says; `reference`, when not null, is
/// compared with channel R: 1 where it is not greater, before filtering. `mask` has the channels in bits 0 to 3 and the
/// texel offsets of cm_3d_sample from bit 16 on.
constexpr const char *SampleHelper = "pocm_cpu_sample";
using Sample = void (*)(const SurfaceView *, const SurfaceView *samplers, std::uint32_t number, std::uint32_t mask,
                        std::uint32_t count, const float *u, const float *v, const float *w, const float *reference,
                        std::uint32_t *channels);

/// Copies `count` bytes at `offset` of a buffer to or from `block`; beyond the end zeros are read and nothing is
/// written.
using BufferRead = void (*)(const SurfaceView *, std::int64_t offset, std::int64_t count, std::uint8_t *block);
using BufferWrite = void (*)(const SurfaceView *, std::int64_t offset, std::int64_t count, const std::uint8_t *block);

/// Copies `blocks` neighbouring blocks of a matrix in memory to or from `block`, one after the other, row by row;
/// outside of the matrix zeros are read and nothing is written. Widths, the pitch and x in bytes, heights and y in
/// rows.
constexpr const char *MatrixReadHelper = "pocm_cpu_matrix_read";
constexpr const char *MatrixWriteHelper = "pocm_cpu_matrix_write";
using MatrixRead = void (*)(const std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                            std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows,
                            std::int32_t blocks, std::uint8_t *block);
using MatrixWrite = void (*)(std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                             std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows,
                             std::int32_t blocks, const std::uint8_t *block);

/// Performs an atomic (number of CM's CmAtomicOpType) on `count` elements of `bytes` bytes (2, 4 or 8), one after
/// another. Lanes whose `wanted` is 0 do nothing and get 0.
constexpr const char *AtomicHelper = "pocm_cpu_atomic";
using AtomicLanes = void (*)(std::uint32_t number, std::uint32_t count, std::uint32_t bytes, const std::uint8_t *wanted,
                             void *const *addresses, const void *first, const void *second, void *old);

} // namespace pocm
