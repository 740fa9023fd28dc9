//===- Harness.h - Correct first, then timed, next to the peer -----------------------===//
//
// Every case runs once a round, in turn, so that all see the same machine; the table gives
// medians and how many times as fast as the first case each one is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <sched.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bench {

inline double milliseconds(const std::function<void()> &work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Host threads that a peer shares its work with: made once, and each on a processor of its own, since a thread that is
/// made or woken where another runs often waits there until that is done.
class Crew {
public:
  explicit Crew(unsigned threads) {
    cpu_set_t mine;
    sched_getaffinity(0, sizeof(mine), &mine);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &mine))
        processors.push_back(cpu);
    for (unsigned i = 1; i < threads; ++i)
      others.emplace_back([this, i](const std::stop_token &stop) { serve(i, stop); });
  }
  ~Crew() {
    for (std::jthread &other : others)
      other.request_stop();
    begin(); // of nothing
  }
  Crew(const Crew &) = delete;
  Crew &operator=(const Crew &) = delete;

  /// Calls part(0), part(1) ... on all of them, and waits.
  void run(const std::function<void(unsigned)> &part) {
    work = &part;
    place(sched_getcpu());
    busy.store(unsigned(others.size()));
    begin();
    part(0);
    for (unsigned left; (left = busy.load()) != 0;)
      busy.wait(left);
  }

private:
  /// Puts the others on the processors behind that of the caller.
  void place(int caller) {
    if (caller == std::exchange(placed, caller))
      return;
    auto here = std::size_t(std::find(processors.begin(), processors.end(), caller) - processors.begin());
    for (std::size_t i = 0; i < others.size(); ++i) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(processors[(here + 1 + i) % processors.size()], &one);
      pthread_setaffinity_np(others[i].native_handle(), sizeof(one), &one);
    }
  }
  void begin() {
    ++rounds;
    rounds.notify_all();
  }
  void serve(unsigned number, const std::stop_token &stop) {
    for (unsigned seen = 0;; ++seen) {
      auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(200); // then others may want it
      while (rounds.load() == seen && std::chrono::steady_clock::now() < until)
        std::this_thread::yield();
      rounds.wait(seen);
      if (stop.stop_requested())
        return;
      (*work)(number);
      if (--busy == 0)
        busy.notify_one();
    }
  }

  std::vector<int> processors;
  int placed = -1; ///< The caller's processor when they were placed.
  const std::function<void(unsigned)> *work = nullptr;
  std::atomic<unsigned> rounds = 0, busy = 0;
  std::vector<std::jthread> others; // end first
};

struct Case {
  std::string name;
  std::function<void()> run;
  std::function<bool()> correct; ///< Of what run() left behind.
  std::vector<double> times = {};
};

/// Runs and prints all cases; the first is the peer that the others are measured by. False when one is wrong.
inline bool table(std::vector<Case> &cases, int rounds) {
  bool allCorrect = true;
  for (Case &c : cases) {
    c.run();
    if (!c.correct()) {
      std::printf("%-44s wrong result, not timed\n", c.name.c_str());
      c.name.clear();
      allCorrect = false;
    }
  }
  std::erase_if(cases, [](const Case &c) { return c.name.empty(); });
  for (int round = -2; round < rounds; ++round)
    for (Case &c : cases) {
      double ms = milliseconds(c.run);
      if (round >= 0)
        c.times.push_back(ms);
    }
  std::printf("%-44s %10s %10s %10s\n", "case", "median ms", "least ms", "speed");
  for (Case &c : cases)
    std::printf("%-44s %10.3f %10.3f %9.2fx\n", c.name.c_str(), median(c.times),
                *std::min_element(c.times.begin(), c.times.end()), median(cases[0].times) / median(c.times));
  return allCorrect;
}

} // namespace bench
