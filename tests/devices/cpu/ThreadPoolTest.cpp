#include "devices/cpu/ThreadPool.h"
#include "devices/cpu/CpuDevice.h"
#include <atomic>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <thread>

using namespace pocm::cpu;
using namespace std::chrono_literals;

namespace {

using Runs = std::vector<std::atomic<int>>;

/// Runs a job and counts how often each item is given out.
void count(ThreadPool &pool, const Division &division, Cost &cost, Runs &runs,
           std::chrono::microseconds each = std::chrono::microseconds(0)) {
  pool.run(division, cost, [&](Share &mine) {
    while (Items some = mine.next())
      for (std::uint32_t i = some.begin; i < some.end; ++i) {
        ++runs[i];
        for (auto until = std::chrono::steady_clock::now() + each; std::chrono::steady_clock::now() < until;)
          ;
      }
  });
}

/// Where host threads that share a job meet: each waits there for the others, for minutes where others have the cores.
class Meeting {
public:
  explicit Meeting(std::size_t threads) : threads(threads) {}
  void come() {
    std::unique_lock held(lock);
    who.insert(std::this_thread::get_id());
    arrived.notify_all();
    arrived.wait_for(held, 5min, [&] { return all(); });
  }
  bool all() const { return who.size() == threads; }

private:
  const std::size_t threads;
  std::mutex lock;
  std::condition_variable arrived;
  std::set<std::thread::id> who;
};

// Whoever may run on one core of many has no use for more host threads than that.
TEST(ThreadPool, thereAreAsManyHostThreadsAsCoresToRunOn) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(hostThreads(0), unsigned(CPU_COUNT(&before)));
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &before))
    --last;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(hostThreads(0), 1u);
  EXPECT_EQ(hostThreads(3), 3u);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(ThreadPool, everyItemIsGivenOutOnceHoweverItMayBeDivided) {
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (std::uint32_t items : {0u, 1u, 2u, 7u, 1000u})
      for (bool inOrder : {false, true})
        for (std::uint32_t quantum : {1u, 3u, 640u}) {
          Cost cost;
          Runs runs(items);
          for (int launch = 0; launch < 3; ++launch) // what it costs is known after the first
            count(pool, {.items = items, .quantum = quantum, .inOrder = inOrder, .even = launch == 2}, cost, runs);
          for (auto &n : runs)
            EXPECT_EQ(n, 3);
        }
  }
}

TEST(ThreadPool, itemsInOrderAreGivenOutOneByOne) {
  ThreadPool pool(3);
  Cost cost;
  std::atomic<std::uint32_t> next = 0;
  pool.run({.items = 500, .inOrder = true}, cost, [&](Share &mine) {
    while (Items one = mine.next()) {
      EXPECT_EQ(one.count(), 1u);
      while (next != one.begin) // all before it have been given out, so they will come
        std::this_thread::yield();
      ++next;
    }
  });
  EXPECT_EQ(next, 500u);
}

TEST(ThreadPool, aLongJobIsShared) {
  ThreadPool pool(2);
  for (bool known : {false, true}) {
    Cost cost;
    if (known)
      cost.note(20e6);
    Meeting meeting(2);
    pool.run({.items = 4}, cost, [&](Share &mine) {
      while (Items some = mine.next()) {
        std::this_thread::sleep_for(20ms);
        meeting.come();
        EXPECT_EQ(some.count(), 1u);
      }
    });
    EXPECT_TRUE(meeting.all());
  }
}

TEST(ThreadPool, asManyLongItemsAsHostThreadsRunSideBySide) {
  constexpr unsigned threads = 8;
  ThreadPool pool(threads);
  for (bool inOrder : {false, true})
    for (bool even : {false, true}) {
      Cost cost;
      cost.note(1e6);                   // a millisecond each
      std::this_thread::sleep_for(1ms); // so that the others sleep
      Meeting meeting(threads);
      pool.run({.items = threads, .inOrder = inOrder, .even = even}, cost, [&](Share &mine) {
        while (Items some = mine.next())
          for (std::uint32_t i = some.begin; i < some.end; ++i)
            meeting.come();
      });
      EXPECT_TRUE(meeting.all()) << (inOrder ? "in order" : "in any order") << (even ? ", even" : "");
    }
}

TEST(ThreadPool, aShortJobStaysWithItsCaller) {
  ThreadPool pool(4);
  Cost cost;
  cost.note(1);
  int parts = 0; // written by the caller alone
  pool.run({.items = 100, .even = true}, cost, [&](Share &mine) {
    while (Items some = mine.next())
      parts += some.count() == 100;
  });
  EXPECT_EQ(parts, 1);
}

