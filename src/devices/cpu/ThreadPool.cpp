//===- ThreadPool.cpp - Host threads that share jobs ----------------------------===//
#include "devices/cpu/ThreadPool.h"
#include "devices/cpu/Relax.h"
#include "runtime/Cores.h"
#include "runtime/Fiber.h"
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

namespace pocm::cpu {
namespace {

constexpr double partNanoseconds = 10'000; // of the parts that items are given out in: switching costs about 100
constexpr double worthSharing = 8'000;     // nanoseconds of work that make up for sharing it with who is awake, or for
                                           // dividing it again
constexpr unsigned wokenAtOnce = 2;        // who comes wakes others: soon all are awake
/// To watch for what comes before going to sleep: as long as what has just ended took, as the same often follows.
constexpr std::chrono::nanoseconds leastWatch = std::chrono::microseconds(50),
                                   mostWatch = std::chrono::microseconds(500);

const bool watchful = runtime::coresToRunOn() > 1;

/// Calls `done` for a short while, after so many nanoseconds of work, until it is true.
template <class Done> bool soon(std::int64_t busy, Done done) {
  const auto until =
      std::chrono::steady_clock::now() + std::clamp(std::chrono::nanoseconds(busy), leastWatch, mostWatch);
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

/// What a host thread has of a job: an invitation to it, and items that others may take, begin in the lower half. A
/// line of the cache each: nobody who comes or leaves waits for others that do.
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

  /// Its host thread may join the job, which is complete.
  void invite(SharedJob &job) { joining.store(&job, std::memory_order_release); }
  /// The job that its host thread was invited to and has joined now; it stays until the host thread leaves. Null when
  /// there is none.
  SharedJob *join() {
    SharedJob *job = joining.load(std::memory_order_relaxed);
    return job && job != joined() && joining.compare_exchange_strong(job, joined(), std::memory_order_acquire)
               ? job
               : nullptr;
  }
  /// Its host thread is through with the job, of which it does not touch anything any more.
  void leave() { joining.store(nullptr); }
  /// Whether its host thread is not at work. If it has not come yet, it does not come any more.
  bool isAlone() {
    SharedJob *job = joining.load(std::memory_order_acquire);
    return !job || (job != joined() && joining.compare_exchange_strong(job, nullptr, std::memory_order_acquire));
  }
  std::int64_t busy = 0; ///< Nanoseconds that its host thread has worked, when it has left.
  bool hasPart = false;  ///< For who divides the job.

private:
  static SharedJob *joined() { return reinterpret_cast<SharedJob *>(std::uintptr_t(1)); }
  std::atomic<std::uint64_t> bits{0};
  std::atomic<SharedJob *> joining{nullptr};
};

/// Whether a host thread sleeps, and where. One that is called is nobody else's to call. A line of the cache each.
class alignas(64) ThreadPool::Sleeper {
public:
  bool isAwake() const { return state.load(std::memory_order_relaxed) == Awake; }
  /// Sleeps until it is called, unless there is news already. `asleep` counts those that nobody has called.
  void sleep(std::atomic<unsigned> &asleep, const std::atomic<unsigned> &news, unsigned seen) {
    ++asleep;
    state = Asleep;
    std::uint32_t expected = Asleep;
    if (news != seen && state.compare_exchange_strong(expected, Awake)) {
      --asleep;
      return;
    }
    state.wait(Asleep);
    state = Awake;
  }
  /// False when it does not sleep.
  bool call(std::atomic<unsigned> &asleep, Waking::Clock::time_point now) {
    std::uint32_t expected = Asleep;
    if (state != Asleep || !state.compare_exchange_strong(expected, Called)) // after the news, for who sees none sleeps
      return false;
    --asleep;
    calledAt.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    state.notify_one();
    return true;
  }
  /// When that was; the beginning of time, or a call before, when it was not called.
  Waking::Clock::time_point called() const {
    return Waking::Clock::time_point(Waking::Clock::duration(calledAt.load(std::memory_order_relaxed)));
  }

private:
  enum State : std::uint32_t { Awake, Asleep, Called };
  std::atomic<std::uint32_t> state{Awake};
  std::atomic<Waking::Clock::rep> calledAt{0};
};

/// Parts of a job of which somebody asks how far it is.
constexpr std::uint32_t stepsOfProgress = 64;

/// A job while somebody works on it.
struct SharedJob {
  /// The caller's own.
  SharedJob(const Division &division, const Cost &cost, const SharedWork &work, Range &all)
      : division(division), work(work), known(cost.known() < 0 ? -1 : cost.known() * division.weight), ranges(&all, 1) {
    all.set({0, division.items});
  }
  /// The same, which others may join.
  SharedJob(const SharedJob &own, ThreadPool::Place &place);

