//===- ThreadPool.h - Host threads that share one job ---------------------------===//
#pragma once

#include "runtime/Process.h"
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace pocm::cpu {

/// Runs parts of a job on `threads` host threads, the caller among them.
class ThreadPool {
public:
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();

  unsigned threads() const { return unsigned(helpers.size()) + 1; }
  /// Calls part(0) .. part(parts - 1), in any order and on any of the threads; returns when all have returned.
  /// Several callers take turns. Rethrows the first exception of a part; parts that have not begun then, do not.
  void run(unsigned parts, const std::function<void(unsigned)> &part);

private:
  void close();
  void report();
  void help();
  void takeParts(const std::function<void(unsigned)> &part, unsigned parts);

  std::mutex turn; // one job at a time
  std::mutex lock;
  std::condition_variable wake, idle;
  const std::function<void(unsigned)> *job = nullptr;
  unsigned jobParts = 0, generation = 0, busy = 0;
  bool closing = false;
  std::atomic<unsigned> next{0};
  std::exception_ptr problem; // guarded by `lock` while a job runs
  std::vector<runtime::OwnThread> helpers;
};

} // namespace pocm::cpu
