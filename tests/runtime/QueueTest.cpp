#include "runtime/Queue.h"
#include "runtime/Fiber.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace pocm::runtime;
using namespace std::chrono_literals;

namespace {

constexpr Waiters leaving = Fiber::available ? Waiters::Leaving : Waiters::None;

/// Tries until it is so; false when that has not come in minutes. Where a host thread that waits for a task and the
/// queue's thread race for it, either may win again and again, the former least often while the latter only starts.
template <class Attempt> bool comes(Attempt attempt) {
  for (const auto end = std::chrono::steady_clock::now() + 5min; !attempt();)
    if (std::chrono::steady_clock::now() > end)
      return false;
  return true;
}

TEST(Queue, runsTasksInOrder) {
  std::vector<int> order;
  Queue queue;
  for (int i = 0; i < 100; ++i)
    queue.submit([&order, i](auto &) { order.push_back(i); }, i % 2 ? Waiters::All : Waiters::None);
  queue.finish();
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(order[std::size_t(i)], i);
}

TEST(Queue, submitReturnsBeforeTheWorkIsDone) {
  Queue queue;
  std::atomic<bool> go = false;
  auto event = queue.submit(
      [&](auto &) {
        do
          std::this_thread::sleep_for(1ms);
        while (!go);
      },
      Waiters::None);
  EXPECT_FALSE(event->finished());
  EXPECT_FALSE(event->waitFor(5ms));
  go = true;
  event->wait();
  EXPECT_TRUE(event->finished());
  EXPECT_GE(event->nanoseconds(), 1'000'000u);
}

TEST(Queue, workThatIsNeverWaitedForIsDone) {
  std::atomic<int> done = 0;
  {
    Queue queue;
    for (int i = 0; i < 50; ++i)
      queue.submit([&](auto &) { ++done; }, Waiters::All);
  }
  EXPECT_EQ(done, 50);
}

TEST(Queue, pollingAloneSeesTheEnd) {
  Queue queue;
  auto event = queue.submit([](auto &) {}, Waiters::All);
  while (!event->finished())
    std::this_thread::yield();
}

// Host threads that always wait begin their tasks themselves, and the queue's thread is not woken for those: it comes
// all the same for one that nobody waits for, that a waiter may not run, or that is behind such a one.
TEST(Queue, whoAlwaysWaitedNeedNotWait) {
  Queue queue;
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id runner;
  auto run = [&](Waiters who) { return queue.submit([&](auto &) { runner = std::this_thread::get_id(); }, who); };
  for (Waiters last : {Waiters::All, Waiters::None}) {
    for (int i = 0; i < 100; ++i)
      run(Waiters::All)->wait();
    EXPECT_TRUE(comes([&] {
      run(Waiters::All)->wait();
      return runner == here;
    }));
    std::atomic<bool> done = false;
    queue.submit([&](auto &) { done = true; }, Waiters::All);
    auto behind = queue.submit([&](auto &) { runner = std::this_thread::get_id(); }, last);
    while (!behind->finished())
      std::this_thread::yield();
    EXPECT_TRUE(done);
    EXPECT_NE(runner, here);
    for (int i = 0; i < 100; ++i)
      run(Waiters::All)->wait();
    run(Waiters::None)->wait();
    EXPECT_NE(runner, here);
    for (int i = 0; i < 100; ++i)
      EXPECT_TRUE(run(leaving)->waitFor(10min));
  }
}

// The same after a pause, when the queue's thread looks seldom or not any more.
TEST(Queue, whoAlwaysWaitedNeedNotWaitAfterAPause) {
  Queue queue;
  for (auto pause : {1ms, 20ms, 400ms}) {
    for (int i = 0; i < 100; ++i)
      queue.submit([](auto &) {}, Waiters::All)->wait();
    std::this_thread::sleep_for(pause);
    std::atomic<bool> done = false;
    queue.submit([&](auto &) { done = true; }, Waiters::All);
    EXPECT_TRUE(comes([&] { return done.load(); }));
  }
}

TEST(Queue, eventsOutliveTheQueue) {
  std::shared_ptr<Event> event;
  {
    Queue queue;
    event = queue.submit([](auto &) {}, Waiters::All);
  }
  event->wait();
  EXPECT_TRUE(event->finished());
  EXPECT_EQ(event->problem(), "");
}

TEST(Queue, aTaskThatThrowsIsAFinishedTaskWithAReason) {
  Queue queue;
  auto bad = queue.submit([](auto &) { throw std::runtime_error("no such thing"); }, Waiters::None);
  auto good = queue.submit([](auto &) {}, Waiters::None);
  bad->wait();
  good->wait();
  EXPECT_EQ(bad->problem(), "no such thing");
  EXPECT_EQ(good->problem(), "");
}

/// Asked anew each time: the compiler takes a thread's id for a constant.
__attribute__((noinline)) std::thread::id thisThread() {
  asm volatile("");
  return std::this_thread::get_id();
}

// A host thread that may wait for some time only runs the task, is asked to leave it, and the queue's thread goes on.
TEST(Queue, whatIsLeftGoesOnInTheQueuesThread) {
  if (!Fiber::available)
    GTEST_SKIP();
  EXPECT_TRUE(comes([] {
    bool leaves = false;
    std::atomic<bool> asked = false, mayEnd = false;
    std::thread::id first, second;
    Queue queue([&](auto &) { asked = true; });
    auto task = queue.submit(
        [&](auto &) {
          first = thisThread();
          if ((leaves = Fiber::current())) {
            while (!asked)
              std::this_thread::yield();
            Fiber::current()->leave();
          }
          second = thisThread();
          while (!mayEnd)
            std::this_thread::yield();
          throw std::runtime_error("at the end");
        },
        Waiters::Leaving);
    auto next = queue.submit([](auto &) {}, Waiters::All);
    EXPECT_FALSE(task->waitFor(20ms));
    EXPECT_EQ(task->state(), Event::State::Running);
    EXPECT_FALSE(next->waitFor(1ms));
    mayEnd = true;
    next->wait();
    EXPECT_EQ(task->problem(), "at the end");
    EXPECT_EQ(next->problem(), "");
    EXPECT_EQ(first == thisThread(), leaves);
    EXPECT_NE(second, thisThread());
    return leaves;
  }));
}

/// Blocks a signal on this host thread, or none.
class Blocked {
public:
  explicit Blocked(int signal) {
    sigset_t blocked;
    sigemptyset(&blocked);
    if (signal)
      sigaddset(&blocked, signal);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
  }
  ~Blocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  Blocked(const Blocked &) = delete;
  Blocked &operator=(const Blocked &) = delete;

private:
  sigset_t before;
};

/// Whether this host thread runs a task that it waits for.
bool runsHere(Queue &queue, Waiters who) {
  bool here = false;
  queue.submit([&, mine = thisThread()](auto &) { here = thisThread() == mine; }, who)->wait();
  return here;
}

/// Tasks of 200 that this host thread runs itself while it blocks a signal.
int runHere(Waiters who, int signal) {
  Blocked blocked(signal);
  Queue queue;
  int here = 0;
  for (int round = 0; round < 200; ++round)
    here += runsHere(queue, who);
  return here;
}

/// Whether it ever runs one.
bool everRunsHere(Waiters who, int signal) {
  Blocked blocked(signal);
  return comes([&] {
    Queue queue;
    return runsHere(queue, who);
  });
}

// Who cannot be brought out of a kernel runs none that may never end, however long it would wait; who would die of its
// faults runs none at all.
TEST(Queue, hostThreadsThatBlockSignalsLeaveTasksToTheQueuesThread) {
  for (Waiters who : {Waiters::Unlimited, Waiters::Leaving})
    EXPECT_EQ(runHere(who, SIGURG), 0);
  for (Waiters who : {Waiters::Unlimited, Waiters::Leaving, Waiters::All})
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
      EXPECT_EQ(runHere(who, fault), 0);
  EXPECT_TRUE(everRunsHere(Waiters::All, SIGURG)); // what ends soon it runs
  EXPECT_TRUE(everRunsHere(Waiters::Unlimited, 0));
}

// A handler of a signal that has interrupted a task here must not wait for it, or for what comes after it.
TEST(Queue, nobodyWaitsForATaskInTheMiddleOfIt) {
  EXPECT_TRUE(comes([] {
    bool here = false;
    Queue queue;
    std::shared_ptr<Event> task, next;
    std::atomic<bool> known = false;
    task = queue.submit(
        [&, mine = thisThread()](auto &) {
          while (!known)
            std::this_thread::yield();
          EXPECT_TRUE(queue.runsHere());
          task->wait();
          next->wait();
          EXPECT_FALSE(task->finished() || next->finished());
          here = thisThread() == mine;
        },
        Waiters::All);
    next = queue.submit([](auto &) {}, Waiters::All);
    EXPECT_FALSE(queue.runsHere());
    known = true;
    next->wait();
    return here;
  }));
}

// Nor does what closes the queue there: what comes after the task ends without having begun.
TEST(Queue, whatIsClosedInTheMiddleOfATaskEndsWhatHasNotBegun) {
  Queue queue;
  std::shared_ptr<Event> task, next;
  std::atomic<bool> known = false, runs = false;
  task = queue.submit(
      [&](auto &) {
        while (!known)
          std::this_thread::yield();
        queue.close(std::chrono::steady_clock::now() + 5min, "closed", nullptr);
      },
      Waiters::All);
  next = queue.submit([&](auto &) { runs = true; }, Waiters::All);
  known = true;
  next->wait();
  EXPECT_FALSE(runs);
  EXPECT_EQ(task->problem(), "");
  EXPECT_EQ(next->problem(), "closed");
}

TEST(Queue, severalHostThreadsSubmitAndWait) {
  Queue queue;
  std::atomic<int> sum = 0;
  std::vector<std::thread> hosts;
  for (int h = 0; h < 4; ++h)
    hosts.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        queue.submit([&](auto &) { ++sum; }, i % 3 ? Waiters::All : Waiters::Unlimited)->wait();
    });
  for (auto &h : hosts)
    h.join();
  EXPECT_EQ(sum, 800);
}

