//===- Order.cpp - Threads one by one, and who waits for whom ----------------------===//
#include "runtime/Order.h"
#include "pocm/pocm.h"
#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace pocm::runtime {
namespace {

/// Positions in an order that honours the waits.
std::vector<std::uint32_t> sorted(const std::vector<std::vector<std::uint32_t>> &waitsOf) {
  auto count = std::uint32_t(waitsOf.size());
  std::vector<std::uint32_t> order, missing(count);
  std::vector<std::vector<std::uint32_t>> followers(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    missing[i] = std::uint32_t(waitsOf[i].size());
    for (std::uint32_t j : waitsOf[i])
      followers[j].push_back(i);
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < count; ++i)
    if (!missing[i])
      ready.push(i);
  std::vector<bool> listed(count);
  std::uint32_t firstUnlisted = 0;
  while (order.size() < count) {
    if (ready.empty()) { // a circle: hardware lets a thread wait only for those dispatched before it
      while (listed[firstUnlisted])
        ++firstUnlisted;
      ready.push(firstUnlisted);
    }
    std::uint32_t i = ready.top();
    ready.pop();
    if (listed[i])
      continue;
    listed[i] = true;
    order.push_back(i);
    for (std::uint32_t j : followers[i])
      if (--missing[j] == 0)
        ready.push(j);
  }
  return order;
}

bool inOrder(const std::vector<std::vector<std::uint32_t>> &waitsOf) {
  for (std::uint32_t i = 0; i < waitsOf.size(); ++i)
    for (std::uint32_t j : waitsOf[i])
      if (j >= i)
        return false;
  return true;
}

/// Rows can be walked one after another only when nobody waits for a lower one.
bool waitsUpwards(const Order &order) {
  for (std::uint32_t i = 0; i < order.threads.size(); ++i)
    for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k)
      if (order.threads[order.waits[k]].y > order.threads[i].y)
        return false;
  return true;
}

Rows rowsOf(const Order &order) {
  auto count = std::uint32_t(order.threads.size());
  std::uint32_t height = 0;
  for (const ListedThread &thread : order.threads)
    height = std::max(height, thread.y + 1);
  Rows rows;
  rows.first.resize(height + 1);
  for (const ListedThread &thread : order.threads)
    ++rows.first[thread.y + 1];
  std::partial_sum(rows.first.begin(), rows.first.end(), rows.first.begin());
  std::vector<std::uint32_t> next = rows.first, byRow(count), place(count); // in the order; in its row, from 1
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t y = order.threads[i].y;
    byRow[next[y]++] = i;
    place[i] = next[y] - rows.first[y];
  }
  rows.threads.reserve(count);
  rows.firstNeed.reserve(count + 1);
  rows.needs.reserve(order.waits.size());
  for (std::uint32_t i : byRow) {
    rows.threads.push_back(order.threads[i]);
    rows.firstNeed.push_back(std::uint32_t(rows.needs.size()));
    for (std::uint32_t k = order.first[i]; k < order.first[i + 1]; ++k) {
      std::uint32_t other = order.waits[k], row = order.threads[other].y;
      if (row == order.threads[i].y)
        continue;
      auto known = std::find_if(rows.needs.begin() + rows.firstNeed.back(), rows.needs.end(),
                                [&](const Rows::Need &need) { return need.row == row; });
      if (known == rows.needs.end())
        rows.needs.push_back({row, place[other]});
      else
        known->count = std::max(known->count, place[other]);
    }
  }
  rows.firstNeed.push_back(std::uint32_t(rows.needs.size()));
  return rows;
}

} // namespace

std::vector<Neighbour> tileWaits(const Tiling &tiling) {
  auto tileOf = [](std::int64_t at, std::uint32_t side) {
    return std::int32_t(at >= 0 ? at / side : -((side - 1 - at) / std::int64_t(side)));
  };
  std::vector<Neighbour> all;
  for (std::uint32_t y = 0; y < tiling.height; ++y)
    for (std::uint32_t x = 0; x < tiling.width; ++x)
      for (std::size_t i = 0; i < tiling.waits.size(); ++i) {
        if (!(tiling.maskAt(x, y) >> i & 1))
          continue;
        const Neighbour &n = tiling.waits[i];
        const Neighbour tile{-tileOf(std::int64_t(x) - n.left, tiling.width),
                             -tileOf(std::int64_t(y) - n.up, tiling.height)};
        if ((tile.left || tile.up) && std::ranges::find(all, tile) == all.end())
          all.push_back(tile);
      }
  return all;
}

Order listed(const Order &order) {
  constexpr std::uint64_t most = 1u << 24;
  if (order.isListed())
    return order;
  if (order.threadCount() > most)
    throw Error(std::to_string(order.threadCount()) + " threads cannot be listed one by one; at most " +
                std::to_string(most));
  auto width = std::int64_t(order.width);
  std::vector<ListedThread> threads;
  std::vector<std::vector<std::uint32_t>> waitsOf;
  for (std::uint32_t y = 0; y < order.height; ++y)
    for (std::uint32_t x = 0; x < order.width; ++x) {
      threads.push_back({x, y, 0, std::uint32_t(threads.size())});
      auto &mine = waitsOf.emplace_back();
      const unsigned mask = order.tiling ? order.tiling->maskAt(x, y) : ~0u;
      const std::vector<Neighbour> &all = order.tiling ? order.tiling->waits : order.neighbours;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (std::int64_t column = std::int64_t(x) - all[i].left, row = std::int64_t(y) - all[i].up;
            (i >= 8 || mask >> i & 1) && column >= 0 && column < width && row >= 0 && row < order.height)
          mine.push_back(std::uint32_t(row * width + column));
    }
  Order list = listThreads(std::move(threads), waitsOf);
  list.width = order.width;
  list.height = order.height;
  return list;
}

Order listThreads(std::vector<ListedThread> threads, const std::vector<std::vector<std::uint32_t>> &waitsOf) {
  Order order;
  std::size_t waits = 0;
  for (const auto &each : waitsOf)
    waits += each.size();
  if (waits == 0) {
    order.threads = std::move(threads);
    return order;
  }
  std::vector<std::uint32_t> positions(threads.size());
  std::iota(positions.begin(), positions.end(), 0);
  if (!inOrder(waitsOf))
    positions = sorted(waitsOf);
  std::vector<std::uint32_t> place(threads.size());
  for (std::uint32_t k = 0; k < positions.size(); ++k)
    place[positions[k]] = k;
  order.threads.reserve(threads.size());
  order.first.reserve(threads.size() + 1);
  order.waits.reserve(waits);
  for (std::uint32_t k = 0; k < positions.size(); ++k) {
    order.threads.push_back(threads[positions[k]]);
    order.first.push_back(std::uint32_t(order.waits.size()));
    for (std::uint32_t j : waitsOf[positions[k]])
      if (place[j] < k)
        order.waits.push_back(place[j]);
  }
  order.first.push_back(std::uint32_t(order.waits.size()));
  if (waitsUpwards(order))
    order.rows = rowsOf(order);
  return order;
}

} // namespace pocm::runtime
