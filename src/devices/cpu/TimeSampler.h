//===- TimeSampler.h - Where host threads are, once in a while of CPU time --------------===//
//
// A timer of its own interrupts each host thread that runs kernels; the handler notes where
// it is. In a function that the kernel calls, that is the place of the call: the first
// number on the stack that is an address in the kernel's code.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "devices/cpu/CodeRange.h"
#include <atomic>
#include <cstdint>
#include <vector>

namespace pocm::cpu {

class TimeSampler {
public:
  /// Starts anew, with the code of a kernel. One at a time in a process; throws Error when there are no timers.
  static void start(const CodeRange &code);
  /// Addresses in that code, one for each sample, 0 for those that are elsewhere.
  static std::vector<std::uintptr_t> stop();
  /// Seconds of CPU time between two samples of a thread.
  static constexpr double period = 0.001;

  /// Called by host threads before they run kernels.
  static void here() {
    if (on.load(std::memory_order_relaxed))
      arm();
  }

private:
  static void arm();
  static std::atomic<bool> on;
};

} // namespace pocm::cpu
