//===- Costs.h - What an instruction needs of an execution unit ------------------------------===//
//
//     mad (16|M0) r20.0<1>:f r10.0<1;0>:f r12.0<1;0>:f r2.0<0;0>:f
//     pipes {0, 1}, 4 clocks, a result 8 clocks later; reads r2, r10, r11, r12, r13, writes r20, r21
//
// Computed once for each instruction of a kernel.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/isa/Instruction.h"
#include "gensim/timing/Parameters.h"
#include <array>
#include <bit>
#include <vector>

namespace pocm::gensim::timing {

enum Pipe : unsigned { FirstPipe, SecondPipe, SendPipe, BranchPipe, Pipes };
constexpr const char *PipeNames[Pipes] = {"first pipe", "second pipe", "send", "branch"};

/// Why a thread waits.
enum class Reason : std::uint8_t { None, Alu, Math, Memory, Slm, Sampler, Payload, Barrier, Branch, Pipe, Count };
constexpr const char *ReasonNames[unsigned(Reason::Count)] = {"starting",
                                                              "an ALU result",
                                                              "an elementary function",
                                                              "memory",
                                                              "shared local memory",
                                                              "the sampler",
                                                              "registers of a message",
                                                              "a barrier",
                                                              "a branch",
                                                              "a pipe"};

/// A software scoreboard's part of an instruction.
struct Swsb {
  enum class Token : std::uint8_t { None, Set, AwaitResult, AwaitPayload };
  std::uint8_t distance = 0, number = 0;
  Token token = Token::None;
  std::uint16_t results = 0, payloads = 0; ///< Of `sync`: tokens whose messages are awaited.
};

/// Registers, a bit for each.
struct RegisterSet {
  std::array<std::uint64_t, 4> words{};
  void add(unsigned k) { words[k / 64] |= std::uint64_t(1) << k % 64; }
  void remove(unsigned k) { words[k / 64] &= ~(std::uint64_t(1) << k % 64); }
  bool has(unsigned k) const { return words[k / 64] >> k % 64 & 1; }
  /// Calls f with each register that both have.
  template <class F> void eachOfBoth(const RegisterSet &other, F f) const {
    for (unsigned w = 0; w < words.size(); ++w)
      for (std::uint64_t both = words[w] & other.words[w]; both; both &= both - 1)
        f(w * 64 + unsigned(std::countr_zero(both)));
  }
};

struct Cost {
  struct Registers {
    std::uint16_t first = 1, last = 0;
    bool empty() const { return first > last; }
  };
  unsigned pipes = 0; ///< Bits, any of which will do.
  std::uint32_t clocks = 1, latency = 0;
  bool isMath = false, isSend = false, inOrder = false, usesControl = false;
  Registers reads[3], write;
  RegisterSet uses, writes;                     ///< All of these; those that it writes.
  std::uint8_t readsFlags = 0, writesFlags = 0; ///< A bit for each register.
  bool readsAccumulator = false, writesAccumulator = false, readsAddress = false, writesAddress = false;
  Swsb swsb;
};

Cost costOf(const Instruction &i, const Parameters &p, unsigned registerBytes);

} // namespace pocm::gensim::timing
