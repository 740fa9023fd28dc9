//===- Queue.h - Work in order, and its completion ----------------------------===//
//
// A queue has lanes. A lane runs its tasks one after another on a thread of its own; a task
// waits for earlier ones of other lanes, too, unless it is known to touch nothing that they do:
//
//     lane 0    fill A    endless on A                    endless on A runs
//     lane 1              fill B          copy A to C     fill B runs beside it, the copy waits
//
// A host thread that waits for a short task which nobody has begun runs it itself: that spares
// two thread switches, which cost more than such a task. When it may wait for a limited time
// only, it does so on a fiber: at the end of that time it leaves the task, which the lane's
// thread goes on with. A task can be ended, begun or not; it is then finished and failed, with
// a reason.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/Addresses.h"
#include "runtime/Process.h"
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pocm::runtime {

class Queue;

/// What a task touches: stretches of memory, as kernels or the host know them by address; or anything, which is what is
/// not known.
class Footprint {
public:
  Footprint() = default;
  /// Nothing so far.
  static Footprint nothing() {
    Footprint none;
    none.known = true;
    return none;
  }
  void reserve(std::size_t count) { ranges.reserve(count); }
  void add(AddressRange range) { ranges.push_back(range); }
  /// Whether it is not anything.
  bool isKnown() const { return known; }
  const std::vector<AddressRange> &stretches() const { return ranges; }

private:
  bool known = false;
  std::vector<AddressRange> ranges;
};

/// Completion of one task. Safe from any thread.
class Event : public std::enable_shared_from_this<Event> {
public:
  enum class State { Queued, Running, Finished };

  State state() const;
  bool finished() const { return state() == State::Finished; }
  /// Until it is finished; in a handler of a signal that interrupted a task of its queue, which then cannot go on, not.
  void wait();
  /// False when the time ran out first. Where this host thread sleeps, it may be cancelled; in no other call.
  bool waitFor(std::chrono::milliseconds limit);
  /// Time the task took. Only when finished.
  std::uint64_t nanoseconds() const;
  /// Moments of the steady clock in nanoseconds: submitted, begun, ended. The last two only when finished.
  std::uint64_t submittedAt() const;
  std::uint64_t begunAt() const;
  std::uint64_t endedAt() const;
  /// What went wrong inside the task, empty when nothing did. Only when finished.
  std::string problem() const;
  /// Whether something did. Only when finished.
  bool failed() const;
  /// The task fails with this reason unless it finishes first: it never begins, or what it runs is asked to end.
  void end(std::string_view reason);
  /// Whether that was asked for; devices look at it while they run the task.
  const std::atomic<bool> &ended() const { return endAsked; }

private:
  friend class Queue;
  /// Shared with the queue, which may die before the event: the host may ask at any time.
  struct Shared;
  struct Lane;
  class LastTouches;
  std::shared_ptr<Shared> shared;
  Lane *lane = nullptr;     ///< Of `shared`.
  std::uint64_t number = 0; ///< Of the tasks of its lane, from 1.
  Footprint footprint;
  std::vector<std::shared_ptr<Event>> after; ///< Of other lanes, until it begins.
  std::atomic<State> now = State::Queued;    ///< Written with the queue's lock held; last of all that is.
  std::chrono::steady_clock::time_point submitted, begin, ending;
  std::string error;
  /// What follows is read by all host threads that run the task, while its caller writes what is before it.
  [[maybe_unused]] std::byte apart[64];
  std::atomic<bool> endAsked = false;
};

/// Who may run a task besides the queue's own thread: of host threads that take the signals of faults.
enum class Waiters {
  None,      ///< It may take long.
  Unlimited, ///< Host threads that wait for it without a limit and can be interrupted: it may still never end.
  Leaving,   ///< Any that can be interrupted, and leaves it when its time is over.
  All,       ///< Any host thread that waits for it: it ends soon.
};

class Queue {
public:
  /// Does a task's work; gives up soon after `ended` has become true, by an exception or not.
  using Work = std::function<void(const std::atomic<bool> &ended)>;

  /// Asks the host thread that runs the task with `ended` to call Fiber::leave(); repeated until it has.
  using HandOver = std::function<void(const std::atomic<bool> &ended)>;

  explicit Queue(HandOver handOver = nullptr);
  /// Finishes what was submitted.
  ~Queue();

  /// Where in the order a task stands.
  struct Place {
    unsigned lane = 0;
    Footprint touches;            ///< Earlier tasks of other lanes that touch none of it may go on.
    std::shared_ptr<Event> after; ///< It waits for this one in any case; null for none, or one of this queue.
  };
  /// Another lane, with a thread of its own. There are so many at most; then, and when there is no thread to be had, it
  /// is one that there is.
  unsigned addLane();
  static constexpr unsigned mostLanes = 8;

  /// Runs `work` after everything submitted before to the same lane, and what its place says, and returns at once. When
  /// the queue is closed the event has failed.
  std::shared_ptr<Event> submit(Work work, Waiters who, Place place);
  /// On the first lane, after everything submitted before.
  std::shared_ptr<Event> submit(Work work, Waiters who) { return submit(std::move(work), who, {}); }
  /// Waits for everything submitted so far.
  void finish();
  /// Takes no more work, and waits for what it has. What is not done by `then` ends with this reason; until it has,
  /// `interrupt(ended)` is called for the task that runs, again and again. Where runsHere() it does not wait: what has
  /// not begun ends at once, and the task goes on.
  void close(std::chrono::steady_clock::time_point then, std::string_view reason,
             const std::function<void(const std::atomic<bool> &ended)> &interrupt);
  /// Whether this host thread is in a handler of a signal that has interrupted the task it runs.
  bool runsHere() const;
  /// Something of each lane. Takes no memory: who ends work may have none.
  template <class T> using PerLane = std::array<T, mostLanes>;
  /// The tasks that have run for longer than this; null where none has.
  PerLane<std::shared_ptr<Event>> runningLongerThan(std::chrono::milliseconds limit) const;

private:
  friend class Event;
  std::shared_ptr<Event::Shared> shared;
};

} // namespace pocm::runtime
