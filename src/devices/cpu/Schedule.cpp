//===- Schedule.cpp - In which order threads run that are listed -------------------------===//
//
// Host threads take the next thread of the list, wait until those before it are done that it
// depends on, and run it. The list is in an order that could run one by one, so the earliest
// thread that is not done can always run, and nobody waits for ever.
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/Schedule.h"
#include "pocm/pocm.h"
#include <algorithm>
#include <charconv>
#include <numeric>

namespace pocm::cpu {
namespace {

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until a thread of another host thread is done.
void waitFor(const std::atomic<std::uint8_t> &done) {
  constexpr int brief = 2000; // then the host may have something better to do than to watch
  for (int i = 0; !done.load(std::memory_order_acquire); ++i)
    if (i < brief)
      relax();
    else
      std::this_thread::yield();
}

} // namespace

Schedule::Schedule(const std::string &text) {
  constexpr std::string_view random = "random";
  if (text.empty())
    return;
  if (text == "serial") {
    kind = Kind::Serial;
  } else if (text == "reverse") {
    kind = Kind::Reverse;
  } else if (text == random) {
    kind = Kind::Random;
  } else if (text.starts_with("random:")) {
    kind = Kind::Random;
    const char *end = text.data() + text.size();
    auto [rest, problem] = std::from_chars(text.data() + random.size() + 1, end, seed);
    if (problem != std::errc() || rest != end)
      throw Error("POCM_ORDER is '" + text + "'; the seed of random must be a number");
  } else {
    throw Error("POCM_ORDER is '" + text + "'; it may be serial, reverse, random or random:SEED");
  }
}

std::vector<std::uint32_t> Schedule::permutation(std::uint32_t count) const {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  if (kind == Kind::Reverse)
    std::reverse(order.begin(), order.end());
  if (kind == Kind::Random)
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

void Schedule::runAsAsked(const runtime::Order &order, const std::function<void(std::uint32_t)> &run) const {
  auto count = std::uint32_t(order.threads.size());
  if (order.waits.empty() || kind == Kind::Serial) {
    for (std::uint32_t i : permutation(count))
      run(i);
    return;
  }
  std::vector<std::uint32_t> missing(count), ready;
  std::vector<std::vector<std::uint32_t>> followers(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    missing[i] = order.first[i + 1] - order.first[i];
    for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k)
      followers[order.waits[k]].push_back(i);
    if (!missing[i])
      ready.push_back(i);
  }
  std::mt19937 random(seed);
  while (!ready.empty()) {
    auto next = kind == Kind::Random ? ready.begin() + std::ptrdiff_t(random() % ready.size())
                                     : std::max_element(ready.begin(), ready.end());
    std::uint32_t i = *next;
    *next = ready.back();
    ready.pop_back();
    run(i);
    for (std::uint32_t j : followers[i])
      if (--missing[j] == 0)
        ready.push_back(j);
  }
}

void Schedule::run(const runtime::Order &order, ThreadPool &pool, const std::function<void(std::uint32_t)> &run) const {
  auto count = std::uint32_t(order.threads.size());
  if (asked())
    return runAsAsked(order, run);
  if (pool.threads() == 1) {
    for (std::uint32_t i = 0; i < count; ++i)
      run(i);
    return;
  }
  bool waits = !order.waits.empty();
  const std::uint32_t chunk = waits ? 1 : std::max(1u, std::min(64u, count / (pool.threads() * 8)));
  std::vector<std::atomic<std::uint8_t>> done(waits ? count : 0);
  std::atomic<std::uint32_t> next{0};
  pool.run(pool.threads(), [&](unsigned) {
    for (std::uint32_t from; (from = next.fetch_add(chunk, std::memory_order_relaxed)) < count;)
      for (std::uint32_t i = from; i < std::min(count, from + chunk); ++i) {
        if (waits)
          for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k)
            waitFor(done[order.waits[k]]);
        run(i);
        if (waits)
          done[i].store(1, std::memory_order_release);
      }
  });
}

} // namespace pocm::cpu
