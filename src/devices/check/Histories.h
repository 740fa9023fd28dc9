//===- Histories.h - What is kept of memory from launch to launch ---------------------===//
//
// Mapping and clearing the histories of surfaces takes longer than many a launch, so they
// stay. Nothing is cleared: accesses have numbers that go on, and those up to where a launch
// begins count as none. Only those of the launch that runs are described.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "devices/check/Clocks.h"
#include "devices/check/Findings.h"
#include "devices/check/Shadow.h"
#include <memory>
#include <vector>

namespace pocm::check {

/// What is known of a thread of the launch.
struct ThreadNote {
  ThreadPlace place;
  std::uint32_t group;
  /// Of the first thread of a group, for all of them: accesses up to this one came before a fence, those up to that
  /// one before an atomic too; that atomic, and the last one.
  AccessNumber fenced, released, releasedAt, acquiredAt;
};

/// Of one launch at a time.
class Histories {
public:
  static constexpr std::uint32_t mostAccesses = 1u << 26; ///< Of a launch.

  Histories() : notes(std::size_t(mostAccesses) * sizeof(AccessNote), false), shared(131072) {}
  /// Whether so many accesses have been noted that it is time for others.
  bool isWorn() const { return last > ~0u - 2 * mostAccesses; }

  /// Another launch: its accesses have numbers above what this returns.
  AccessNumber begin(std::uint64_t threadCount) {
    if (threadRoom < threadCount + 1) {
      threadMemory = Zeros((threadCount + 1) * sizeof(ThreadNote), true);
      threadRoom = threadCount + 1;
    }
    ++last;
    accesses()[0] = {}; // what comes next is another access
    constexpr std::uint64_t mostBytes = 1u << 30;
    if (bytes > mostBytes) {
      kept.clear();
      bytes = 0;
    }
    return last;
  }
  /// The history of a stretch of memory, the same one as before where there is one.
  Shadow &of(const void *base, std::uint64_t size) {
    for (Kept &k : kept)
      if (k.base == base && k.bytes == size)
        return *k.shadow;
    kept.push_back({base, size, std::make_unique<Shadow>(size)});
    bytes += size;
    return *kept.back().shadow;
  }
  ThreadNote *threads() const { return static_cast<ThreadNote *>(threadMemory.data()); }
  /// By number, from the one that begin() gave on.
  AccessNote *accesses() const { return static_cast<AccessNote *>(notes.data()); }

private:
  struct Kept {
    const void *base;
    std::uint64_t bytes;
    std::unique_ptr<Shadow> shadow;
  };
  Zeros notes, threadMemory;
  std::uint64_t threadRoom = 0, bytes = 0;
  std::vector<Kept> kept;

public:
  Shadow shared;         ///< Of the group that runs.
  Clocks clocks;         ///< Of the group that runs, where it has no common phases.
  AccessNumber last = 0; ///< The newest access.
};

} // namespace pocm::check