// Whoever ends a task need not say why, nor need what it throws: what did not happen has failed.
TEST(Queue, aTaskThatEndedWithoutAReasonHasFailed) {
  Queue queue;
  std::atomic<bool> goOn = false;
  auto first = queue.submit([&](auto &) { goOn.wait(false); }, Waiters::None);
  bool ran = false;
  auto ended = queue.submit([&](auto &) { ran = true; }, Waiters::None);
  auto thrown = queue.submit([](auto &) { throw std::runtime_error(""); }, Waiters::None);
  ended->end("");
  goOn = true;
  goOn.notify_all();
  thrown->wait();
  EXPECT_FALSE(first->failed());
  EXPECT_FALSE(ran);
  EXPECT_TRUE(ended->failed());
  EXPECT_TRUE(thrown->failed());
  EXPECT_NE(ended->problem(), "");
}

//===- Lanes ----------------------------------------------------------------------===//

Footprint touching(std::initializer_list<unsigned> places) {
  Footprint all = Footprint::nothing();
  for (unsigned place : places)
    all.add({place, place + 1});
  return all;
}

/// A task that goes on until it is let go, or ended.
struct Held {
  std::atomic<bool> goesOn = true, runs = false;
  Queue::Work work() {
    return [this](const std::atomic<bool> &ended) {
      runs = true;
      while (goesOn && !ended)
        std::this_thread::sleep_for(100us);
    };
  }
};

