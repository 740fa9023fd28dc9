//===- Queue.h - Work in order, and its completion ----------------------------===//
//
// A queue runs its tasks one after another on a thread of its own. A host thread that
// waits for a short task which nobody has begun runs it itself: that spares two thread
// switches, which cost more than such a task.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace pocm::runtime {

class Queue;

/// Completion of one task. Safe from any thread.
class Event : public std::enable_shared_from_this<Event> {
public:
  enum class State { Queued, Running, Finished };

  State state() const;
  bool finished() const { return state() == State::Finished; }
  void wait();
  /// False when the time ran out first.
  bool waitFor(std::chrono::milliseconds limit);
  /// Time the task took. Only when finished.
  std::uint64_t nanoseconds() const;
  /// Moments of the steady clock in nanoseconds: submitted, begun, ended. The last two only when finished.
  std::uint64_t submittedAt() const;
  std::uint64_t begunAt() const;
  std::uint64_t endedAt() const;
  /// What went wrong inside the task, empty when nothing did. Only when finished.
  std::string problem() const;

private:
  friend class Queue;
  /// Shared with the queue, which may die before the event: the host may ask at any time.
  struct Shared;
  std::shared_ptr<Shared> shared;
  State now = State::Queued;
  std::chrono::steady_clock::time_point submitted, begin, end;
  std::string error;
};

class Queue {
public:
  Queue();
  /// Finishes what was submitted.
  ~Queue();

  /// Runs `work` after everything submitted before, and returns at once. A `brief` task may run inside wait().
  std::shared_ptr<Event> submit(std::function<void()> work, bool brief);
  /// Waits for everything submitted so far.
  void finish();

private:
  friend class Event;
  std::shared_ptr<Event::Shared> shared;
  std::thread worker;
};

} // namespace pocm::runtime
