//===- Schedule.cpp - In which order threads run that are listed -------------------------===//
//
// Host threads take the next thread of the list, wait until those before it are done that it
// depends on, and run it. The list is in an order that could run one by one, so the earliest
// thread that is not done can always run, and nobody waits for ever. Where dependencies go
// upwards and sideways only, as in a wavefront, a host thread takes a row instead: the
// topmost row that is not done can always run.
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

/// A listed space cut into rows. A host thread that keeps to a row streams through the surfaces and finds most of what
/// it depends on in its own cache.
struct Rows {
  std::vector<std::uint32_t> positions; ///< In the order, row by row.
  std::vector<std::uint32_t> rank;      ///< Of each position among them.
  std::vector<std::uint32_t> first;     ///< Where each row begins, and the end.
};

/// Rows can be walked one after another only when nobody waits for a lower one.
bool waitsUpwards(const runtime::Order &order) {
  for (std::uint32_t i = 0; i + 1 < order.first.size(); ++i)
    for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k)
      if (order.threads[order.waits[k]].y > order.threads[i].y)
        return false;
  return true;
}

Rows rowsOf(const runtime::Order &order) {
  auto count = std::uint32_t(order.threads.size());
  std::uint32_t height = 0;
  for (const runtime::ListedThread &thread : order.threads)
    height = std::max(height, thread.y + 1);
  Rows rows;
  rows.first.resize(height + 1);
  for (const runtime::ListedThread &thread : order.threads)
    ++rows.first[thread.y + 1];
  std::partial_sum(rows.first.begin(), rows.first.end(), rows.first.begin());
  std::vector<std::uint32_t> next = rows.first;
  rows.positions.resize(count);
  rows.rank.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    rows.rank[i] = next[order.threads[i].y]++;
    rows.positions[rows.rank[i]] = i;
  }
  return rows;
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

void Schedule::runAsAsked(const runtime::Order &order, const Run &run) const {
  auto count = std::uint32_t(order.threads.size());
  if (order.waits.empty() || kind == Kind::Serial) {
    for (std::uint32_t i : permutation(count))
      run(order.threads[i], 1);
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
    run(order.threads[i], 1);
    for (std::uint32_t j : followers[i])
      if (--missing[j] == 0)
        ready.push_back(j);
  }
}

void Schedule::run(const runtime::Order &order, bool alike, ThreadPool &pool, const Run &run) const {
  auto count = std::uint32_t(order.threads.size());
  if (asked())
    return runAsAsked(order, run);
  if (!order.waits.empty() && waitsUpwards(order))
    return runByRows(order, alike, pool, run);
  if (pool.threads() == 1) {
    for (std::uint32_t i = 0; i < count; ++i)
      run(order.threads[i], 1);
    return;
  }
  if (order.waits.empty())
    return runFreely(order, pool, run);
  std::vector<std::atomic<std::uint8_t>> done(count);
  std::atomic<std::uint32_t> next{0};
  pool.run(pool.threads(), [&](unsigned) {
    for (std::uint32_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k)
        waitFor(done[order.waits[k]]);
      run(order.threads[i], 1);
      done[i].store(1, std::memory_order_release);
    }
  });
}

void Schedule::runFreely(const runtime::Order &order, ThreadPool &pool, const Run &run) {
  constexpr std::uint32_t mostInOne = 64;
  auto count = std::uint32_t(order.threads.size());
  const std::uint32_t chunk = std::clamp(count / (pool.threads() * 8), 1u, mostInOne);
  pool.run((count + chunk - 1) / chunk, [&](unsigned part) {
    for (std::uint32_t i = part * chunk; i < std::min(count, (part + 1) * chunk); ++i)
      run(order.threads[i], 1);
  });
}

void Schedule::runByRows(const runtime::Order &order, bool alike, ThreadPool &pool, const Run &run) {
  constexpr std::uint32_t mostInOne = 64;
  Rows rows = rowsOf(order);
  // How many threads of a row go in one call, and are announced in one go. Rows follow each other at that distance.
  std::uint32_t most = pool.threads() == 1 ? mostInOne : std::clamp(order.width / (pool.threads() * 8), 1u, 8u);
  auto next = [&](const runtime::ListedThread &a, const runtime::ListedThread &b) {
    return alike && b.x == a.x + 1 && b.color == a.color;
  };
  std::vector<std::atomic<std::uint8_t>> done(order.threads.size()); // by rank: a row's lie together
  std::atomic<std::uint32_t> nextRow{0};
  pool.run(pool.threads(), [&](unsigned) {
    for (std::uint32_t row; (row = nextRow.fetch_add(1, std::memory_order_relaxed)) + 1 < rows.first.size();)
      for (std::uint32_t rank = rows.first[row], end; rank < rows.first[row + 1]; rank = end) {
        const runtime::ListedThread &thread = order.threads[rows.positions[rank]];
        end = rank;
        do {
          std::uint32_t i = rows.positions[end++];
          for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k)
            if (std::uint32_t other = rows.rank[order.waits[k]]; other < rows.first[row])
              waitFor(done[other]);
        } while (end < rows.first[row + 1] && end - rank < most &&
                 next(order.threads[rows.positions[end - 1]], order.threads[rows.positions[end]]));
        run(thread, end - rank);
        for (std::uint32_t r = rank; r < end; ++r)
          done[r].store(1, std::memory_order_release);
      }
  });
}

} // namespace pocm::cpu
