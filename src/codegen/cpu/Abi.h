//===- Abi.h - What compiled kernels and the cpu device agree on --------------===//
//
// A compiled kernel is a walker: it runs every thread of a rectangle of the thread space,
// or, when it uses thread groups, every thread of a range of groups. It finds its
// arguments in a block of bytes, surfaces in a table of views, and what belongs to the
// running group in a Group.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "program/KernelInterface.h"
#include <cstdint>

namespace pocm::cpu {

/// A surface as kernels see it. The layout is known to MediaBlocks.cpp.
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
/// Reads may touch this many bytes behind a row's last byte; interior blocks are checked to allow it.
constexpr unsigned ReadSlack = 64;
/// Arguments lie in the block in order, each at a multiple of this.
constexpr unsigned ArgumentAlign = 8;
constexpr unsigned alignArgument(unsigned offset) {
  return (offset + ArgumentAlign - 1) / ArgumentAlign * ArgumentAlign;
}

/// What a kernel may keep on the stack of its host thread: variables that do not live in registers.
constexpr unsigned MostFrame = 1u << 20;
/// Threads of a side of a tile, for kernels that are walked in tiles.
constexpr unsigned TileSide = 32;
/// Named barriers of a group.
constexpr unsigned NamedBarriers = 32;

/// A barrier: its phase grows each time that everyone has arrived. A thread that arrives notes the phase and waits
/// until there is another.
struct Barrier {
  std::uint32_t producers, consumers; ///< Arrived in this phase.
  std::uint32_t phase;
};

/// What a thread gives the other of its pair (cm.pair.exchange). Turn and turn about, so that one may be ahead.
struct alignas(64) Mailbox {
  std::uint32_t given; ///< So far.
  alignas(64) std::uint8_t value[2][128];
};

/// The group of threads that a host thread runs at the moment. Known to Walker.cpp.
struct Group {
  SurfaceView slm;
  std::uint32_t localSize[3], groupCount[3], groupId[3];
  std::uint32_t origin[2]; ///< Position in the thread space of the first thread of group (0, 0).
  std::uint32_t worker;    ///< Number of the host thread.
  std::uint32_t color;
  std::uint32_t x, y;     ///< Position of the thread that runs: for messages when it faults.
  std::uint32_t waitLine; ///< Of the source, where a thread began to wait last; 0 when it is not known.
  Barrier barrier, named[NamedBarriers];
  Mailbox *mail;           ///< One for each thread, by its linear number; null when the kernel exchanges nothing.
  std::uint32_t exchanges; ///< Values given by all threads.
};

/// What an object file says of its kernel, in the symbol `infoSymbol`.
struct KernelInfo {
  std::uint32_t byGroups;     ///< 1: x0 and x1 of Walk are linear group numbers, y0 and y1 are 0.
  std::uint32_t slmBytes;     ///< Shared local memory of a group.
  std::uint32_t prints;       ///< 1: it writes to the print buffer.
  std::uint32_t floatControl; ///< Rounding in bits 4 and 5, denormals in 6, 7 and 10, as in include/cm/detail/types.h.
  std::uint32_t endsSoon;     ///< 1: no thread runs for long, whatever its arguments: no loops, no barriers.
  std::uint32_t exchanges;    ///< 1: threads of a pair exchange values.
  std::uint32_t tileSide;     ///< Threads of a side of what is walked together best; 1: rows.
  std::uint32_t streams;      ///< 1: it looks at SurfaceView::streams.
  std::uint64_t frameBytes;   ///< What a thread keeps while it waits.
};

/// Runs threads (x, y) with x0 <= x < x1 and y0 <= y < y1, row by row; or all threads of groups x0 <= g < x1.
/// Returns 0, or 1 when a group could not finish because some of its threads wait at a barrier for others that are
/// gone.
using Walk = std::uint32_t (*)(const void *arguments, const SurfaceView *surfaces, Group *group, std::uint32_t x0,
                               std::uint32_t x1, std::uint32_t y0, std::uint32_t y1);

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

/// Memory for the frame of the next thread of a group, aligned to 64 bytes.
constexpr const char *FrameHelper = "pocm_cpu_thread_frame";
using ThreadFrame = void *(*)(Group *, std::uint64_t bytes);
/// Resumes the threads of a group, whose frames begin with the function to call, until all are done. Returns as Walk.
constexpr const char *FinishHelper = "pocm_cpu_finish_group";
using FinishGroup = std::uint32_t (*)(Group *);
/// Arrives at a named barrier as producer (role 1), consumer (2) or both (0); returns the phase to wait out.
constexpr const char *ArriveHelper = "pocm_cpu_named_arrive";
using NamedArrive = std::uint32_t (*)(Group *, std::uint32_t id, std::uint32_t role, std::uint32_t producers,
                                      std::uint32_t consumers);

} // namespace pocm::cpu
