//===- Machine.h - Kernels on the simulated GPU -------------------------------------------===//
//
//     Kernel kernel("linear", platform, code);
//     Machine machine(kernel, world);
//     machine.runGroup(threads);     // each with its r0 and its arguments in registers
//
// Threads of a group take turns at barriers, and where two neighbours share a product;
// groups run one after another. What a thread does with bits that nobody has written is
// noted once for each instruction.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Observer.h"
#include "gensim/eu/Plan.h"
#include "gensim/isa/Decoder.h"
#include "gensim/memory/Memory.h"
#include <atomic>
#include <map>
#include <set>
#include <span>

namespace pocm::gensim {

/// The code of a kernel, decoded once.
struct Kernel {
  /// Throws Problem when the code is damaged.
  Kernel(std::string name, const Platform &platform, std::span<const std::uint8_t> code);
  /// The instruction at an address. Throws Problem when none begins there.
  const Instruction &at(std::uint32_t address) const;

  std::string name;
  const Platform *platform;
  std::vector<Instruction> instructions;
  std::vector<Plan> plans; ///< Of each.

private:
  std::vector<std::uint32_t> byAddress; // by eight bytes; the index and 1
};

/// What a thread has in registers when it begins: the image of the register file from r0 on.
struct Dispatch {
  std::vector<std::uint8_t> image, written; ///< `written`: 1 for each byte that is.
  std::uint32_t channels = ~0u;             ///< That exist.
  template <class T> void set(std::uint32_t offset, T value) { set(offset, &value, sizeof(T)); }
  void set(std::uint32_t offset, const void *data, std::size_t bytes);
};

class Machine {
public:
  struct Options {
    std::uint64_t mostInstructions = 2'000'000'000; ///< Of a thread, before it counts as endless.
    std::vector<Observer *> observers;              ///< Told of every instruction.
    std::uint32_t scratchBytes = 0;                 ///< Of a thread.
    std::uint32_t slmBytes = 0;                     ///< Of a group.
    bool loadsArguments = false;                    ///< The kernel loads them from memory that r0.0 points to,
    std::uint32_t argumentsFrom = 0;                ///< where those from this byte of registers on lie.
    std::uint32_t passedBytes = 0;                  ///< Of arguments, which come in registers all the same.
    unsigned registers = 128;
    bool usesPlans = true;                    ///< False: every instruction in the general way, to compare them.
    const std::atomic<bool> *ended = nullptr; ///< True when the host wants no more of the launch.
  };
  Machine(const Kernel &kernel, World world, const Options &options);

  /// Runs a group, of that name in messages, to its end. Throws Problem, which names the kernel, the address and the
  /// instruction.
  void runGroup(std::span<const Dispatch> dispatches, const std::string &group = {});

  /// What was done with unwritten bits, and how often, by place in the code.
  using Findings = std::map<std::pair<std::uint32_t, std::string>, std::uint64_t>;
  const Findings &found() const { return findings; }
  /// A thread of the group that ran last.
  const Thread &thread(unsigned number) const { return *threads[number]; }
  std::uint64_t instructions() const { return executed; }

private:
  void start(Thread &thread, const Dispatch &dispatch, std::uint32_t number);
  void run(Thread &thread);
  Outcome step(Thread &thread, const Instruction &i);
  void waitAtBarrier(Thread &thread, const Instruction &i);
  Outcome multiplyInPair(Thread &thread, const Instruction &i);
  std::string whyStuck(std::size_t dispatched, std::size_t left, const std::string &group) const;
  void tell(const std::vector<Observer *> &observers, const Thread &thread, const Instruction &i, std::uint32_t active);

  const Kernel &kernel;
  World world;
  Options options;
  Report report;
  Findings findings;
  std::vector<Observer *> ofAll; ///< Observers that want every instruction.
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<std::uint8_t> slm, slmMarks;
  std::vector<Touch> touches; ///< Of the last message.
  Gateway gateway;
  std::uint32_t groupSize = 0; ///< Threads of the group that runs.
  std::uint64_t executed = 0;
};

/// A line for each place in the code.
std::vector<std::string> textOf(const Kernel &kernel, const Machine::Findings &findings);

} // namespace pocm::gensim
