//===- Queue.cpp - Work in order, and its completion --------------------------===//
#include "runtime/Queue.h"
#include "program/Uncancelled.h"
#include "runtime/Fiber.h"
#include <algorithm>
#include <exception>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

namespace pocm::runtime {

using Clock = std::chrono::steady_clock;

namespace {
constexpr Clock::time_point never = Clock::time_point::max();

/// The text; less when there is no memory for it.
std::string keep(std::string_view text) noexcept {
  try {
    return std::string(text);
  } catch (...) {
    return "out of memory"; // which takes none
  }
}
} // namespace

/// The last task of a lane that touches each stretch of memory: the tasks before it are done when it is. How long it
/// takes to ask, or to add one, depends on how many stretches there are, not on how many tasks.
class Event::LastTouches {
public:
  /// A task of the lane, with a higher number than those before.
  void add(const std::shared_ptr<Event> &task) noexcept {
    try {
      if (task->footprint.isKnown()) {
        if (stretches.size() >= lookAt)
          forgetFinished();
        for (const AddressRange &range : task->footprint.stretches())
          assign(range, task);
        return;
      }
    } catch (const std::bad_alloc &) { // those before it that are not listed now are done when it is
    }
    anything = task;
  }
  /// The last one that is not finished, and has something in common with this, which is known; null for none.
  std::shared_ptr<Event> inTheWayOf(const Footprint &footprint) const {
    std::shared_ptr<Event> last;
    auto consider = [&last](const std::shared_ptr<Event> &task) {
      if (task && task->now != State::Finished && (!last || last->number < task->number))
        last = task;
    };
    consider(anything);
    for (const AddressRange &range : footprint.stretches())
      for (auto at = firstIn(range); at != stretches.end() && at->first < range.end; ++at)
        consider(at->second.last);
    return last;
  }
  void clear() {
    stretches.clear();
    anything.reset();
  }

private:
  struct Stretch {
    std::uintptr_t end;
    std::shared_ptr<Event> last;
  };
  using Stretches = std::map<std::uintptr_t, Stretch>; // by begin; they do not overlap
  template <class Map> static auto firstBehind(Map &map, std::uintptr_t place) {
    auto at = map.upper_bound(place);
    return at != map.begin() && std::prev(at)->second.end > place ? std::prev(at) : at;
  }
  Stretches::const_iterator firstIn(const AddressRange &range) const { return firstBehind(stretches, range.begin); }

  void assign(const AddressRange &range, const std::shared_ptr<Event> &task) {
    if (range.begin >= range.end)
      return;
    auto at = firstBehind(stretches, range.begin);
    if (at != stretches.end() && at->first == range.begin && at->second.end == range.end) {
      at->second.last = task; // as it mostly is
      return;
    }
    if (at != stretches.end() && at->first < range.begin) { // what stands out of the range stays
      const Stretch whole = at->second;
      at = stretches.emplace_hint(std::next(at), range.begin, whole);
      std::prev(at)->second.end = range.begin;
    }
    while (at != stretches.end() && at->first < range.end) {
      if (at->second.end > range.end)
        stretches.emplace(range.end, at->second);
      at = stretches.erase(at);
    }
    stretches.emplace_hint(at, range.begin, Stretch{range.end, task});
  }
  /// Next time when there are twice as many as stay.
  void forgetFinished() {
    constexpr std::size_t few = 64;
    std::erase_if(stretches, [](auto &each) { return each.second.last->now == State::Finished; });
    lookAt = std::max(few, 2 * stretches.size());
  }

  Stretches stretches;
  std::size_t lookAt = 0;
  std::shared_ptr<Event> anything; ///< The last one of which it is not known, or not listed, what it touches.
};

/// The queue's state, guarded by one mutex. Held by the queue and by every event of it.
struct Event::Shared {
  const unsigned born = generation();
  std::mutex lock;
  std::condition_variable done;
  std::vector<std::unique_ptr<Lane>> lanes; ///< Grows only.
  bool closing = false;
  Queue::HandOver handOver;

  /// Whether the process was forked since: nobody works here, and the lock may be held by a thread that is gone.
  bool lost() const { return born != generation(); }

