#include "runtime/Queue.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace pocm::runtime;
using namespace std::chrono_literals;

namespace {

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
        while (!go)
          std::this_thread::sleep_for(1ms);
      },
      Waiters::None);
  EXPECT_FALSE(event->finished());
  EXPECT_FALSE(event->waitFor(5ms));
  go = true;
  event->wait();
  EXPECT_TRUE(event->finished());
  EXPECT_GT(event->nanoseconds(), 0u);
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

} // namespace
