//===- Harness.h - Correct first, then timed, next to the peer -----------------------===//
//
// Every case runs once a round, in turn, so that all see the same machine; the table gives
// medians and how many times as fast as the first case each one is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
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
