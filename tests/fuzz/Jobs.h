// Fuzzers' cases on several processes: a case that ends its process is reported by its number, and the next process
// goes on behind it. So it does where a case has left its process in disorder, and says so.
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
};

/// Calls `problemOf` for each case: the problem's text, empty when there is none; it says whether the case was run.
/// A process of which `isUsed` says so does no other case.
inline int runJobs(
    const Cases &cases, const char *noun, const std::function<std::string(unsigned, bool &)> &problemOf,
    const std::function<bool()> &isUsed = [] { return false; }) {
  constexpr int used = 77; // the status of such a process
  struct Shared {
    std::atomic<unsigned> next, done, ran, problems;
  };
  void *memory = mmap(nullptr, sizeof(Shared) + cases.jobs * sizeof(unsigned), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto &all = *new (memory) Shared{};
  auto *current = reinterpret_cast<unsigned *>(&all + 1); // of each process
  auto report = [&](unsigned seed, const std::string &problem) {
    std::printf("%s %u: %s\n", noun, seed, problem.substr(0, 2000).c_str());
    std::fflush(stdout);
    ++all.problems;
  };
  auto work = [&](unsigned job) {
    for (unsigned k = all.next++; k < cases.count; k = all.next++) {
      current[job] = cases.first + k;
      bool run = false;
      if (std::string problem = problemOf(current[job], run); !problem.empty())
        report(current[job], problem);
      ++all.done;
      all.ran += run;
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
    report(current[job], "crashed (signal " + std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : 0) + ")");
    ++all.done;
    start(job);
  }
  std::printf("%u %ss, %u run, %u problems\n", all.done.load(), noun, all.ran.load(), all.problems.load());
  return all.problems ? 1 : 0;
}

} // namespace pocm::fuzz
