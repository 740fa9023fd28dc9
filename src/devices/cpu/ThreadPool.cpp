//===- ThreadPool.cpp - Host threads that share jobs ----------------------------===//
#include "devices/cpu/ThreadPool.h"
#include "devices/cpu/Relax.h"
#include "runtime/Fiber.h"
#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

namespace pocm::cpu {
namespace {

constexpr double partNanoseconds = 10'000;     // of the parts that items are given out in: switching costs about 100
constexpr double shortest = 1'000;             // parts get shorter towards the end, but not than this
constexpr double worthWaking = 8'000;          // nanoseconds of work that make up for waking a host thread
constexpr unsigned wokenAtOnce = 2;            // who comes wakes others: soon all are awake
constexpr std::chrono::microseconds brief{50}; // to watch for what comes before going to sleep

/// Items that a host thread has and others may take: begin in the lower half.
class alignas(64) Range {
public:
  static Items unpack(std::uint64_t bits) { return {std::uint32_t(bits), std::uint32_t(bits >> 32)}; }
  static std::uint64_t pack(Items items) { return items.begin | std::uint64_t(items.end) << 32; }

  Items get() const { return unpack(bits.load(std::memory_order_relaxed)); }
  void set(Items items) { bits.store(pack(items), std::memory_order_relaxed); }
  /// False when somebody changed it meanwhile; `from` is then what it is.
  bool change(Items &from, Items to) {
    std::uint64_t expected = pack(from);
    bool changed = bits.compare_exchange_weak(expected, pack(to), std::memory_order_relaxed);
    if (!changed)
      from = unpack(expected);
    return changed;
  }

private:
  std::atomic<std::uint64_t> bits{0};
};

const bool watchful = std::thread::hardware_concurrency() > 1;

/// Calls `done` for a short while until it is true.
template <class Done> bool soon(Done done) {
  const auto until = std::chrono::steady_clock::now() + brief;
  do
    for (int i = 0; i < 16; ++i) {
      if (done())
        return true;
      relax();
    }
  while (watchful && std::chrono::steady_clock::now() < until);
  return false;
}

} // namespace

/// Parts of a job of which somebody asks how far it is.
constexpr std::uint32_t stepsOfProgress = 64;

/// A job while somebody works on it.
struct SharedJob {
  SharedJob(const Division &division, const Cost &cost, const ThreadPool::Work &work, unsigned threads)
      : division(division), work(work), ranges(threads), known(cost.known() < 0 ? -1 : cost.known() * division.weight) {
    ranges[0].set({0, division.items});
  }
  /// What nobody has taken yet.
  std::uint32_t left() const {
    return std::accumulate(ranges.begin(), ranges.end(), 0u,
                           [](std::uint32_t sum, const Range &r) { return sum + r.get().count(); });
  }
  /// Items that a share's host thread takes from.
  Range &rangeOf(unsigned number) { return ranges[division.inOrder ? 0 : number]; }