  // With the lock held:
  bool runsHere() const;
  bool idle() const;
  /// Those that may go on now that something is done, and have nobody who looks, are woken.
  void wakeOthers(const Lane &than);
  bool help(std::unique_lock<std::mutex> &held, const Event &event, Clock::time_point until);
};

/// Tasks that run one after another, guarded by the queue's lock.
struct Event::Lane {
  struct Task {
    Queue::Work work;
    std::shared_ptr<Event> event;
    Waiters who;
  };
  explicit Lane(Shared &queue) : queue(queue) {}
  Shared &queue;
  std::condition_variable arrived;
  std::deque<Task> pending;
  std::shared_ptr<Event> last, current;
  LastTouches touches;    ///< Where there are other lanes.
  std::thread::id runner; ///< Who runs `current`; nobody between two of them who do.
  bool workerSleeps = false;
  Clock::time_point workerWakes; ///< When it sleeps: on its own.
  OwnThread worker;
  /// How many of the latest tasks in a row host threads have begun that waited for them.
  unsigned begunByWaiters = 0;

  /// A task that somebody runs.
  struct Run {
    Task task;
    std::string problem;
    bool complete = false;
  };
  /// What a host thread that waits runs on the fiber, and when it must leave it; afterwards that it has.
  std::unique_ptr<Fiber> fiber;
  Run onFiber;
  Clock::time_point leaveAt = never;
  bool left = false;

  /// Whether this host thread runs the current task, with the lock held: it asks in a handler of a signal that
  /// interrupted the task, which cannot go on meanwhile.
  bool runsHere() const { return current && runner == std::this_thread::get_id(); }

  /// What the first task still waits for of other lanes, with the lock held; null when it may begin. One that was ended
  /// does nothing, and need not wait for that.
  const Event *inTheWay() const {
    const Event &first = *pending.front().event;
    if (!first.endAsked.load(std::memory_order_relaxed))
      for (const auto &before : first.after)
        if (before->now != State::Finished)
          return before.get();
    return nullptr;
  }
  bool mayBegin() const { return !current && !pending.empty() && !inTheWay(); }

  /// Where host threads keep waiting for what they submit, the worker would be woken for each task in vain, which costs
  /// microseconds, or more than ten where its core sleeps: it looks by itself now and then, more seldom the longer
  /// nothing has come, and no longer when nothing has come for long.
  static constexpr std::chrono::microseconds moment{50}, often{250}, seldom{5'000}, looksFor{250'000};
  bool expectsWaiters() const {
    constexpr unsigned some = 8;
    return begunByWaiters >= some;
  }
  /// Whether a host thread will begin the first task, which may begin, in a moment.
  bool isForWaiter() const {
    return expectsWaiters() && pending.front().who != Waiters::None &&
           Clock::now() < pending.front().event->submitted + moment;
  }
  /// The last task has come, with the lock held: whether the worker is to be woken.
  bool mustWake(Waiters who) const {
    return workerSleeps && (who == Waiters::None || !expectsWaiters() || workerWakes > last->submitted + seldom);
  }

  /// The last of its tasks that one with this footprint must wait for, with the lock held; null for none.
  std::shared_ptr<Event> lastInTheWayOf(const Footprint &footprint) const {
    if (footprint.isKnown())
      return touches.inTheWayOf(footprint);
    return last && last->now != State::Finished ? last : nullptr;
  }

  /// The worker is to begin what is there, with the lock held.
  void leaveToWorker() {
    begunByWaiters = 0;
    if (workerSleeps)
      arrived.notify_one();
  }

  /// Takes the first task, with the lock held.
  Run begin() {
    Run run{std::move(pending.front()), {}, false};
    pending.pop_front();
    current = run.task.event;
    runner = std::this_thread::get_id();
    current->after.clear();
    current->now = State::Running;
    current->begin = Clock::now();
    return run;
  }

  /// Does its work, without the lock.
  static void work(Run &run) noexcept {
    Event &event = *run.task.event;
    if (!event.endAsked.load(std::memory_order_relaxed))
      try {
        run.task.work(event.endAsked);
        run.complete = true;
      } catch (const std::exception &e) {
        run.problem = keep(e.what());
      }
    event.ending = Clock::now(); // nobody asks before it is finished
    run.task.work = nullptr;     // what it held may be freed before anyone is told
  }