TEST(Queue, whatHasNothingInCommonWithOtherLanesGoesOn) {
  for (Waiters who : {Waiters::None, Waiters::Unlimited, leaving, Waiters::All}) {
    Held held;
    std::atomic<bool> goes = false;
    Queue queue([](auto &) {});
    const unsigned other = queue.addLane(), third = queue.addLane();
    auto first = queue.submit(held.work(), Waiters::None, {0, touching({1, 2}), nullptr});
    auto behind = queue.submit([](auto &) {}, who, {0, touching({7}), nullptr});
    auto apart = queue.submit([](auto &) {}, who, {other, touching({3}), nullptr});
    auto common = queue.submit([&](auto &) { EXPECT_TRUE(goes); }, who, {other, touching({2, 4}), nullptr});
    auto chain = queue.submit([&](auto &) { EXPECT_TRUE(goes); }, who, {third, touching({4}), nullptr});
    auto last = queue.submit([&](auto &) { EXPECT_TRUE(goes); }, who, {other, touching({5}), nullptr});
    auto anything = queue.submit([&](auto &) { EXPECT_TRUE(goes); }, who, {third, {}, nullptr});
    EXPECT_TRUE(comes([&] { return apart->waitFor(10ms); }));
    for (auto &waits : {behind, common, chain, last, anything})
      EXPECT_FALSE(waits->waitFor(2ms));
    goes = true;
    held.goesOn = false;
    queue.finish();
    for (auto &task : {first, behind, apart, common, chain, last, anything})
      EXPECT_TRUE(task->finished());
  }
}

