//===- ThreadSpace.h - CmThreadSpace ------------------------------------------------===//
#pragma once

#include "cmrt/Report.h"
#include "cmrt/Walks.h"
#include "runtime/Order.h"
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace pocm::cmrt {

class Device;

/// What a thread space says about its threads. Kernels that are associated with the space share it: it stays when the
/// application destroys the space, and follows what the application still chooses. Any thread, where setters hold the
/// lock.
class SpaceLayout {
public:
  SpaceLayout(UINT width, UINT height) : width(width), height(height) {}

  /// How many threads a kernel has in this space, for per-thread arguments.
  std::uint64_t threadCount() const { return std::uint64_t(width) * height; }
  /// Whether its threads are the plain rectangle: any order, one colour, no waits.
  bool plain() const { return isPlain; }
  /// The threads of `kernel` in an order in which they may run. Otherwise a return code. What they wait for in other
  /// kernels is not part of it.
  /// `listed`: one by one, as threads with arguments of their own need it.
  INT order(const CmKernel *kernel, bool listed, std::shared_ptr<const runtime::Order> &out);
  /// Threads of one kernel of several, which run after those of the stretches before.
  struct Stretch {
    std::size_t kernel;
    std::shared_ptr<const runtime::Order> order;
  };
  /// The threads of these kernels in stretches such that every thread comes after those that it waits for; empty when
  /// no kernel's threads wait for another's.
  std::vector<Stretch> stretches(const std::vector<const CmKernel *> &kernels);

  const UINT width, height;
  std::mutex lock; ///< Guards all that follows.
  std::optional<CM_DEPENDENCY_PATTERN> dependency;
  std::optional<CM_WALKING_PATTERN> walking;
  std::optional<CM_WALKING_PARAMETERS> walker;
  std::optional<std::vector<Cell>> vectors; ///< Of the application's own.
  std::vector<CM_THREAD_PARAM> explicitOrder;
  UINT colors = 1;
  CM_26ZI_DISPATCH_PATTERN dispatch26ZI = VVERTICAL_HVERTICAL_26;
  INT blockWidth = 16, blockHeight = 8;
  struct Association {
    const CmKernel *kernel = nullptr; ///< Compared only.
    UINT thread = 0;
    BYTE mask = 0xFF;
  };
  std::vector<Association> associations; ///< By cell, row by row; empty when nothing is associated.
  /// Something above has changed.
  void changed() {
    isPlain = looksPlain();
    lists.clear();
    computed.reset();
    turns.clear();
  }

private:
  struct List {
    const CmKernel *kernel;
    std::shared_ptr<const runtime::Order> order;
  };
  struct Turns {
    std::vector<const CmKernel *> kernels;
    std::vector<Stretch> stretches;
  };
  std::vector<runtime::Neighbour> neighbours() const;
  std::optional<runtime::Tiling> tiling() const;
  std::vector<Stretch> cut(const std::vector<const CmKernel *> &kernels) const;
  std::vector<runtime::ListedThread> dispatched(const CmKernel *kernel) const;
  std::vector<std::vector<std::uint32_t>> waits(const std::vector<runtime::ListedThread> &threads) const;
  std::vector<Cell> walked() const;
  std::size_t cellAt(Cell c) const { return std::size_t(c.y) * width + std::size_t(c.x); }
  bool looksPlain() const;
  std::atomic<bool> isPlain = true;               // read without the lock
  std::vector<List> lists;                        // made already
  std::shared_ptr<const runtime::Order> computed; // likewise, where it needs no list
  std::vector<Turns> turns;                       // likewise
};

class ThreadSpace final : public CmThreadSpace {
public:
  ThreadSpace(const Device &device, UINT width, UINT height)
      : layout(std::make_shared<SpaceLayout>(width, height)), device(device) {}

  INT AssociateThread(UINT x, UINT y, CmKernel *kernel, UINT thread) override {
    return AssociateThreadWithMask(x, y, kernel, thread, 0xFF);
  }
  INT SelectThreadDependencyPattern(CM_DEPENDENCY_PATTERN pattern) override;
  INT AssociateThreadWithMask(UINT x, UINT y, CmKernel *kernel, UINT thread, BYTE mask) override;
  INT SetThreadSpaceColorCount(UINT count) override;
  INT SelectMediaWalkingPattern(CM_WALKING_PATTERN pattern) override;
  INT Set26ZIDispatchPattern(CM_26ZI_DISPATCH_PATTERN pattern) override;
  INT Set26ZIMacroBlockSize(UINT width, UINT height) override;
  INT SetMediaWalkerGroupSelect(CM_MW_GROUP_SELECT) override { return CM_SUCCESS; }
  INT SelectMediaWalkingParameters(CM_WALKING_PARAMETERS parameters) override;
  INT SelectThreadDependencyVectors(CM_DEPENDENCY vectors) override;
  INT SetThreadSpaceOrder(UINT count, PCM_THREAD_PARAM order) override;

  const std::shared_ptr<SpaceLayout> layout;

private:
  const Device &device;
};

} // namespace pocm::cmrt
