//===- Clocks.h - What threads of a group know of each other ---------------------------===//
//
// Groups that meet at named barriers, or exchange values in pairs, have no common phases.
// Each thread knows the accesses of every other one up to some number; where it arrives it
// leaves what it knows, where it has waited it takes what the others have left:
//
//     leave(thread, barrier 1)        at cm_nbarrier_signal(1, ...)
//     take(thread, barrier 1)         behind cm_nbarrier_wait(1)
//
// What was left in earlier phases of a barrier stays, so a wait may know too much, never too
// little.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "devices/check/Shadow.h"
#include <algorithm>
#include <cstring>

namespace pocm::check {

class Clocks {
public:
  static constexpr std::uint32_t mostThreads = 1024;
  /// Places where clocks are left: the named barriers, that of the group, one for each thread's partner.
  static constexpr std::uint32_t groupBarrier = 32, firstPartner = 33;

  Clocks() : memory((std::size_t(mostThreads) * 2 + firstPartner) * mostThreads * sizeof(AccessNumber), false) {}

  /// A group begins: nobody knows anything.
  void begin(std::uint32_t threads) {
    count = std::min(threads, mostThreads);
    for (std::uint32_t row = 0; row < count; ++row)
      std::memset(known(row), 0, count * sizeof(AccessNumber));
    for (std::uint32_t place = 0; place < firstPartner + count; ++place)
      std::memset(left(place), 0, count * sizeof(AccessNumber));
  }
  /// `last`: the newest access of all.
  void leave(std::uint32_t thread, std::uint32_t place, AccessNumber last) {
    if (thread >= count)
      return;
    known(thread)[thread] = last;
    join(left(place), known(thread));
  }
  void take(std::uint32_t thread, std::uint32_t place) {
    if (thread < count)
      join(known(thread), left(place));
  }
  static std::uint32_t partner(std::uint32_t thread) { return firstPartner + (thread ^ 1) % mostThreads; }

  /// Whether an access of another thread of the group came before all that this one does now.
  bool knows(std::uint32_t thread, std::uint32_t other, AccessNumber access) const {
    return thread >= count || other >= count || access <= known(thread)[other];
  }

private:
  AccessNumber *row(std::uint32_t k) const {
    return static_cast<AccessNumber *>(memory.data()) + std::size_t(k) * mostThreads;
  }
  AccessNumber *known(std::uint32_t thread) const { return row(thread); }
  AccessNumber *left(std::uint32_t place) const { return row(mostThreads + place); }
  void join(AccessNumber *into, const AccessNumber *from) const {
    for (std::uint32_t k = 0; k < count; ++k)
      into[k] = std::max(into[k], from[k]);
  }

  Zeros memory;
  std::uint32_t count = 0;
};

} // namespace pocm::check