// However many wait in the other lane, and whether that was alone when they came.
TEST(Queue, whatHasNothingInCommonWithManyGoesOn) {
  Held held;
  std::atomic<bool> goes = false;
  Queue queue([](auto &) {});
  queue.submit(held.work(), Waiters::None, {0, touching({1}), nullptr});
  auto some = [&] {
    for (unsigned i = 0; i < 1000; ++i)
      queue.submit([](auto &) {}, Waiters::All, {0, touching({i % 2 ? 1 : 100 + i}), nullptr});
  };
  some();
  const unsigned other = queue.addLane();
  auto apart = queue.submit([](auto &) {}, Waiters::All, {other, touching({2}), nullptr});
  some();
  auto alsoApart = queue.submit([](auto &) {}, Waiters::All, {other, touching({3}), nullptr});
  auto common = queue.submit([&](auto &) { EXPECT_TRUE(goes); }, Waiters::All, {other, touching({100}), nullptr});
  EXPECT_TRUE(comes([&] { return apart->waitFor(10ms) && alsoApart->waitFor(10ms); }));
  EXPECT_FALSE(common->waitFor(5ms));
  goes = true;
  held.goesOn = false;
  queue.finish();
}

TEST(Queue, anEventOfAnotherLaneIsWaitedFor) {
  Held held;
  Queue queue;
  const unsigned other = queue.addLane();
  auto first = queue.submit(held.work(), Waiters::None, {0, touching({1}), nullptr});
  auto after = queue.submit([](auto &) {}, Waiters::All, {other, touching({2}), first});
  EXPECT_FALSE(after->waitFor(5ms));
  held.goesOn = false;
  after->wait();
  EXPECT_TRUE(first->finished());
}

TEST(Queue, lanesAreClosedTogether) {
  Held held;
  Queue queue;
  const unsigned other = queue.addLane();
  auto first = queue.submit(held.work(), Waiters::None, {other, touching({1}), nullptr});
  auto waits = queue.submit([](auto &) { ADD_FAILURE(); }, Waiters::All, {0, touching({1}), nullptr});
  auto behind = queue.submit([](auto &) { ADD_FAILURE(); }, Waiters::All, {other, {}, nullptr});
  EXPECT_TRUE(comes([&] { return held.runs.load(); }));
  queue.close(std::chrono::steady_clock::now() + 1ms, "closed", [](auto &) {});
  for (auto &task : {waits, behind}) {
    EXPECT_TRUE(task->finished());
    EXPECT_EQ(task->problem(), "closed");
  }
  EXPECT_TRUE(first->finished());
}

