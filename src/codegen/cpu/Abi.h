//===- Abi.h - What compiled kernels and the cpu device agree on --------------===//
//
// A compiled kernel is a walker: it runs every thread of a rectangle of the thread space,
// or, when it uses thread groups, every thread of a range of groups. It finds its
// arguments in a block of bytes, surfaces in a table of views, and what belongs to the
// running group in a Group.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "codegen/helpers/Surface.h"
#include "program/KernelInterface.h"
#include <cstdint>

namespace pocm::cpu {

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
  std::uint32_t byAddress;    ///< 1: it may reach memory by addresses that it computes or is given.
  std::uint64_t frameBytes;   ///< What a thread keeps while it waits.
};

/// Runs threads (x, y) with x0 <= x < x1 and y0 <= y < y1, row by row; or all threads of groups x0 <= g < x1.
/// Returns 0, or 1 when a group could not finish because some of its threads wait at a barrier for others that are
/// gone.
using Walk = std::uint32_t (*)(const void *arguments, const SurfaceView *surfaces, Group *group, std::uint32_t x0,
                               std::uint32_t x1, std::uint32_t y0, std::uint32_t y1);

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