  /// What nobody has taken yet.
  std::uint32_t left() const {
    return std::accumulate(ranges.begin(), ranges.end(), 0u,
                           [](std::uint32_t sum, const Range &r) { return sum + r.get().count(); });
  }
  /// Items that a host thread takes from.
  Range &rangeOf(unsigned number) { return ranges[division.inOrder ? 0 : number]; }

  const Division division;
  const SharedWork work;
  const double known;                       // nanoseconds that an item took lately
  const std::span<Range> ranges;            // by host thread
  ThreadPool::Place *const place = nullptr; // where others join
  std::atomic<bool> stopped{false};
  std::exception_ptr problem; // guarded by the pool's lock
};

/// Calls `use` with each line of the cache that an object lies in.
template <class T> void eachLine(const T &object, auto use) {
  const auto *const from = reinterpret_cast<const std::byte *>(&object);
  for (const std::byte *line = from; line < from + sizeof(object); line += 64)
    use(line);
}

/// Where a job stands that others may join, with all that they look at. Places stay as long as the pool, so that who
/// looks at one finds memory; and what callers write elsewhere, on their stacks, is in no other host thread's cache.
class ThreadPool::Place {
public:
  void make(unsigned threads) { ranges = std::vector<Range>(threads); }
  /// A job is about to stand here, perhaps: what is written then comes meanwhile, from the caches of other host
  /// threads.
  void expect() const {
    if (taken.load(std::memory_order_relaxed))
      return;
    for (const Range &range : ranges)
      fetchForWriting(&range);
    eachLine(room, fetchForWriting);
  }
  /// Whether the place was free, and is the caller's.
  bool take() { return !taken.load(std::memory_order_relaxed) && !taken.exchange(true, std::memory_order_acquire); }
  void free() { taken.store(false, std::memory_order_release); }
  /// Somebody is about to look at it all: lines of the cache come one beside the other.
  void fetch() const {
    auto read = [](const std::byte *line) { __builtin_prefetch(line); };
    eachLine(room, read);
    eachLine(job, read);
  }
  /// The job moves here. The caller's host thread and those that are awake get equal parts.
  SharedJob &stand(const SharedJob &job, std::span<const Sleeper> sleepers);

