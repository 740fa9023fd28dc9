//===- Queue.cpp - Work in order, and its completion --------------------------===//
#include "runtime/Queue.h"
#include <exception>

namespace pocm::runtime {

using Clock = std::chrono::steady_clock;

namespace {
/// What the exception says; less when there is no memory for it.
std::string describe(const std::exception &problem) noexcept {
  try {
    return problem.what();
  } catch (...) {
    return "out of memory";
  }
}
} // namespace

/// The queue's state, guarded by one mutex. Held by the queue and by every event of it.
struct Event::Shared {
  struct Task {
    Queue::Work work;
    std::shared_ptr<Event> event;
    Waiters who;
  };
  const unsigned born = generation();
  std::mutex lock;
  std::condition_variable arrived, done;
  std::deque<Task> pending;
  std::shared_ptr<Event> last, current;
  bool closing = false, workerSleeps = false;

  /// Whether the process was forked since: nobody works here, and the lock may be held by a thread that is gone.
  bool lost() const { return born != generation(); }

  /// Takes the first task and runs it with the lock released.
  void runOne(std::unique_lock<std::mutex> &held) {
    Task task = std::move(pending.front());
    pending.pop_front();
    current = task.event;
    task.event->now = State::Running;
    task.event->begin = Clock::now();
    held.unlock();
    std::string problem;
    bool complete = false;
    if (!task.event->endAsked.load(std::memory_order_relaxed))
      try {
        task.work(task.event->endAsked);
        complete = true;
      } catch (const std::exception &e) {
        problem = describe(e);
      }
    Clock::time_point end = Clock::now();
    task.work = nullptr; // what it held may be freed before anyone is told
    held.lock();
    task.event->ending = end;
    if (complete)
      task.event->error.clear();
    else if (task.event->error.empty()) // or else the reason why it was ended
      task.event->error = std::move(problem);
    task.event->now = State::Finished;
    current = nullptr;
    done.notify_all();
    if (workerSleeps && !pending.empty())
      arrived.notify_one();
  }

  void serve() {
    std::unique_lock held(lock);
    while (true) {
      while (!(pending.empty() && closing) && (pending.empty() || current)) {
        workerSleeps = true;
        arrived.wait(held);
        workerSleeps = false;
      }
      if (pending.empty())
        return;
      runOne(held);
    }
  }

  /// Runs tasks that nobody has begun and that a host thread which waits so may run, until `event` is done or something
  /// else is in the way.
  void help(std::unique_lock<std::mutex> &held, const Event &event, Waiters how) {
    while (event.now != State::Finished && !current && !pending.empty() && pending.front().who >= how &&
           hasRoomForKernels())
      runOne(held);
  }
};

Event::State Event::state() const {
  if (shared->lost())
    return State::Finished;
  std::lock_guard guard(shared->lock);
  return now;
}

void Event::wait() {
  if (shared->lost())
    return;
  std::unique_lock held(shared->lock);
  while (now != State::Finished) {
    shared->help(held, *this, Waiters::Unlimited);
    if (now != State::Finished)
      shared->done.wait(held);
  }
}

bool Event::waitFor(std::chrono::milliseconds limit) {
  if (shared->lost())
    return true;
  std::unique_lock held(shared->lock);
  shared->help(held, *this, Waiters::All); // each of them ends soon
  if (now == State::Finished)
    return true;
  Clock::time_point until = Clock::now() + limit;
  while (now != State::Finished) {
    if (shared->done.wait_until(held, until) == std::cv_status::timeout)
      return now == State::Finished;
    if (Clock::now() < until)
      shared->help(held, *this, Waiters::All);
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

void Event::end(const std::string &reason) {
  if (shared->lost())
    return;
  std::lock_guard guard(shared->lock);
  if (now == State::Finished || endAsked)
    return;
  error = reason;
  endAsked = true;
}

Queue::Queue() : shared(std::make_shared<Event::Shared>()), worker([state = shared] { state->serve(); }) {}

Queue::~Queue() {
  if (shared->lost()) {
    new std::shared_ptr<Event::Shared>(std::move(shared)); // threads that do not exist here wait in it: not destroyed
    return;
  }
  {
    std::lock_guard guard(shared->lock);
    shared->closing = true;
    shared->arrived.notify_all();
  }
  worker.join();
  // Events may outlive the queue; the cycle through the last one ends here.
  std::lock_guard guard(shared->lock);
  shared->last.reset();
}

std::shared_ptr<Event> Queue::submit(Work work, Waiters who) {
  auto event = std::make_shared<Event>();
  event->shared = shared;
  event->submitted = Clock::now();
  if (shared->lost())
    return event;
  std::lock_guard guard(shared->lock);
  if (shared->closing) {
    event->begin = event->ending = event->submitted;
    event->error = "the device is closed, or the process ends";
    event->now = Event::State::Finished;
    return event;
  }
  shared->pending.push_back({std::move(work), event, who});
  shared->last = event;
  // A task that is waited for at once is run by the waiter; one that is not is picked up by the worker.
  if (shared->workerSleeps)
    shared->arrived.notify_one();
  return event;
}

void Queue::finish() {
  if (shared->lost())
    return;
  std::shared_ptr<Event> last;
  {
    std::lock_guard guard(shared->lock);
    last = shared->last;
  }
  if (last)
    last->wait();
}

std::shared_ptr<Event> Queue::runningLongerThan(std::chrono::milliseconds limit) const {
  std::lock_guard guard(shared->lock);
  return shared->current && Clock::now() - shared->current->begin > limit ? shared->current : nullptr;
}

void Queue::close(Clock::time_point then, const std::string &reason,
                  const std::function<void(const std::atomic<bool> &ended)> &interrupt) {
  if (shared->lost())
    return;
  constexpr std::chrono::milliseconds again{1};
  std::unique_lock held(shared->lock);
  shared->closing = true;
  shared->arrived.notify_all();
  auto idle = [&] { return shared->pending.empty() && !shared->current; };
  if (shared->done.wait_until(held, then, idle))
    return;
  auto end = [&](Event &event) {
    if (!event.endAsked)
      event.error = reason;
    event.endAsked = true;
  };
  for (Event::Shared::Task &task : shared->pending)
    end(*task.event);
  while (!idle()) {
    if (auto running = shared->current) {
      end(*running);
      held.unlock();
      interrupt(running->endAsked);
      held.lock();
    }
    shared->done.wait_for(held, again, idle);
  }
}

} // namespace pocm::runtime
