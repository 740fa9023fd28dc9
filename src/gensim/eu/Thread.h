//===- Thread.h - The architectural state of one hardware thread -----------------------===//
//
// Registers are bytes, as the instruction set sees them. Beside each byte lies one of
// marks: a set bit is one that nobody has written. Marks travel with values (see
// Arithmetic.cpp); where an unwritten bit decides something, it is reported.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/isa/Instruction.h"
#include <cstring>
#include <memory>
#include <vector>

namespace pocm::gensim {

constexpr unsigned MostRegisters = 256, MostRegisterBytes = 64, MostChannels = 32, MostBarriers = 32;

/// Bytes with their marks.
struct Area {
  std::uint8_t *data;
  std::uint8_t *marks;
  unsigned bytes;
};

/// An area that owns its bytes.
template <unsigned Bytes> struct Storage {
  alignas(64) std::uint8_t data[Bytes];
  alignas(64) std::uint8_t marks[Bytes];

  Area area() { return {data, marks, Bytes}; }
  void clear(std::uint8_t mark, unsigned bytes = Bytes) {
    std::memset(data, 0, bytes);
    std::memset(marks, mark, bytes);
  }
  template <class T> T get(unsigned at) const {
    T value;
    std::memcpy(&value, data + at, sizeof(T));
    return value;
  }
  template <class T> void set(unsigned at, T value) {
    std::memcpy(data + at, &value, sizeof(T));
    std::memset(marks + at, 0, sizeof(T));
  }
};

/// Bits of cr0.0.
namespace control {
constexpr std::uint32_t RoundingShift = 4, KeepDenormalDoubles = 1 << 6, KeepDenormalFloats = 1 << 7,
                        KeepDenormalHalves = 1 << 10;
}

struct Thread {
  Storage<MostRegisters * MostRegisterBytes> registers;
  Storage<16 * MostRegisterBytes> accumulators;
  Storage<16> flags;
  Storage<64> addresses;
  Storage<64> state, control, clock, other;
  Storage<MostBarriers * 4> notification; ///< A count for each barrier of the group.
  /// What an accumulator's channel holds beyond what can be read, by element.
  std::int64_t wide[16 * MostRegisterBytes / 2];

  unsigned registerBytes = 32, registerCount = 128;
  std::uint32_t ip = 0;
  std::uint32_t dispatched = ~0u; ///< Channels that exist.
  std::uint32_t at[MostChannels]; ///< Where each channel goes on, when they are not all at `ip`.
  bool diverged = false;
  /// `Waits` for `barrier`; `Meets` the other thread of its pair, at a product of both.
  enum class Status { Runs, Waits, Meets, Ended } status = Status::Runs;
  unsigned barrier = 0;
  std::uint64_t instructions = 0;
  bool beyond = false; ///< An address has led beyond the register file.

  std::uint32_t number = 0; ///< In its group.
  std::vector<std::uint8_t> scratch, scratchMarks;
  std::vector<std::uint8_t> indirect; ///< What r0.0 points to, where arguments are loaded from there.

  /// A thread at the beginning of a kernel: nothing is written but what the dispatch fills in afterwards.
  void start(const Platform &platform, unsigned registersOfThread) {
    registerBytes = platform.grfBytes;
    registerCount = registersOfThread;
    registers.clear(0xFF, registerCount * registerBytes);
    accumulators.clear(0xFF);
    flags.clear(0xFF);
    addresses.clear(0xFF);
    for (auto *s : {&state, &control, &clock, &other})
      s->clear(0);
    notification.clear(0);
    std::memset(wide, 0, sizeof(wide));
    dispatched = ~0u;
    state.set(8, dispatched);
    ip = 0;
    diverged = false;
    status = Status::Runs;
    instructions = 0;
    scratch.clear();
    scratchMarks.clear();
  }

  /// Goes on at the next instruction with the channels that have executed this one.
  void moveOn(std::uint32_t active, std::uint32_t next) {
    if (diverged)
      for (unsigned c = 0; c < MostChannels; ++c)
        at[c] = active >> c & 1 ? next : at[c];
    ip = next;
  }

  /// Channels that execute at `ip`.
  std::uint32_t active() const {
    if (!diverged)
      return dispatched;
    std::uint32_t mask = 0;
    for (unsigned c = 0; c < MostChannels; ++c)
      mask |= std::uint32_t(at[c] == ip) << c;
    return mask & dispatched;
  }
};

} // namespace pocm::gensim
