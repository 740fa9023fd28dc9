//===- Cores.h - How many cores there are to run on -------------------------------===//
#pragma once

#include <algorithm>
#include <memory>
#include <sched.h>
#include <thread>

namespace pocm::runtime {

/// Cores that this host thread, and those that it starts, may run on: taskset and containers leave a process fewer than
/// the machine has.
inline unsigned coresToRunOn() {
  constexpr int enough = 1 << 16; // more than a kernel of Linux can have
  for (int most = 1024; most <= enough; most *= 4) {
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    std::unique_ptr<cpu_set_t, void (*)(cpu_set_t *)> mine(CPU_ALLOC(most), [](cpu_set_t *set) { CPU_FREE(set); });
    if (mine && sched_getaffinity(0, bytes, mine.get()) == 0)
      return std::max(1, CPU_COUNT_S(bytes, mine.get()));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

} // namespace pocm::runtime
