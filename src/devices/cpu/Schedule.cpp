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
#include "devices/cpu/Relax.h"
#include "pocm/pocm.h"
#include "runtime/Fiber.h"
#include <algorithm>
#include <charconv>
#include <numeric>
#include <thread>

namespace pocm::cpu {
namespace {

/// Waits until another host thread has got so far.
template <class Count> void waitFor(const std::atomic<Count> &done, Count wanted, Share &mine) {
  constexpr int brief = 2000; // then the host may have something better to do than to watch
  if (done.load(std::memory_order_acquire) >= wanted)
    return;
  const Share::Waiting waiting(mine);
  for (int i = 0; done.load(std::memory_order_acquire) < wanted; ++i)
    if (i < brief) {
      relax();
    } else {
      runtime::Fiber::leaveIfAsked();
      std::this_thread::yield();
    }
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

std::vector<std::uint32_t> Schedule::permutation(std::uint64_t count) const {
  constexpr std::uint64_t most = 1u << 30;
  if (count > most)
    throw Error("POCM_ORDER lists threads or groups one by one; " + std::to_string(count) + " are more than " +
                std::to_string(most));
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
      run(order.threads[i], 1, 1);
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
    run(order.threads[i], 1, 1);
    for (std::uint32_t j : followers[i])
      if (--missing[j] == 0)
        ready.push_back(j);
  }
}

namespace {

/// Tiles of threads, each of which waits for the same neighbours: a single thread, where there are no tiles.
struct Wave {
  explicit Wave(const runtime::Order &order)
      : order(order), neighbours(order.tiling ? order.tiling->tiles : order.neighbours) {
    if (!order.tiling)
      return;
    tileWidth = order.tiling->width;
    tileHeight = order.tiling->height;
    width = (width - 1) / tileWidth + 1;
    height = (height - 1) / tileHeight + 1;
  }
  /// Tiles x to end - 1 of rows y to last - 1 of them, row by row.
  void run(const Schedule::Run &run, std::uint32_t x, std::uint32_t end, std::uint32_t y, std::uint32_t last) const {
    if (!order.tiling)
      return run({x, y, 0, 0}, end - x, last - y);
    for (; y < last; ++y)
      runTiles(run, x, end, y);
  }
  double weight() const { return double(tileWidth) * tileHeight; }