// Nobody waits for it, and nothing else happens that would wake its lane.
TEST(Queue, aTaskThatIsEndedBehindAnotherLaneIsDoneAtOnce) {
  Held held;
  Queue queue;
  const unsigned other = queue.addLane();
  auto first = queue.submit(held.work(), Waiters::None, {0, touching({1}), nullptr});
  auto waits = queue.submit([](auto &) { ADD_FAILURE(); }, Waiters::None, {other, touching({1}), nullptr});
  EXPECT_FALSE(waits->waitFor(5ms)); // its lane sleeps
  waits->end("ended");
  EXPECT_TRUE(waits->waitFor(10s));
  EXPECT_FALSE(first->finished());
  held.goesOn = false;
  queue.finish();
  EXPECT_EQ(waits->problem(), "ended");
}

TEST(Queue, lateTasksOfAllLanesAreFound) {
  Held one, other;
  Queue queue;
  auto first = queue.submit(one.work(), Waiters::None, {0, touching({1}), nullptr});
  auto second = queue.submit(other.work(), Waiters::None, {queue.addLane(), touching({2}), nullptr});
  EXPECT_TRUE(comes([&] {
    const auto late = queue.runningLongerThan(1ms);
    return late[0] == first && late[1] == second;
  }));
  one.goesOn = other.goesOn = false;
  queue.finish();
  for (const auto &late : queue.runningLongerThan(1ms))
    EXPECT_FALSE(late);
}

TEST(Queue, lanesAreLimited) {
  Queue queue;
  unsigned last = 0;
  for (unsigned i = 0; i < 3 * Queue::mostLanes; ++i)
    last = std::max(last, queue.addLane());
  EXPECT_EQ(last, Queue::mostLanes - 1);
}

// Whoever touches the same does so in the order of the calls, whichever lanes, and whoever waits.
TEST(Queue, whatTouchesTheSameKeepsItsOrder) {
  constexpr unsigned places = 6, tasks = 3000;
  std::mt19937 random(7);
  unsigned seen[places] = {}; // by one task at a time
  std::vector<unsigned> expected[places];
  std::vector<unsigned> got[places];
  Queue queue([](auto &) {});
  for (unsigned i = 1; i < Queue::mostLanes / 2; ++i)
    queue.addLane();
  std::vector<std::shared_ptr<Event>> events;
  std::vector<std::jthread> hosts;
  for (unsigned n = 0; n < tasks; ++n) {
    const bool all = random() % 16 == 0;
    std::vector<unsigned> mine;
    for (unsigned place = 0; place < places; ++place)
      if (all || random() % 4 == 0)
        mine.push_back(place);
    Footprint touches = Footprint::nothing();
    for (std::size_t i = 0, end; i < mine.size(); i = end) { // neighbours as one stretch, sometimes
      for (end = i + 1; end < mine.size() && mine[end] == mine[end - 1] + 1 && random() % 4; ++end)
        ;
      touches.add({mine[i], mine[end - 1] + 1});
    }
    for (unsigned place : mine)
      expected[place].push_back(n);
    const Waiters kinds[] = {Waiters::None, Waiters::Unlimited, leaving, Waiters::All};
    auto work = [&seen, &got, mine, n](auto &) {
      for (unsigned place : mine) {
        seen[place] = n;
        got[place].push_back(n);
      }
      for (unsigned place : mine)
        EXPECT_EQ(seen[place], n);
    };
    const unsigned lane = unsigned(random() % (Queue::mostLanes / 2));
    std::shared_ptr<Event> after = events.empty() ? nullptr : events[random() % events.size()];
    Queue::Place place{lane, all ? Footprint() : std::move(touches), random() % 8 ? nullptr : after};
    events.push_back(queue.submit(work, kinds[random() % std::size(kinds)], std::move(place)));
    if (random() % 4 == 0)
      events[random() % events.size()]->waitFor(1ms);
    if (n % 500 == 250)
      hosts.emplace_back([&queue, event = events.back()] {
        event->wait();
        queue.finish();
      });
  }
  queue.finish();
  hosts.clear();
  for (unsigned place = 0; place < places; ++place)
    EXPECT_EQ(got[place], expected[place]);
}

} // namespace