  /// Tells everybody, with the lock held.
  void finish(Run run) {
    Event &event = *run.task.event;
    if (run.complete)
      event.error.clear();
    else if (event.error.empty()) // or else the reason why it was ended
      event.error = run.problem.empty() ? keep("it was ended, without a reason") : std::move(run.problem);
    event.now = State::Finished; // its error is written
    current = nullptr;
    if (pending.empty())
      touches.clear(); // all are finished: nobody waits for them, and what they held is free
    queue.done.notify_all();
    if (workerSleeps && (queue.closing || !pending.empty()))
      arrived.notify_one();
    if (queue.lanes.size() > 1)
      queue.wakeOthers(*this);
  }

  /// Takes the first task and runs it with the lock released. In a child that was forked meanwhile, by a handler of a
  /// signal, the lock may be held for ever by a thread that is gone: there it stays released, and all is as it is.
  void runOne(std::unique_lock<std::mutex> &held) {
    Run run = begin();
    held.unlock();
    {
      const Fiber::Hidden none;
      work(run);
    }
    if (queue.lost())
      return;
    held.lock();
    finish(std::move(run));
  }

  /// The same on the fiber, until then; false when the task was left, or not begun.
  bool runUntil(std::unique_lock<std::mutex> &held, Clock::time_point until) {
    if (!fiber)
      try {
        fiber = std::make_unique<Fiber>();
      } catch (const std::bad_alloc &) {
        leaveToWorker();
        return false;
      }
    onFiber = begin();
    leaveAt = until;
    if (workerSleeps && until < workerWakes)
      arrived.notify_one();
    held.unlock();
    fiber->start([this] { work(onFiber); });
    bool complete = fiber->run();
    if (queue.lost())
      return false;
    held.lock();
    leaveAt = never;
    if (complete) {
      finish(std::exchange(onFiber, {}));
    } else {
      left = true;
      runner = {};
      arrived.notify_one();
    }
    return complete;
  }

  /// Goes on with what a host thread has left.
  void runLeft(std::unique_lock<std::mutex> &held) {
    left = false;
    runner = std::this_thread::get_id();
    held.unlock();
    while (!fiber->run()) // who was asked to leave may have been done with it, and somebody else leaves for it: go on
      ;
    held.lock();
    finish(std::exchange(onFiber, {}));
  }

  /// The worker has nothing to do: until something arrives, or a host thread has not begun what it was to begin, or
  /// must leave what it runs.
  void sleep(std::unique_lock<std::mutex> &held) {
    constexpr std::chrono::milliseconds again{1};
    Clock::time_point until = leaveAt;
    if (until != never && until <= Clock::now()) {
      auto late = current;
      fiber->ask();
      held.unlock();
      queue.handOver(late->endAsked);
      held.lock();
      until = Clock::now() + again;
      if (left || !current)
        return;
    }
    if (mayBegin())
      until = std::min(until, pending.front().event->submitted + moment);
    else if (expectsWaiters()) // there was a last one, then
      if (const auto now = Clock::now(); now < last->submitted + looksFor)
        until = std::min(until, now + std::clamp<Clock::duration>((now - last->submitted) / 4, often, seldom));
    workerSleeps = true;
    workerWakes = until;
    if (until == never)
      arrived.wait(held);
    else
      arrived.wait_until(held, until);
    workerSleeps = false;
  }

