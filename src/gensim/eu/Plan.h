//===- Plan.h - How an instruction is executed when nothing is unusual -------------------------===//
//
//     mad (16|M0) r20.0<1>:f r10.0<1>:f r12.0<1>:f r2.0<0>:f
//     plan: load 16 packed floats, load 16 packed floats, load one float for all, multiply-add, store 16 packed floats
//
// Made once for each instruction of a kernel. A plan loads its sources into rows of 32-bit lanes, computes in the
// host's vectors and stores; where a bit that nobody has written, or another rounding, comes in its way it gives up
// before it has changed anything, and the general way (Arithmetic.cpp), which says what is right, takes the
// instruction.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/eu/Execute.h"

namespace pocm::gensim {

/// Values of an instruction's channels on their way.
union alignas(64) LaneRow {
  float number[MostChannels];
  std::int32_t integer[MostChannels];
};

struct Plan;

/// A source: where its elements lie in the thread, and who makes a row of them.
struct Reader {
  /// Null: it is constant. The second makes zeros of denormal floats.
  void (*load[2])(const std::uint8_t *data, const Reader &, LaneRow &) = {};
  std::uint32_t data = 0, marks = 0;                                        ///< Bytes from the thread's beginning.
  std::uint16_t span = 0;                                                   ///< Bytes from the first to the last.
  std::uint16_t vertical = 0, width = 1, horizontal = 0;                    ///< In bytes; elements.
  std::uint8_t size = 1;                                                    ///< Channels.
  bool isNumber = false, negate = false, absolute = false, inverts = false; ///< `inverts`: logic's "not".
  std::uint32_t constant = 0;                                               ///< Of all lanes.
};

struct Writer {
  void (*store)(std::uint8_t *data, std::uint8_t *marks, const Writer &, const LaneRow &,
                std::uint32_t channels) = nullptr; ///< Null: nowhere.
  std::uint32_t data = 0, marks = 0;
  std::uint16_t stride = 1; ///< Bytes.
  std::uint8_t size = 1;
};

struct Plan {
  enum class Way : std::uint8_t { General, Compute, Copy, Compare, Select, Choose };
  Way way = Way::General;
  std::uint8_t sources = 0, narrowed = 0; ///< `narrowed`: bits that a condition looks at, 32 or less.
  bool numbers = false, toNumber = false, usesNumbers = false, saturate = false, logicalShift = false;
  bool unsignedOrder = false; ///< Comparisons.
  std::uint32_t all = 0;      ///< Channels of its size.
  std::uint32_t shiftMask = ~0u;
  std::uint32_t highest = 0; ///< Behind the last byte of registers that it reaches.
  double least = 0, most = 0;
  void (*compute[2])(const Plan &, const LaneRow *, LaneRow &) = {};    ///< The second makes zeros of denormal floats.
  std::uint32_t (*compare)(const LaneRow &, const LaneRow &) = nullptr; ///< Which lanes meet the condition.
  Reader from[3];
  Writer to;
};

/// The plan of an instruction; `General` when there is none.
Plan planOf(const Instruction &i, const Platform &platform);
/// False: not done, nothing has changed.
bool execute(const Plan &plan, Thread &thread, const Instruction &i);

} // namespace pocm::gensim
