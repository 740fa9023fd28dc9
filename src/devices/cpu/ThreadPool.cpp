//===- ThreadPool.cpp - Host threads that share one job -------------------------===//
#include "devices/cpu/ThreadPool.h"
#include <utility>

namespace pocm::cpu {

ThreadPool::ThreadPool(unsigned threads) {
  try {
    for (unsigned i = 1; i < threads; ++i)
      helpers.emplace_back([this] { help(); });
  } catch (...) { // no more threads to be had
    close();
    throw;
  }
}

ThreadPool::~ThreadPool() { close(); }

void ThreadPool::close() {
  {
    std::lock_guard guard(lock);
    closing = true;
  }
  wake.notify_all();
  for (runtime::OwnThread &helper : helpers)
    helper.join();
}

void ThreadPool::takeParts(const std::function<void(unsigned)> &part, unsigned parts) {
  try {
    for (unsigned i; (i = next.fetch_add(1, std::memory_order_relaxed)) < parts;)
      part(i);
  } catch (...) {
    next = parts;
    std::lock_guard guard(lock);
    if (!problem)
      problem = std::current_exception();
  }
}

void ThreadPool::report() {
  if (std::exception_ptr first = std::exchange(problem, nullptr))
    std::rethrow_exception(first);
}

void ThreadPool::help() {
  unsigned seen = 0;
  std::unique_lock held(lock);
  while (true) {
    wake.wait(held, [&] { return closing || (job && generation != seen); });
    if (closing)
      return;
    seen = generation;
    const auto *mine = job;
    unsigned parts = jobParts;
    ++busy;
    held.unlock();
    takeParts(*mine, parts);
    held.lock();
    if (--busy == 0)
      idle.notify_all();
  }
}

void ThreadPool::run(unsigned parts, const std::function<void(unsigned)> &part) {
  if (helpers.empty() || parts < 2) { // nothing is shared or locked: other callers, other host threads may go on
    for (unsigned i = 0; i < parts; ++i)
      part(i);
    return;
  }
  std::lock_guard mine(turn);
  {
    std::lock_guard guard(lock);
    next = 0;
    job = &part;
    jobParts = parts;
    ++generation;
  }
  wake.notify_all();
  takeParts(part, parts);
  std::unique_lock held(lock);
  job = nullptr; // a helper that wakes up now finds nothing
  idle.wait(held, [&] { return busy == 0; });
  held.unlock();
  report();
}

} // namespace pocm::cpu