  const runtime::Order &order;
  const std::vector<runtime::Neighbour> &neighbours;
  std::uint32_t tileWidth = 1, tileHeight = 1;
  std::uint32_t width = order.width, height = order.height; ///< In tiles.

private:
  void runTiles(const Schedule::Run &run, std::uint32_t x, std::uint32_t end, std::uint32_t y) const {
    for (const std::uint32_t top = y * tileHeight; x < end; ++x)
      for (const runtime::Tiling::Part &part : order.tiling->parts) {
        const std::uint32_t left = x * tileWidth;
        const std::uint32_t endX = std::min(order.width, left + part.endX);
        const std::uint32_t endY = std::min(order.height, top + part.endY);
        if (left + part.firstX < endX && top + part.firstY < endY)
          run({left + part.firstX, top + part.firstY, 0, 0}, endX - left - part.firstX, endY - top - part.firstY);
      }
  }
};

/// How far a row has got: a cache line for each, as host threads are in different rows.
struct alignas(64) Progress {
  std::atomic<std::uint32_t> done{0};
};
/// How many threads of a row go in one call, and are announced in one go. Rows follow each other at that distance.
/// `weight`: threads of each of them.
std::uint32_t stepOf(std::uint32_t rowLength, double weight, const Schedule::Hosts &hosts) {
  constexpr std::uint32_t most = 64, usual = 8;
  constexpr double enough = 4000; // nanoseconds: a call is little beside it, and so long are pieces of memory
  const std::uint32_t threads = hosts.pool.threads();
  if (threads == 1)
    return most;
  const double each = hosts.cost.known() * weight;
  if (each < 0)
    return std::clamp(rowLength / (threads * usual), 1u, usual);
  const double longest = std::clamp(rowLength / (threads * 2), 1u, most);
  return std::uint32_t(std::clamp(enough / std::max(each, 1.0), 1.0, longest));
}

/// Otherwise a step may need more of the row above than is done.
bool leftOnly(const Wave &wave) {
  return std::all_of(wave.neighbours.begin(), wave.neighbours.end(),
                     [](const runtime::Neighbour &n) { return n.left >= 0; });
}

/// How many rows of a wave a host thread goes through together, a step of each in turn: others wait for the last of
/// them only, and most of what a row needs is in the own cache.
std::uint32_t bandOf(const Wave &wave, const Schedule::Hosts &hosts) {
  constexpr double enough = 10000; // nanoseconds in each column, beside which it is little to read another cache
  constexpr std::uint32_t bandsEach = 4;
  const double each = hosts.cost.known() * wave.weight();
  if (hosts.pool.threads() == 1 || each < 0 || !leftOnly(wave))
    return 1;
  const double longest = std::max(1u, wave.height / (hosts.pool.threads() * bandsEach));
  return std::uint32_t(std::clamp(enough / std::max(each, 1.0), 1.0, longest));
}

/// In what pieces a wave goes. Where many host threads want many pieces of little, those are a call and a look at what
/// others have done, not work: larger ones then, in both directions, but rather higher, as who follows begins sooner.
struct Pieces {
  std::uint32_t step, band;
};
Pieces piecesOf(const Wave &wave, const Schedule::Hosts &hosts) {
  constexpr double least = 350; // nanoseconds of work
  Pieces all{stepOf(wave.width, wave.weight(), hosts), bandOf(wave, hosts)};
  const double each = hosts.cost.known() * wave.weight();
  if (hosts.pool.threads() == 1 || each < 0)
    return all;
  const std::uint32_t mostRows = leftOnly(wave) ? wave.height : 1;
  while (each * all.step * all.band < least) {
    const bool higher = all.band < 2 * all.step && all.band < mostRows;
    if (!higher && all.step >= wave.width)
      break;
    (higher ? all.band : all.step) *= 2;
  }
  return all;
}

void runWave(const Wave &wave, Schedule::Hosts hosts, const Schedule::Run &run) {
  const std::uint32_t width = wave.width, height = wave.height;
  const auto [step, band] = piecesOf(wave, hosts);
  const std::uint32_t bands = (height + band - 1) / band;
  bool alone = hosts.pool.threads() == 1;
  std::vector<Progress> progress(alone ? 0 : bands);
  const Division division{.items = bands, .weight = double(width) * band * wave.weight(), .inOrder = true};
  hosts.pool.run(division, hosts.cost, [&](Share &mine) {
    while (Items some = mine.next()) {
      const std::uint32_t own = some.begin, first = own * band, last = std::min(height, first + band);
      for (std::uint32_t x = 0, end; x < width; x = end) {
        end = std::min(width, x + step);
        for (const runtime::Neighbour &n : wave.neighbours) {
          // Of the last thread of these; those whose neighbour lies outside of the space wait for less.
          std::int64_t need = std::min<std::int64_t>(width, std::int64_t(end) - n.left);
          const auto up = std::uint32_t(n.up);
          if (alone || n.up <= 0 || up >= last || need <= 0 || std::int64_t(x) - n.left >= width)
            continue;
          for (std::uint32_t above = (std::max(first, up) - up) / band; above <= (last - 1 - up) / band && above < own;
               ++above)
            waitFor(progress[above].done, std::uint32_t(need), mine);
        }
        wave.run(run, x, end, first, last);
        if (!alone)
          progress[own].done.store(end, std::memory_order_release);
      }
    }
  });
}

} // namespace

void Schedule::run(const runtime::Order &order, bool alike, Hosts hosts, const Run &run) const {
  auto count = std::uint32_t(order.threads.size());
  if (asked())
    return order.isListed() ? runAsAsked(order, run) : runAsAsked(runtime::listed(order), run);
  if (!order.isListed())
    return runWave(Wave(order), hosts, run);
  if (!order.rows.threads.empty())
    return runByRows(order.rows, alike, hosts, run);
  if (hosts.pool.threads() == 1) {
    for (std::uint32_t i = 0; i < count; ++i)
      run(order.threads[i], 1, 1);
    return;
  }
  if (order.waits.empty())
    return runFreely(order, hosts, run);
  std::vector<std::atomic<std::uint8_t>> done(count);
  hosts.pool.run({.items = count, .inOrder = true}, hosts.cost, [&](Share &mine) {
    while (Items one = mine.next()) {
      const std::uint32_t i = one.begin;
      for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k)
        waitFor<std::uint8_t>(done[order.waits[k]], 1, mine);
      run(order.threads[i], 1, 1);
      done[i].store(1, std::memory_order_release);
    }
  });
}

void Schedule::runFreely(const runtime::Order &order, Hosts hosts, const Run &run) {
  hosts.pool.run({.items = std::uint32_t(order.threads.size())}, hosts.cost, [&](Share &mine) {
    while (Items some = mine.next())
      for (std::uint32_t i = some.begin; i < some.end; ++i)
        run(order.threads[i], 1, 1);
  });
}

void Schedule::runByRows(const runtime::Rows &rows, bool alike, Hosts hosts, const Run &run) {
  auto height = std::uint32_t(rows.first.size() - 1);
  bool alone = hosts.pool.threads() == 1;
  const std::uint32_t most = stepOf(std::uint32_t(rows.threads.size() / height), 1, hosts);
  auto follows = [&](const runtime::ListedThread &a, const runtime::ListedThread &b) {
    return alike && b.x == a.x + 1 && b.color == a.color;
  };
  std::vector<Progress> progress(height);
  const Division division{.items = height, .weight = double(rows.threads.size()) / height, .inOrder = true};
  hosts.pool.run(division, hosts.cost, [&](Share &mine) {
    while (Items some = mine.next()) {
      const std::uint32_t row = some.begin;
      const std::uint32_t begin = rows.first[row], rowEnd = rows.first[row + 1];
      for (std::uint32_t i = begin, end; i < rowEnd; i = end) {
        for (end = i + 1; end < std::min(rowEnd, i + most) && follows(rows.threads[end - 1], rows.threads[end]);)
          ++end;
        for (std::uint32_t k = rows.firstNeed[i]; !alone && k < rows.firstNeed[end]; ++k)
          waitFor(progress[rows.needs[k].row].done, rows.needs[k].count, mine);
        run(rows.threads[i], end - i, 1);
        progress[row].done.store(end - begin, std::memory_order_release);
      }
    }
  });
}

} // namespace pocm::cpu
