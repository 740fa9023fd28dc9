//===- Execute.h - What instructions do to a thread --------------------------------------===//
#pragma once

#include "gensim/eu/Lanes.h"

namespace pocm::gensim {

/// Channels of an instruction, channel 0 its first; `marks`: those that nobody knows.
struct ChannelMask {
  std::uint32_t bits = 0, marks = 0;
};

/// Channels that an instruction's mask lets through, without its predicate.
std::uint32_t enabledChannels(const Thread &thread, const Instruction &i);
/// The instruction's predicate, of all its channels; all set without one.
ChannelMask predicateOf(const Thread &thread, const Instruction &i);

/// Moves, logic, arithmetic, comparisons. Throws Problem for what is not built.
void executeArithmetic(Thread &thread, const Instruction &i, const Platform &platform);
/// Floats that elementary functions give, and integer division.
void executeMath(Thread &thread, const Instruction &i);
/// Source 2 of a systolic product, row behind row, with the marks of its bytes.
struct Rows {
  std::vector<std::uint8_t> data, marks;
  void append(const Rows &others);
};
/// As many rows as a thread has in registers from the product's source 2 on.
Rows rowsOf(const Thread &thread, const Instruction &i, unsigned rows);
/// A systolic product, whose source 2 is `rows`.
void executeDpas(Thread &thread, const Instruction &i, const Platform &platform, const Rows &rows);
/// Branches; sets where channels go on.
void executeBranch(Thread &thread, const Instruction &i, const Platform &platform, const Report &report);

/// Sets the instruction's flag for channels.
void setFlags(Thread &thread, const Instruction &i, std::uint32_t channels, std::uint32_t values, std::uint32_t marks);

/// Rounds and converts results and writes them; sets flags by them. `numbers` when they are floats.
void finish(Thread &thread, const Instruction &i, std::uint32_t channels, std::uint32_t unknown, bool numbers,
            Lanes &results);

/// The host's rounding of floats as cr0 says, for a scope.
class RoundingScope {
public:
  explicit RoundingScope(const Thread &thread);
  ~RoundingScope();
  RoundingScope(const RoundingScope &) = delete;
  RoundingScope &operator=(const RoundingScope &) = delete;

private:
  int before;
};

} // namespace pocm::gensim