TEST(ThreadPool, whatTurnsOutToBeLongIsSharedInTheMiddle) {
  ThreadPool pool(2);
  Cost cost;
  cost.note(1); // but now an item takes 5 ms
  Runs runs(40);
  Meeting meeting(2);
  pool.run({.items = 40}, cost, [&](Share &mine) {
    while (Items some = mine.next()) {
      for (std::uint32_t i = some.begin; i < some.end; ++i) {
        ++runs[i];
        std::this_thread::sleep_for(5ms);
      }
      if (some.begin) // the first part is the caller's: others are called when it has taken its time
        meeting.come();
    }
  });
  for (auto &n : runs)
    EXPECT_EQ(n, 1);
  EXPECT_TRUE(meeting.all());
  EXPECT_GT(cost.known(), 4e6);
}

TEST(ThreadPool, anExceptionEndsTheJobAndReachesTheCaller) {
  ThreadPool pool(3);
  Cost cost;
  std::atomic<int> given = 0;
  EXPECT_THROW(pool.run({.items = 100000}, cost,
                        [&](Share &mine) {
                          while (Items some = mine.next())
                            if (++given == 3)
                              throw std::runtime_error("no more");
                        }),
               std::runtime_error);
  Runs runs(100);
  count(pool, {.items = 100}, cost, runs); // and the pool goes on
  for (auto &n : runs)
    EXPECT_EQ(n, 1);
}

TEST(ThreadPool, manyJobsFromSeveralCallersAtOnce) {
  ThreadPool pool(3);
  Cost cost;
  std::atomic<int> sum = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 3; ++c)
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i)
        pool.run({.items = 4}, cost, [&](Share &mine) {
          while (Items some = mine.next())
            sum += int(some.count());
        });
    });
  for (auto &c : callers)
    c.join();
  EXPECT_EQ(sum, 3 * 300 * 4);
}

/// More jobs at once than others can join: those beyond have their callers, and all of them end.
TEST(ThreadPool, moreCallersThanAnybodyJoins) {
  constexpr int callers = 40, rounds = 30, items = 8;
  ThreadPool pool(4);
  Cost cost;
  std::atomic<int> sum = 0, begun = 0;
  std::vector<std::thread> all;
  for (int c = 0; c < callers; ++c)
    all.emplace_back([&] {
      for (++begun; begun < callers;)
        std::this_thread::yield();
      for (int i = 0; i < rounds; ++i)
        pool.run({.items = items}, cost, [&](Share &mine) {
          while (Items some = mine.next()) {
            std::this_thread::sleep_for(20us);
            sum += int(some.count());
          }
        });
    });
  for (auto &c : all)
    c.join();
  EXPECT_EQ(sum, callers * rounds * items);
}

/// Longer pieces wait less: what waiting made dear would be given out in shorter ones, which wait more.
TEST(Cost, waitingForOthersIsNoWork) {
  ThreadPool pool(2);
  Cost cost;
  constexpr auto waits = 200ms; // long beside what the rest takes
  pool.run({.items = 2, .inOrder = true}, cost, [&](Share &mine) {
    while (mine.next()) {
      const Share::Waiting waiting(mine);
      std::this_thread::sleep_for(waits);
    }
  });
  EXPECT_GE(cost.known(), 0);
  EXPECT_LT(cost.known(), 0.9 * double(std::chrono::nanoseconds(waits).count()));
}

TEST(Cost, theMostCountsAndFades) {
  Cost cost;
  EXPECT_LT(cost.known(), 0);
  cost.note(100);
  EXPECT_EQ(cost.known(), 100);
  cost.note(20);
  EXPECT_EQ(cost.known(), 90);
  cost.note(200);
  EXPECT_EQ(cost.known(), 200);
}

// Where it takes long to wake a host thread, little work is done without; now and then it is measured again.
// Pools that close while all, some or none of their host threads sleep, are awake or have just been called.
TEST(ThreadPool, closesWhateverItsHostThreadsDo) {
  constexpr std::uint32_t items = 64;
  for (int round = 0; round < 60; ++round) {
    ThreadPool pool(6);
    Cost cost;
    for (int job = 0; job < round % 4; ++job) {
      if (round % 3)
        std::this_thread::sleep_for(std::chrono::microseconds(round * 20));
      std::atomic<std::uint32_t> done{0};
      pool.run({.items = items}, cost, [&](Share &mine) {
        while (Items some = mine.next()) {
          std::this_thread::sleep_for(std::chrono::microseconds(1));
          done += some.count();
        }
      });
      EXPECT_EQ(done, items);
    }
    if (round % 2)
      std::this_thread::sleep_for(std::chrono::microseconds(round * 20));
  }
}

TEST(Waking, paysWhereItIsSoonerThanTheWork) {
  constexpr double little = 10'000;
  Waking waking;
  EXPECT_TRUE(waking.pays(little));
  for (int i = 0; i < 3; ++i) {
    waking.noteCost(std::chrono::milliseconds(2));
    waking.noteArrival(std::chrono::milliseconds(2));
  }
  EXPECT_FALSE(waking.pays(little));
  EXPECT_TRUE(waking.pays(100 * 2e6));
  int declined = 0;
  for (; !waking.pays(little); waking.forget())
    ASSERT_LT(++declined, 2000);
  EXPECT_GT(declined, 20);
}

} // namespace
