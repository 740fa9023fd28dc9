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
    std::function<void()> work;
    std::shared_ptr<Event> event;
    bool brief;
  };
  std::mutex lock;
  std::condition_variable arrived, done;
  std::deque<Task> pending;
  std::shared_ptr<Event> last;
  bool running = false, closing = false, workerSleeps = false;

  /// Takes the first task and runs it with the lock released.
  void runOne(std::unique_lock<std::mutex> &held) {
    Task task = std::move(pending.front());
    pending.pop_front();
    running = true;
    task.event->now = State::Running;
    held.unlock();
    std::string problem;
    Clock::time_point begin = Clock::now();
    try {
      task.work();
    } catch (const std::exception &e) {
      problem = describe(e);
    }
    Clock::time_point end = Clock::now();
    task.work = nullptr; // what it held may be freed before anyone is told
    held.lock();
    task.event->begin = begin;
    task.event->end = end;
    task.event->error = std::move(problem);
    task.event->now = State::Finished;
    running = false;
    done.notify_all();
    if (workerSleeps && !pending.empty())
      arrived.notify_one();
  }

  void serve() {
    std::unique_lock held(lock);
    while (true) {
      while (!(pending.empty() && closing) && (pending.empty() || running)) {
        workerSleeps = true;
        arrived.wait(held);
        workerSleeps = false;
      }
      if (pending.empty())
        return;
      runOne(held);
    }
  }

  /// Runs brief tasks that nobody has begun until `event` is done or something long is in the way.
  void help(std::unique_lock<std::mutex> &held, const Event &event) {
    while (event.now != State::Finished && !running && !pending.empty() && pending.front().brief)
      runOne(held);
  }
};

Event::State Event::state() const {
  std::lock_guard guard(shared->lock);
  return now;
}

void Event::wait() {
  std::unique_lock held(shared->lock);
  while (now != State::Finished) {
    shared->help(held, *this);
    if (now != State::Finished)
      shared->done.wait(held);
  }
}

bool Event::waitFor(std::chrono::milliseconds limit) {
  Clock::time_point until = Clock::now() + limit;
  std::unique_lock held(shared->lock);
  while (now != State::Finished) {
    shared->help(held, *this);
    if (now != State::Finished && shared->done.wait_until(held, until) == std::cv_status::timeout)
      return now == State::Finished;
  }
  return true;
}

std::uint64_t Event::nanoseconds() const {
  std::lock_guard guard(shared->lock);
  return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count());
}

namespace {
std::uint64_t sinceEpoch(Clock::time_point t) {
  return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count());
}
} // namespace

std::uint64_t Event::submittedAt() const { return sinceEpoch(submitted); } // constant since submit()
std::uint64_t Event::begunAt() const {
  std::lock_guard guard(shared->lock);
  return sinceEpoch(begin);
}
std::uint64_t Event::endedAt() const {
  std::lock_guard guard(shared->lock);
  return sinceEpoch(end);
}

std::string Event::problem() const {
  std::lock_guard guard(shared->lock);
  return error;
}

Queue::Queue() : shared(std::make_shared<Event::Shared>()) {
  worker = std::thread([state = shared] { state->serve(); });
}

Queue::~Queue() {
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

std::shared_ptr<Event> Queue::submit(std::function<void()> work, bool brief) {
  auto event = std::make_shared<Event>();
  event->shared = shared;
  event->submitted = Clock::now();
  std::lock_guard guard(shared->lock);
  shared->pending.push_back({std::move(work), event, brief});
  shared->last = event;
  // A brief task that is waited for at once is run by the waiter; one that is not is picked up by the worker.
  if (shared->workerSleeps)
    shared->arrived.notify_one();
  return event;
}

void Queue::finish() {
  std::shared_ptr<Event> last;
  {
    std::lock_guard guard(shared->lock);
    last = shared->last;
  }
  if (last)
    last->wait();
}

} // namespace pocm::runtime