  std::vector<Range> ranges; // by host thread, the caller's first
  alignas(64) std::byte room[SharedWork::mostCopied];
  /// Whether somebody has looked and found nothing left to take, for the job that stands here: others need not look at
  /// everybody's line of the cache, which who works there would wait for.
  alignas(64) std::atomic<bool> isEmpty{false};

private:
  void divide(const SharedJob &job, Items all, std::span<const Sleeper> sleepers);
  alignas(64) std::optional<SharedJob> job;
  alignas(64) std::atomic<bool> taken{false};
};

constexpr unsigned mostPlaces = 16; // jobs beyond so many at once have their caller only

SharedWork SharedWork::copy(std::span<std::byte> to) const {
  SharedWork same = *this;
  if (copied) {
    std::memcpy(to.data(), object, copied);
    same.object = to.data();
  }
  return same;
}

SharedJob::SharedJob(const SharedJob &own, ThreadPool::Place &place)
    : division(own.division), work(own.work.copy(place.room)), known(own.known), ranges(place.ranges), place(&place) {}

SharedJob &ThreadPool::Place::stand(const SharedJob &own, std::span<const Sleeper> sleepers) {
  divide(own, own.ranges.front().get(), sleepers);
  return job.emplace(own, *this);
}

void ThreadPool::Place::divide(const SharedJob &own, Items all, std::span<const Sleeper> sleepers) {
  isEmpty.store(false, std::memory_order_relaxed);
  const bool several = own.known >= 0 && !own.division.inOrder;
  std::uint32_t parts = 1;
  for (std::size_t number = 1; number < ranges.size(); ++number) {
    Range &range = ranges[number];
    range.busy = 0;
    range.hasPart = several && parts < all.count() && sleepers[number].isAwake();
    parts += range.hasPart;
  }
  const std::uint32_t each = all.count() / parts;
  std::uint32_t end = all.end, part = parts;
  for (std::size_t number = ranges.size(); --number;)
    if (Range &range = ranges[number]; range.hasPart) {
      const auto begin = all.begin + std::uint32_t(std::uint64_t(all.count()) * --part / parts);
      range.set({own.division.divided(begin - each, begin), end});
      end = range.get().begin;
    } else {
      range.set({});
    }
  ranges.front().set({all.begin, end});
}

void Cost::note(double nanoseconds) {
  constexpr double fades = 1.0 / 8;
  double before = known();
  value.store(std::max(nanoseconds, before < 0 ? 0 : before + (nanoseconds - before) * fades),
              std::memory_order_relaxed);
}

//===- Waking -----------------------------------------------------------------------===//

bool Waking::pays(double nanoseconds) const {
  constexpr double cold = 1.25; // who has just come is slow at first
  return nanoseconds > cost.load(std::memory_order_relaxed) + cold * arrival.load(std::memory_order_relaxed);
}

void Waking::forget() {
  constexpr double some = 1.0 / 32;
  for (std::atomic<double> *usual : {&cost, &arrival})
    usual->store(usual->load(std::memory_order_relaxed) * (1 - some), std::memory_order_relaxed);
}

void Waking::note(std::atomic<double> &usual, Clock::duration took) {
  const double before = usual.load(std::memory_order_relaxed);
  const double most = 4 * before + 20'000; // what takes longer has another cause
  const auto nanoseconds = double(std::chrono::duration_cast<std::chrono::nanoseconds>(took).count());
  usual.store((before + std::min(nanoseconds, most)) / 2, std::memory_order_relaxed);
}

//===- A share ----------------------------------------------------------------------===//

Share::Share(ThreadPool &pool, SharedJob &job, unsigned number)
    : pool(pool), job(&job), number(number), each(job.known), given(Clock::now()) {}

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
  constexpr double growth = 8, firstPart = 1 / 4.0; // the next items may be others than those that were measured
  if (job->division.inOrder)
    return 1;
  if (pool.threads() == 1)
    return job->division.inSteps ? std::min(left, std::max(1u, job->division.items / stepsOfProgress)) : left;
  if (each < 0)
    return 1;
  bool trusted = job->division.even;
  if (trusted && (left == 1 || !worthSharing(left)) && !job->place)
    return left;
  const double all = each * left;
  const double some = all < cpu::worthSharing ? left : std::min(all / 2, partNanoseconds) / each;
  double most = trusted ? left : std::max({1.0, last * growth, job->known < 0 ? 0 : left * firstPart});
  return std::uint32_t(std::clamp(some, 1.0, std::min<double>(left, most)));
}

Items Share::takeOwn() {
  Range &range = job->rangeOf(number);
  for (Items own = range.get(); own;) {
    std::uint32_t end = own.begin + howMany(own.count());
    if (end < own.end)
      end = job->division.divided(own.begin, end);
    if (range.change(own, {end, own.end}))
      return {own.begin, end};
  }
  return {};
}

/// Takes half of what the host thread has that has most; of several the next, so that not all take from one.
bool Share::steal() {
  if (job->division.inOrder || !job->place || job->place->isEmpty.load(std::memory_order_relaxed))
    return false;
  while (true) {
    Range *victim = nullptr;
    Items most;
    for (std::size_t next = 1; next < job->ranges.size(); ++next) {
      Range &other = job->ranges[(number + next) % job->ranges.size()];
      if (Items items = other.get(); items.count() > most.count()) {
        victim = &other;
        most = items;
      }
    }
    if (!victim) {
      job->place->isEmpty.store(true, std::memory_order_relaxed);
      return false;
    }
    while (most) { // what others have left of it
      const std::uint32_t middle = job->division.divided(most.begin, most.begin + most.count() / 2);
      if (victim->change(most, {most.begin, middle})) {
        job->ranges[number].set({middle, most.end});
        if (job->place->isEmpty.load(std::memory_order_relaxed)) // somebody looked meanwhile
          job->place->isEmpty.store(false, std::memory_order_relaxed);
        return true;
      }
    }
  }
}

/// How many others would find enough to do in so many items. Where nothing is known one is to look.
unsigned Share::worthSharing(std::uint32_t left) const {
  if (each < 0)
    return !job->division.even && left;
  return unsigned(std::min(left * each / cpu::worthSharing, double(std::min(left, wokenAtOnce))));
}

void Share::offer(std::uint32_t left) {
  if (pool.threads() == 1)
    return;
  const unsigned others = worthSharing(left);
  if (!others)
    return;
  const unsigned sleeping = pool.sleeping();
  // Who has come was in time for more to come.
  const bool wakes = sleeping && (each < 0 || number || pool.waking.pays(left * each));
  if (sleeping && !wakes && !std::exchange(declined, true))
    pool.waking.forget();
  pool.share(job, wakes ? std::min(others, sleeping) : 0);
}

Items Share::next() {
  account();
  if (job->stopped.load(std::memory_order_relaxed))
    return {};
  const bool offered = number == 0 && !job->place && each >= 0; // before it takes any: parts are equal
  if (offered)
    offer(job->ranges[0].get().count());
  Items some = takeOwn();
  const bool hasOwn = bool(some);
  while (!some && steal())
    some = takeOwn();
  last = some.count();
  if (some && !offered)
    offer(hasOwn ? job->rangeOf(number).get().count() : job->left());
  return some;
}

//===- The pool -----------------------------------------------------------------------===//

ThreadPool::ThreadPool(unsigned threads) : places(std::make_unique<Place[]>(mostPlaces)), sleepers(threads) {
  for (unsigned i = 0; threads > 1 && i < mostPlaces; ++i)
    places[i].make(threads);
  try {
    for (unsigned i = 1; i < threads; ++i)
      helpers.emplace_back([this, i] { help(i); });
  } catch (...) { // no more threads to be had
    close();
    throw;
  }
}

ThreadPool::~ThreadPool() { close(); }

void ThreadPool::close() {
  closing = true;
  ++news;
  for (Sleeper &sleeper : sleepers)
    sleeper.call(asleep, Waking::Clock::now());
  for (runtime::OwnThread &helper : helpers)
    helper.join();
}

/// Works on a job, and says which it is now: it may have been shared.
SharedJob &ThreadPool::work(SharedJob &job, unsigned number) {
  Share mine(*this, job, number);
  try {
    job.work(mine);
  } catch (...) {
    mine.job->stopped = true;
    std::unique_lock held(lock, std::defer_lock);
    if (!lost())
      held.lock();
    if (!mine.job->problem)
      mine.job->problem = std::current_exception();
  }
  mine.job->ranges[number].busy = mine.busy;
  return *mine.job;
}

/// Works on a job that is there, and says for how many nanoseconds; none when there is none.
std::optional<std::int64_t> ThreadPool::joinAny(unsigned number) {
  for (unsigned i = 0; i < mostPlaces; ++i) {
    Range &own = places[i].ranges[number];
    SharedJob *const job = own.join();
    if (!job)
      continue;
    places[i].fetch();
    work(*job, number);
    const std::int64_t busy = own.busy;
    own.leave();
    if (waiting.load()) {
      {
        std::lock_guard guard(lock);
      } // who waits sleeps by now
      idle.notify_all();
    }
    return busy;
  }
  return std::nullopt;
}

namespace {
thread_local unsigned ownNumber = 0;
}

// Not inlined: on a fiber, the next call may be in another host thread.
__attribute__((noinline)) unsigned ThreadPool::host() {
  asm volatile("" ::: "memory");
  return ownNumber;
}

void ThreadPool::help(unsigned number) {
  ownNumber = number;
  std::int64_t busy = 0; // with the latest job
  while (true) {
    const unsigned seen = news.load();
    if (closing)
      return;
    if (const std::optional<std::int64_t> found = joinAny(number)) {
      busy = *found;
      continue;
    }
    if (soon(busy, [&] { return news.load(std::memory_order_relaxed) != seen; })) {
      places[0].fetch();
      continue;
    }
    const auto since = Waking::Clock::now();
    sleepers[number].sleep(asleep, news, seen);
    if (sleepers[number].called() >= since)
      waking.noteArrival(Waking::Clock::now() - sleepers[number].called());
  }
}

/// Lets helpers join the job; those that are awake get equal parts. Null where there is no place for it.
SharedJob *ThreadPool::announce(SharedJob &own) {
  for (unsigned i = 0; i < mostPlaces; ++i)
    if (places[i].take()) {
      SharedJob &job = places[i].stand(own, sleepers);
      for (Range &range : job.ranges.subspan(1)) // when all of them have what is theirs
        range.invite(job);
      return &job;
    }
  return nullptr;
}

/// Says that there is something to do, and wakes so many; who comes wakes others.
void ThreadPool::share(SharedJob *&job, unsigned woken) {
  if (lost())
    return;
  if (!job->place) {
    if (!woken && asleep.load(std::memory_order_relaxed) == helpers.size())
      return;
    SharedJob *shared = announce(*job);
    if (!shared)
      return;
    job = shared;
  } else if (!woken) {
    return;
  }
  ++news;
  if (!woken)
    return;
  const auto now = Waking::Clock::now();
  const unsigned wanted = woken;
  for (Sleeper &sleeper : sleepers)
    if (woken && sleeper.call(asleep, now))
      --woken;
  if (woken < wanted)
    waking.noteCost(Waking::Clock::now() - now);
}

void ThreadPool::waitForOthers(std::span<Range> others, std::int64_t busy) {
  constexpr std::chrono::milliseconds again{1};
  auto alone = [&] { // looks at all of them, as what the last one has written is to come alone then
    bool all = true;
    for (Range &other : others)
      all &= other.isAlone(); // who comes now has nothing to do
    return all;
  };
  if (soon(busy, alone))
    return;
  while (!lost()) {
    {
      std::unique_lock held(lock);
      ++waiting;
      const bool done = idle.wait_for(held, again, alone);
      --waiting;
      if (done)
        return;
    }
    runtime::Fiber::leaveIfAsked(); // without the lock
  }
}

void ThreadPool::runWork(const Division &division, Cost &cost, const SharedWork &each) {
  if (division.items == 0)
    return;
  Range all;
  SharedJob own(division, cost, each, all);
  if (threads() > 1 && own.known * division.items > worthSharing)
    places[0].expect();
  SharedJob &job = work(own, 0);
  if (job.place && !lost())
    waitForOthers(job.ranges.subspan(1), job.ranges.front().busy);
  const auto busy = std::accumulate(job.ranges.begin(), job.ranges.end(), std::int64_t(0),
                                    [](std::int64_t sum, const Range &r) { return sum + r.busy; });
  std::exception_ptr problem;
  if (job.problem) // not written where there is none: others have its line
    problem = std::exchange(job.problem, nullptr);
  if (job.place && !lost()) {
    job.place->free();
    places[0].expect(); // the same often follows
  }
  if (problem)
    std::rethrow_exception(problem);
  if (threads() > 1)
    cost.note(double(busy) / division.items / division.weight);
}

} // namespace pocm::cpu