  void serve() {
    std::unique_lock held(queue.lock);
    while (true)
      if (left)
        runLeft(held);
      else if (mayBegin() && !isForWaiter()) {
        begunByWaiters = 0;
        runOne(held);
      } else if (!current && pending.empty() && queue.closing)
        return;
      else
        sleep(held);
  }
};

/// Whether this host thread runs a task.
bool Event::Shared::runsHere() const {
  return std::ranges::any_of(lanes, [](const auto &lane) { return lane->runsHere(); });
}

bool Event::Shared::idle() const {
  return std::ranges::all_of(lanes, [](const auto &lane) { return lane->pending.empty() && !lane->current; });
}

void Event::Shared::wakeOthers(const Lane &than) {
  for (const auto &lane : lanes)
    if (lane.get() != &than && lane->workerSleeps && lane->mayBegin())
      lane->arrived.notify_one();
}

/// Runs tasks that nobody has begun and that a host thread which waits until then may run, until `event` is done or
/// something else is in the way. False in a child that was forked meanwhile: the lock is released.
bool Event::Shared::help(std::unique_lock<std::mutex> &held, const Event &event, Clock::time_point until) {
  if (event.now == State::Finished || event.lane->current || event.lane->pending.empty())
    return true;
  const Uncancelled all;
  while (event.now != State::Finished) {
    Lane *lane = event.lane;
    while (!lane->current && !lane->pending.empty()) { // what others wait for was submitted before them
      const Event *before = lane->inTheWay();
      if (!before)
        break;
      lane = before->lane;
    }
    if (lane->current || lane->pending.empty())
      return true;
    Waiters who = lane->pending.front().who;
    const SignalsTaken takes = signalsTaken();
    const bool mayRun = who != Waiters::None && takes.faults && !isOnAlternateStack(takes);
    if (mayRun && who == Waiters::Leaving && takes.interruptions) {
      ++lane->begunByWaiters;
      if (!lane->runUntil(held, until))
        return !lost();
    } else if (mayRun &&
               (who == Waiters::All || (who == Waiters::Unlimited && until == never && takes.interruptions)) &&
               hasRoomForKernels()) {
      ++lane->begunByWaiters;
      lane->runOne(held);
      if (lost())
        return false;
    } else {
      lane->leaveToWorker();
      return true;
    }
  }
  return true;
}

Event::State Event::state() const { return shared->lost() ? State::Finished : now.load(); }

void Event::wait() {
  if (shared->lost())
    return;
  const Uncancelled all; // callers have more to do
  std::unique_lock held(shared->lock);
  while (now != State::Finished && !shared->runsHere()) {
    if (!shared->help(held, *this, never))
      return;
    if (now != State::Finished)
      shared->done.wait(held);
  }
}

bool Event::waitFor(std::chrono::milliseconds limit) {
  if (shared->lost())
    return true;
  Clock::time_point until = Clock::now() + limit;
  std::unique_lock held(shared->lock);
  if (!shared->runsHere() && !shared->help(held, *this, until))
    return true;
  while (now != State::Finished) {
    if (shared->done.wait_until(held, until) == std::cv_status::timeout)
      return now == State::Finished;
    if (Clock::now() < until && !shared->help(held, *this, until))
      return true;
  }
  return true;
}

std::uint64_t Event::nanoseconds() const { return endedAt() - begunAt(); }

namespace {
std::uint64_t sinceEpoch(Clock::time_point t) {
  return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count());
}
} // namespace

std::uint64_t Event::submittedAt() const { return sinceEpoch(submitted); } // constant since submit()
std::uint64_t Event::begunAt() const {
  if (shared->lost())
    return 0;
  std::lock_guard guard(shared->lock);
  return sinceEpoch(begin);
}
std::uint64_t Event::endedAt() const {
  if (shared->lost())
    return 0;
  std::lock_guard guard(shared->lock);
  return sinceEpoch(ending);
}

std::string Event::problem() const {
  if (shared->lost())
    return "the process was forked; a device is of use only to the process that opened it";
  std::lock_guard guard(shared->lock);
  return error;
}

bool Event::failed() const {
  if (shared->lost())
    return true;
  std::lock_guard guard(shared->lock);
  return !error.empty();
}

void Event::end(std::string_view reason) {
  if (shared->lost())
    return;
  std::lock_guard guard(shared->lock);
  if (now == State::Finished || endAsked)
    return;
  error = keep(reason);
  endAsked = true;
  if (lane->workerSleeps && lane->mayBegin()) // it waits for nothing now
    lane->arrived.notify_one();
}

Queue::Queue(HandOver handOver) : shared(std::make_shared<Event::Shared>()) {
  shared->handOver = std::move(handOver);
  shared->lanes.push_back(std::make_unique<Event::Lane>(*shared));
  Event::Lane &lane = *shared->lanes.front();
  lane.worker = OwnThread([state = shared, &lane] { lane.serve(); });
}

unsigned Queue::addLane() {
  if (shared->lost())
    return 0;
  auto lane = std::make_unique<Event::Lane>(*shared);
  std::lock_guard guard(shared->lock);
  const auto count = unsigned(shared->lanes.size());
  if (count == mostLanes || shared->closing)
    return count - 1;
  shared->lanes.reserve(count + 1);
  if (count == 1) { // alone it needed to list nothing
    Event::Lane &first = *shared->lanes.front();
    if (first.current)
      first.touches.add(first.current);
    for (const Event::Lane::Task &task : first.pending)
      first.touches.add(task.event);
  }
  try {
    lane->worker = OwnThread([state = shared, added = lane.get()] { added->serve(); });
  } catch (const std::system_error &) {
    return count - 1;
  }
  shared->lanes.push_back(std::move(lane));
  return count;
}

