#include "devices/cpu/ThreadPool.h"
#include <gtest/gtest.h>

using pocm::cpu::ThreadPool;

namespace {

TEST(ThreadPool, everyPartRunsOnce) {
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (unsigned parts : {0u, 1u, 2u, 7u, 1000u}) {
      std::vector<std::atomic<int>> runs(parts);
      pool.run(parts, [&](unsigned i) { ++runs[i]; });
      for (auto &n : runs)
        EXPECT_EQ(n, 1);
    }
  }
}

TEST(ThreadPool, manySmallJobsFromSeveralCallers) {
  ThreadPool pool(3);
  std::atomic<int> sum = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 3; ++c)
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i)
        pool.run(4, [&](unsigned) { ++sum; });
    });
  for (auto &c : callers)
    c.join();
  EXPECT_EQ(sum, 3 * 300 * 4);
}

} // namespace
