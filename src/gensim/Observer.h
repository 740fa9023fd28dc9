//===- Observer.h - Who watches kernels being executed ------------------------------------===//
//
// A machine tells its observers of each instruction that a thread has executed, or of branches and messages, and knows
// nothing else of them: traces, timing and checks are built on this. Without observers it
// costs nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/memory/Memory.h"
#include <span>

namespace pocm::gensim {

/// A group that is being executed.
struct GroupView {
  std::span<const std::unique_ptr<Thread>> threads;
  const World &world;
};

class Observer {
public:
  virtual ~Observer() = default;
  /// False: it is told of branches and messages alone.
  virtual bool wantsAll() const { return true; }
  virtual void groupBegins(const GroupView &) {}
  /// Before a thread's first instruction.
  virtual void threadBegins(const Thread &) {}
  /// `thread` is as the instruction leaves it, and goes on at its `ip`; `active`: channels that executed it;
  /// `touches`: what a message has reached for.
  virtual void executed(const Thread &thread, const Instruction &i, std::uint32_t active,
                        std::span<const Touch> touches) = 0;
  virtual void groupEnds() {}
};

} // namespace pocm::gensim