Queue::~Queue() {
  if (shared->lost()) {
    new std::shared_ptr<Event::Shared>(std::move(shared)); // threads that do not exist here wait in it: not destroyed
    return;
  }
  {
    std::lock_guard guard(shared->lock);
    shared->closing = true;
    for (const auto &lane : shared->lanes)
      lane->arrived.notify_all();
  }
  for (const auto &lane : shared->lanes) // no more are added
    lane->worker.join();
  // Events may outlive the queue; the cycle through the last ones ends here.
  std::lock_guard guard(shared->lock);
  for (const auto &lane : shared->lanes) {
    lane->last.reset();
    lane->touches.clear();
  }
}

std::shared_ptr<Event> Queue::submit(Work work, Waiters who, Place place) {
  auto event = std::make_shared<Event>();
  event->shared = shared;
  event->submitted = Clock::now();
  event->footprint = std::move(place.touches);
  if (shared->lost())
    return event;
  std::lock_guard guard(shared->lock);
  if (shared->closing) {
    event->begin = event->ending = event->submitted;
    event->error = keep("the device is closed, or the process ends");
    event->now = Event::State::Finished;
    return event;
  }
  Event::Lane &lane = *shared->lanes[place.lane];
  event->lane = &lane;
  if (shared->lanes.size() > 1)
    for (const auto &other : shared->lanes)
      if (other.get() != &lane)
        if (auto before = other->lastInTheWayOf(event->footprint))
          event->after.push_back(std::move(before));
  if (place.after && place.after->shared == shared && place.after->lane != &lane)
    event->after.push_back(std::move(place.after));
  lane.pending.push_back({std::move(work), event, who});
  event->number = lane.last ? lane.last->number + 1 : 1;
  lane.last = event;
  if (shared->lanes.size() > 1)
    lane.touches.add(event);
  // A task that is waited for at once is run by the waiter; one that is not is picked up by the worker.
  if (lane.mustWake(who))
    lane.arrived.notify_one();
  return event;
}

bool Queue::runsHere() const {
  if (shared->lost())
    return false;
  std::lock_guard guard(shared->lock);
  return shared->runsHere();
}

void Queue::finish() {
  if (shared->lost())
    return;
  PerLane<std::shared_ptr<Event>> all;
  {
    std::lock_guard guard(shared->lock);
    for (std::size_t n = 0; n < shared->lanes.size(); ++n)
      all[n] = shared->lanes[n]->last;
  }
  for (const auto &last : all)
    if (last)
      last->wait();
}

Queue::PerLane<std::shared_ptr<Event>> Queue::runningLongerThan(std::chrono::milliseconds limit) const {
  PerLane<std::shared_ptr<Event>> all;
  std::lock_guard guard(shared->lock);
  const Clock::time_point now = Clock::now();
  for (std::size_t n = 0; n < shared->lanes.size(); ++n)
    if (const auto &current = shared->lanes[n]->current; current && now - current->begin > limit)
      all[n] = current;
  return all;
}

void Queue::close(Clock::time_point then, std::string_view reason,
                  const std::function<void(const std::atomic<bool> &ended)> &interrupt) {
  if (shared->lost())
    return;
  const Uncancelled all;
  constexpr std::chrono::milliseconds again{1};
  std::unique_lock held(shared->lock);
  auto wakeAll = [&] {
    for (const auto &lane : shared->lanes)
      lane->arrived.notify_all();
  };
  shared->closing = true;
  wakeAll();
  auto idle = [&] { return shared->idle(); };
  const bool here = shared->runsHere();
  if (!here && shared->done.wait_until(held, then, idle))
    return;
  auto end = [&](Event &event) {
    if (!event.endAsked)
      event.error = keep(reason);
    event.endAsked = true;
  };
  for (const auto &lane : shared->lanes)
    for (Event::Lane::Task &task : lane->pending)
      end(*task.event);
  wakeAll(); // what was ended waits for nothing
  if (here)
    return;
  while (!idle()) {
    PerLane<std::shared_ptr<Event>> running;
    for (std::size_t n = 0; n < shared->lanes.size(); ++n)
      if ((running[n] = shared->lanes[n]->current))
        end(*running[n]);
    held.unlock();
    for (const auto &task : running)
      if (task)
        interrupt(task->endAsked);
    held.lock();
    shared->done.wait_for(held, again, idle);
  }
}

} // namespace pocm::runtime
