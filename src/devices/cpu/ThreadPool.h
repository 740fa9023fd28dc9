//===- ThreadPool.h - Host threads that share jobs ------------------------------===//
//
//     pool.run({.items = rows, .weight = threadsOfARow}, cost, [&](Share &mine) {
//       while (Items some = mine.next())
//         walk(some.begin, some.end);
//     });
//
// The caller begins alone. Other host threads are woken when what is left takes longer than
// that: by what items of the kind cost lately, or by what they cost now, and by what it has taken
// lately to wake one. Those that are awake get equal parts, others take half of what another has
// left; each takes of its own a few at a time, so that the rest can be taken from it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/Process.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace pocm::cpu {

/// Items begin to end - 1 of a job.
struct Items {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t count() const { return end - begin; }
  explicit operator bool() const { return begin < end; }
};

/// What a unit of work of some kind has cost lately. Any thread.
class alignas(64) Cost { // noted for each job: not in a line of the cache that all host threads read
public:
  /// Nanoseconds for each; less than 0 when nothing was noted yet.
  double known() const { return value.load(std::memory_order_relaxed); }
  /// The most that was noted counts, and fades.
  void note(double nanoseconds);

private:
  std::atomic<double> value{-1};
};

/// What it takes to wake a host thread, as it was lately: some microseconds on a machine of one's own, more than a
/// hundred in a virtual one whose cores have gone to sleep. Any thread.
class Waking {
public:
  using Clock = std::chrono::steady_clock;

  /// Whether so much work is done sooner with one more host thread, which is asleep. With what it costs its waker and
  /// the time until it has come, which goes by meanwhile, half of the rest is left to each.
  bool pays(double nanoseconds) const;
  /// A job for which it did not pay: nothing is measured as long as nobody is woken, so that is believed a little less.
  void forget();
  /// What it took the waker.
  void noteCost(Clock::duration took) { note(cost, took); }
  /// How long after it was called one has come.
  void noteArrival(Clock::duration took) { note(arrival, took); }

private:
  static void note(std::atomic<double> &usual, Clock::duration took);
  std::atomic<double> cost{2'000}, arrival{3'000}; // nanoseconds
};

/// How a job may be divided.
struct Division {
  std::uint32_t items = 0;
  double weight = 1;         ///< Units of cost in an item.
  std::uint32_t quantum = 1; ///< Larger parts end at multiples of so many items.
  bool inOrder = false;      ///< One by one from the first, as later ones wait for earlier ones.
  bool even = false;         ///< Items cost as much as those of earlier jobs did.
  bool inSteps = false;      ///< Not all at once, for somebody asks how far it is.

  /// Where a part that begins at `begin` ends that was to end at `end`: at a multiple of the quantum, if it loses
  /// little.
  std::uint32_t divided(std::uint32_t begin, std::uint32_t end) const {
    const std::uint32_t over = end % quantum;
    return over <= (end - begin) / 4 ? end - over : end;
  }
};

class ThreadPool;
class Range;
class Share;
struct SharedJob;

/// What is to be called with each share of a job. Host threads that come get a copy, where it is small and plain: then
/// they look at nothing that their caller goes on writing.
class SharedWork {
public:
  template <class Callable> explicit SharedWork(const Callable &callable)
      : call([](const void *given, Share &mine) { (*static_cast<const Callable *>(given))(mine); }), object(&callable),
        copied(std::is_trivially_copyable_v<Callable> && sizeof(Callable) <= mostCopied ? sizeof(Callable) : 0) {}
  /// The same, of a copy at `to` if it is small and plain.
  SharedWork copy(std::span<std::byte> to) const;
  void operator()(Share &mine) const { call(object, mine); }

  static constexpr std::size_t mostCopied = 320;

private:
  void (*call)(const void *callable, Share &mine);
  const void *object;
  std::size_t copied;
};

/// What one host thread has of a job. Lives in one call of the job's work.
class Share {
  using Clock = std::chrono::steady_clock;

public:
  /// What to do next; empty when nothing is left. What was given before is done now.
  Items next();
  /// As long as it lives, its host thread waits for others: that is not what an item costs.
  class Waiting {
  public:
    explicit Waiting(Share &share) : share(share) {}
    ~Waiting() { share.given += Clock::now() - since; }
    Waiting(const Waiting &) = delete;
    Waiting &operator=(const Waiting &) = delete;

  private:
    Share &share;
    const Clock::time_point since = Clock::now();
  };

private:
  friend class ThreadPool;
  Share(ThreadPool &pool, SharedJob &job, unsigned number);
  void account();
  std::uint32_t howMany(std::uint32_t left) const;
  Items takeOwn();
  bool steal();
  unsigned worthSharing(std::uint32_t left) const;
  void offer(std::uint32_t left);

  ThreadPool &pool;
  SharedJob *job;            // the caller's own, until it is shared
  const unsigned number;     // 0 is the caller's
  double each;               // nanoseconds that an item takes; less than 0 when that is not known
  std::uint32_t last = 0;    // how many were given last
  std::int64_t busy = 0;     // nanoseconds so far
  Clock::time_point given{}; // when
  bool declined = false;     // to wake somebody: it did not pay
};

/// Runs jobs on `threads` host threads, their callers among them. Any number of callers at once.
class ThreadPool {
public:
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();

  /// Which of a pool's host threads this is, from 1 on; 0 for all others.
  static unsigned host();
  unsigned threads() const { return unsigned(helpers.size()) + 1; }
  /// Calls `work` here and, where that pays, on other host threads; returns when all items were given out and all calls
  /// have returned. Rethrows the first exception; what was not given out then, is not. May be called on a fiber, which
  /// it leaves when it is asked to while it waits for others.
  template <class Callable> void run(const Division &division, Cost &cost, const Callable &work) {
    runWork(division, cost, SharedWork(work));
  }

private:
  friend class Share;
  friend struct SharedJob;
  class Place;
  class Sleeper;
  unsigned sleeping() const { return asleep.load(std::memory_order_relaxed); }
  /// Whether this is a child that was forked in the middle of a job: nobody else is here.
  bool lost() const { return born != runtime::generation(); }
  void close();
  void help(unsigned number);
  std::optional<std::int64_t> joinAny(unsigned number);
  void runWork(const Division &division, Cost &cost, const SharedWork &work);
  SharedJob *announce(SharedJob &job);
  void share(SharedJob *&job, unsigned woken);
  SharedJob &work(SharedJob &job, unsigned number);
  void waitForOthers(std::span<Range> others, std::int64_t busy);

  const unsigned born = runtime::generation();
  const std::unique_ptr<Place[]> places; ///< Jobs that others may join.
  std::atomic<bool> closing{false};
  std::atomic<unsigned> news{0}, asleep{0}; ///< What helpers watch; how many of them sleep, whom nobody has called.
  Waking waking;
  std::vector<Sleeper> sleepers; ///< By their number; 0 is nobody.
  std::mutex lock;               ///< Of callers that sleep until others are done.
  std::condition_variable idle;
  std::atomic<unsigned> waiting{0};
  std::vector<runtime::OwnThread> helpers;
};

} // namespace pocm::cpu
