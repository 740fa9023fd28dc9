// Fuzzers' cases on several processes: a case that ends its process is reported by its number, and the next process
// goes on behind it. So it does where a case has left its process in disorder, and says so. Cases that are done together
// and end their process are done again one by one.
//
//     return runJobs({10000, 0, 2}, "program", [](unsigned seed, bool &run) { return problemOf(seed, run); });
//         prints a line for each problem, then "10000 programs, 300 run, 0 problems"; gives what main returns
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace pocm::fuzz {

struct Cases {
  unsigned count = 1000, first = 0, jobs = 1;
  unsigned together = 1; ///< Cases that a process does at once, up to the next multiple of it.
};

using Report = std::function<void(unsigned, const std::string &)>;

/// Calls `doCases` with the first and number of some cases and what takes their problems; it says how many were run.
/// When it ends its process, these cases are done one by one. A process of which `isUsed` says so does no others.
inline int runTogether(
    const Cases &cases, const char *noun, const std::function<unsigned(unsigned, unsigned, const Report &)> &doCases,
    const std::function<bool()> &isUsed = [] { return false; }) {
  constexpr int used = 77; // the status of such a process
  struct Part {
    unsigned first, count;       ///< What the process does now.
    unsigned single, singlesEnd; ///< What it is to do one by one before it goes on.
    int signal;                  ///< By which these ended their process together; 0 when they did not.
    unsigned problemsBefore;     ///< When they did.
  };
  struct Shared {
    std::atomic<unsigned> next, done, ran, problems;
  };
  void *memory = mmap(nullptr, sizeof(Shared) + cases.jobs * sizeof(Part), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto &all = *new (memory) Shared{};
  auto *parts = reinterpret_cast<Part *>(&all + 1); // of each process
  auto report = [&](unsigned seed, const std::string &problem) {
    std::printf("%s %u: %s\n", noun, seed, problem.substr(0, 2000).c_str());
    std::fflush(stdout);
    ++all.problems;
  };
  const unsigned end = cases.first + cases.count, firstPart = cases.first / cases.together;
  auto work = [&](unsigned job) {
    Part &part = parts[job];
    auto doThese = [&](unsigned first, unsigned count) {
      part.first = first;
      part.count = count;
      all.ran += doCases(first, count, report);
      all.done += count;
    };
    while (part.single < part.singlesEnd) {
      doThese(part.single, 1);
      ++part.single;
      if (part.single == part.singlesEnd && part.signal && all.problems == part.problemsBefore)
        report(part.singlesEnd - 1, "crashed, only behind those before it (signal " + std::to_string(part.signal) + ")");
      if (isUsed())
        _exit(used);
    }
    for (;;) {
      const unsigned number = firstPart + all.next++, first = std::max(cases.first, number * cases.together);
      if (first >= end)
        break;
      doThese(first, std::min(end, (number + 1) * cases.together) - first);
      if (isUsed())
        _exit(used);
    }
  };
  std::vector<pid_t> children(cases.jobs);
  auto start = [&](unsigned job) {
    std::fflush(stdout);
    children[job] = fork();
    if (children[job] == 0) {
      work(job);
      _exit(0);
    }
  };
  for (unsigned job = 0; job < cases.jobs; ++job)
    start(job);
  for (unsigned left = cases.jobs; left;) {
    int status = 0;
    pid_t child = wait(&status);
    auto job = unsigned(std::find(children.begin(), children.end(), child) - children.begin());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      --left;
      continue;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == used) {
      start(job);
      continue;
    }
    Part &part = parts[job];
    if (part.count > 1) {
      part.single = part.first;
      part.singlesEnd = part.first + part.count;
      part.signal = WIFSIGNALED(status) ? WTERMSIG(status) : -1;
      part.problemsBefore = all.problems;
    } else {
      report(part.first, "crashed (signal " + std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : 0) + ")");
      ++all.done;
      part.single = std::min(part.single + 1, part.singlesEnd);
    }
    start(job);
  }
  std::printf("%u %ss, %u run, %u problems\n", all.done.load(), noun, all.ran.load(), all.problems.load());
  return all.problems ? 1 : 0;
}

/// Calls `problemOf` for each case: the problem's text, empty when there is none; it says whether the case was run.
/// A process of which `isUsed` says so does no other case.
inline int runJobs(
    const Cases &cases, const char *noun, const std::function<std::string(unsigned, bool &)> &problemOf,
    const std::function<bool()> &isUsed = [] { return false; }) {
  auto doCases = [&](unsigned first, unsigned count, const Report &report) {
    unsigned ran = 0;
    for (unsigned seed = first; seed < first + count; ++seed) {
      bool run = false;
      if (std::string problem = problemOf(seed, run); !problem.empty())
        report(seed, problem);
      ran += run;
    }
    return ran;
  };
  return runTogether(cases, noun, doCases, isUsed);
}

} // namespace pocm::fuzz
