//===- Helpers.h - What kernels of LLVM back ends call ------------------------------===//
//
// Parts of messages that are functions rather than instructions: blocks over the edge of their surface, pixels
// by their format, samplers, atomics. They touch surfaces and their arguments and nothing else: no other function of
// the process, no variables, no lock. The same sources are native code, for devices that run here, and bitcode, which
// codegen/llvm/HelperLibrary.cpp links into kernels of any target.
//
//===---------------------------------------------------------------------------------===//
#pragma once

#include "codegen/helpers/Surface.h"

namespace pocm {

extern "C" {

/// Copies a block to or from `block`, whose rows are `pitch` bytes apart; outside the surface the nearest edge pixel
/// is read and nothing is written. x and width in bytes, y and rows in rows.
void pocm_media_read(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                     std::uint8_t *block, std::int32_t pitch);
void pocm_media_write(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                      const std::uint8_t *block, std::int32_t pitch);

/// The same for a part of the surface, as MediaPart says.
void pocm_media_part_read(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                          std::int32_t rows, std::uint8_t *block, std::int32_t pitch, std::uint32_t part);
void pocm_media_part_write(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                           std::int32_t rows, const std::uint8_t *block, std::int32_t pitch, std::uint32_t part);

/// Copies `count` bytes at `offset` of a buffer to or from `block`; beyond the end zeros are read and nothing is
/// written.
void pocm_buffer_read(const SurfaceView *surface, std::int64_t offset, std::int64_t count, std::uint8_t *block);
void pocm_buffer_write(const SurfaceView *surface, std::int64_t offset, std::int64_t count, const std::uint8_t *block);

/// Copies `blocks` neighbouring blocks of a matrix in memory to or from `block`, one after the other, row by row;
/// outside of the matrix zeros are read and nothing is written. Widths, the pitch and x in bytes, heights and y in
/// rows.
void pocm_matrix_read(const std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                      std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows, std::int32_t blocks,
                      std::uint8_t *block);
void pocm_matrix_write(std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                       std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows, std::int32_t blocks,
                       const std::uint8_t *block);

/// Pixels at coordinates (u, v, w): for each channel of `mask` (R is bit 0) `count` values of 32 bits, float or integer
/// as the format says. Outside and where `wanted` is 0: 0, or nothing is written.
void pocm_typed_read(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                     const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w, std::uint32_t *channels);
void pocm_typed_write(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                      const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w,
                      const std::uint32_t *channels);

/// Filtered pixels at normalised coordinates, as the sampler of this number says; `reference`, when not null, is
/// compared with channel R: 1 where it is not greater, before filtering. `mask` has the channels in bits 0 to 3 and the
/// texel offsets of cm_3d_sample from bit 16 on.
void pocm_sample(const SurfaceView *surface, const SurfaceView *samplers, std::uint32_t number, std::uint32_t mask,
                 std::uint32_t count, const float *u, const float *v, const float *w, const float *reference,
                 std::uint32_t *channels);

/// The same of every surface, format and sampler, pixel by pixel: what the ones above leave.
void pocm_typed_read_any(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count,
                         const std::uint8_t *wanted, const std::uint32_t *u, const std::uint32_t *v,
                         const std::uint32_t *w, std::uint32_t *channels);
void pocm_typed_write_any(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count,
                          const std::uint8_t *wanted, const std::uint32_t *u, const std::uint32_t *v,
                          const std::uint32_t *w, const std::uint32_t *channels);
void pocm_sample_any(const SurfaceView *surface, const SurfaceView *samplers, std::uint32_t number, std::uint32_t mask,
                     std::uint32_t count, const float *u, const float *v, const float *w, const float *reference,
                     std::uint32_t *channels);

/// Performs an atomic (number of CM's CmAtomicOpType) on `count` aligned elements of `bytes` bytes (2, 4 or 8), one
/// after another. Lanes whose bit of `wanted` is 0, from the lowest on, do nothing and get 0; there are 1 to 64.
void pocm_atomic(std::uint32_t number, std::uint32_t count, std::uint32_t bytes, std::uint64_t wanted,
                 void *const *addresses, const void *first, const void *second, void *old);
/// The same in memory that nobody else touches meanwhile.
void pocm_atomic_alone(std::uint32_t number, std::uint32_t count, std::uint32_t bytes, std::uint64_t wanted,
                       void *const *addresses, const void *first, const void *second, void *old);
}

} // namespace pocm
