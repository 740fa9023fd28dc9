//===- Groups.h - Thread groups on a host thread ------------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pocm::cpu {

/// What compiled kernels know as Group, with the memory behind it: shared local memory and the frames of threads that
/// wait. One host thread at a time; used again for the next group.
class GroupRunner : public Group {
public:
  GroupRunner();
  /// Prepares for groups of this shape. Throws Error when there is no memory.
  void prepare(const KernelInfo &kernel, const std::uint32_t (&local)[3], const std::uint32_t (&groups)[3]);
  /// Why the last walk returned 1.
  std::string problem() const;

  /// Called by compiled kernels; the contracts stand in codegen/cpu/Abi.h.
  static void *threadFrame(Group *group, std::uint64_t bytes);
  static std::uint32_t finish(Group *group);
  static std::uint32_t namedArrive(Group *group, std::uint32_t id, std::uint32_t role, std::uint32_t producers,
                                   std::uint32_t consumers);

private:
  struct Free {
    void operator()(std::uint8_t *p) const;
  };
  using Block = std::unique_ptr<std::uint8_t, Free>;
  static Block allocate(std::size_t bytes);
  std::uint32_t phases() const;
  /// Resumes every thread that is not done, in order; returns how many are still not.
  std::uint32_t round();

  void emptyMail();

  Block slmMemory, frames, mailMemory;
  std::size_t slmCapacity = 0, mailCount = 0, frameCapacity = 0, stride = 0;
  std::uint32_t started = 0; ///< Threads of the running group that have a frame.
  std::uint32_t waiting = 0; ///< Threads of a stuck group that wait.
};

/// Runners that nobody uses at the moment: one for each host thread of a pool, whose cache has its frames, and others.
/// Any thread.
class RunnerPool {
public:
  explicit RunnerPool(unsigned hosts) : own(hosts) {}
  std::unique_ptr<GroupRunner> take();
  void give(std::unique_ptr<GroupRunner> runner);

private:
  /// Where a host thread leaves its runner.
  class alignas(64) Slot {
  public:
    ~Slot() { swap(nullptr); }
    std::unique_ptr<GroupRunner> swap(std::unique_ptr<GroupRunner> other) {
      return std::unique_ptr<GroupRunner>(runner.exchange(other.release(), std::memory_order_acq_rel));
    }

  private:
    std::atomic<GroupRunner *> runner{nullptr};
  };

  std::vector<Slot> own;
  std::mutex lock;
  std::vector<std::unique_ptr<GroupRunner>> others;
};

} // namespace pocm::cpu