  const Division &division;
  const ThreadPool::Work &work;
  std::vector<Range> ranges; // by share
  const double known;        // nanoseconds that an item took lately
  std::atomic<std::int64_t> busy{0};
  std::atomic<bool> stopped{false}, drained{false}, shared{false};
  std::atomic<unsigned> inside{0}; // other host threads that work on it; grows under the pool's lock
  unsigned joined = 1;             // guarded by the pool's lock
  std::exception_ptr problem;      // guarded by the pool's lock
};

void Cost::note(double nanoseconds) {
  constexpr double fades = 1.0 / 8;
  double before = known();
  value.store(std::max(nanoseconds, before < 0 ? 0 : before + (nanoseconds - before) * fades),
              std::memory_order_relaxed);
}

//===- A share ----------------------------------------------------------------------===//

Share::Share(ThreadPool &pool, SharedJob &job, unsigned number)
    : pool(pool), job(job), number(number), each(job.known), given(Clock::now()) {}

void Share::account() {
  if (!last || pool.threads() == 1)
    return;
  auto now = Clock::now();
  auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(now - given).count();
  given = now;
  busy += took;
  each = double(took) / last;
}

/// Of so many that are left of its own.
std::uint32_t Share::howMany(std::uint32_t left) const {
  constexpr std::uint32_t growth = 8; // the next items may be others than those that were measured
  if (job.division.inOrder)
    return 1;
  if (pool.threads() == 1)
    return job.division.inSteps ? std::min(left, std::max(1u, job.division.items / stepsOfProgress)) : left;
  if (each < 0)
    return 1;
  bool trusted = job.division.even;
  if (trusted && (left == 1 || !worthSharing(left)) && !job.shared.load(std::memory_order_relaxed))
    return left;
  double nanoseconds = std::clamp(each * left / 2, shortest, partNanoseconds);
  double most = std::min<double>(left, trusted ? left : std::max(1u, last) * double(growth));
  return std::uint32_t(std::clamp(nanoseconds / std::max(each, 1e-3), 1.0, std::max(1.0, most)));
}

Items Share::takeOwn() {
  Range &range = job.rangeOf(number);
  for (Items own = range.get(); own;) {
    std::uint32_t end = own.begin + howMany(own.count());
    if (std::uint32_t over = end % job.division.quantum; end < own.end && over < end - own.begin)
      end -= over;
    if (range.change(own, {end, own.end}))
      return {own.begin, end};
  }
  return {};
}

/// Takes half of what the host thread has that has most.
bool Share::steal() {
  if (job.division.inOrder)
    return false;
  while (true) {
    Range *victim = nullptr;
    Items most;
    for (Range &other : job.ranges)
      if (Items items = other.get(); items.count() > most.count()) {
        victim = &other;
        most = items;
      }
    if (!victim)
      return false;
    std::uint32_t middle = most.begin + most.count() / 2;
    if (std::uint32_t over = middle % job.division.quantum; over < middle - most.begin)
      middle -= over;
    if (victim->change(most, {most.begin, middle})) {
      job.ranges[number].set({middle, most.end});
      return true;
    }
  }
}

/// How many others would find enough to do in so many items. Where nothing is known one is to look.
unsigned Share::worthSharing(std::uint32_t left) const {
  if (each < 0)
    return !job.division.even && left;
  return unsigned(std::min(left * each / worthWaking, double(std::min(left, wokenAtOnce))));
}

Items Share::next() {
  account();
  if (job.stopped.load(std::memory_order_relaxed))
    return {};
  Items some = takeOwn();
  const bool hasOwn = bool(some);
  while (!some && steal())
    some = takeOwn();
  last = some.count();
  if (!some)
    job.drained.store(true, std::memory_order_relaxed);
  else if (pool.threads() > 1)
    if (unsigned others = worthSharing(hasOwn ? job.rangeOf(number).get().count() : job.left()))
      pool.share(job, others);
  return some;
}

//===- The pool -----------------------------------------------------------------------===//

ThreadPool::ThreadPool(unsigned threads) {
  try {
    for (unsigned i = 1; i < threads; ++i)
      helpers.emplace_back([this] { help(); });
  } catch (...) { // no more threads to be had
    close();
    throw;
  }
}

ThreadPool::~ThreadPool() { close(); }

void ThreadPool::close() {
  {
    std::lock_guard guard(lock);
    closing = true;
    ++news;
  }
  wake.notify_all();
  for (runtime::OwnThread &helper : helpers)
    helper.join();
}

void ThreadPool::work(SharedJob &job, unsigned number) {
  Share mine(*this, job, number);
  try {
    job.work(mine);
  } catch (...) {
    job.stopped = job.drained = true;
    std::unique_lock held(lock, std::defer_lock);
    if (!lost())
      held.lock();
    if (!job.problem)
      job.problem = std::current_exception();
  }
  job.busy.fetch_add(mine.busy, std::memory_order_relaxed);
}

/// A job that a helper can join, with the lock held.
SharedJob *ThreadPool::openJob() {
  for (SharedJob *job : open)
    if (!job->drained.load(std::memory_order_relaxed) && job->joined < job->ranges.size())
      return job;
  return nullptr;
}

/// The lock, which is held for moments: going to sleep for it would take much longer than they do.
void ThreadPool::take(std::unique_lock<std::mutex> &held) {
  for (int i = 0; watchful && i < 1000; ++i) {
    if (held.try_lock())
      return;
    relax();
  }
  held.lock();
}

void ThreadPool::join(std::unique_lock<std::mutex> &held, SharedJob &job) {
  unsigned number = job.joined++;
  ++job.inside;
  held.unlock();
  work(job, number);
  const bool isLast = job.inside.fetch_sub(1, std::memory_order_acq_rel) == 1; // then the job may be gone
  take(held);
  if (isLast)
    idle.notify_all();
}

void ThreadPool::help() {
  std::unique_lock held(lock);
  while (!closing) {
    if (SharedJob *job = openJob()) {
      join(held, *job);
      continue;
    }
    unsigned seen = news.load(std::memory_order_relaxed);
    auto changed = [&] { return news.load(std::memory_order_relaxed) != seen; };
    held.unlock();
    soon(changed);
    take(held);
    ++asleep;
    wake.wait(held, changed);
    --asleep;
  }
}

/// Lets helpers join the job, and wakes so many; who comes wakes others.
void ThreadPool::share(SharedJob &job, unsigned wanted) {
  bool first = !job.shared.load(std::memory_order_relaxed);
  if ((!first && !asleep.load(std::memory_order_relaxed)) || lost())
    return;
  {
    std::unique_lock held(lock, std::defer_lock);
    take(held);
    if (!job.shared.exchange(true))
      open.push_back(&job);
    if (job.joined == job.ranges.size())
      return;
    ++news;
    wanted = std::min(wanted, asleep.load(std::memory_order_relaxed));
  }
  for (; wanted; --wanted)
    wake.notify_one();
}

/// Nobody joins any more.
void ThreadPool::withdraw(SharedJob &job) {
  std::lock_guard guard(lock);
  std::erase(open, &job);
}

void ThreadPool::waitForOthers(SharedJob &job) {
  constexpr std::chrono::milliseconds again{1};
  auto alone = [&] { return job.inside.load(std::memory_order_acquire) == 0; };
  if (soon(alone))
    return;
  while (!lost()) {
    {
      std::unique_lock held(lock);
      if (idle.wait_for(held, again, alone))
        return;
    }
    runtime::Fiber::leaveIfAsked(); // without the lock
  }
}

void ThreadPool::run(const Division &division, Cost &cost, const Work &each) {
  if (division.items == 0)
    return;
  SharedJob job(division, cost, each, threads());
  work(job, 0);
  if (job.shared && !lost()) {
    withdraw(job);
    waitForOthers(job);
  }
  if (std::exception_ptr first = std::exchange(job.problem, nullptr))
    std::rethrow_exception(first);
  if (threads() > 1)
    cost.note(double(job.busy.load(std::memory_order_relaxed)) / division.items / division.weight);
}

} // namespace pocm::cpu
