//===- Reach.cpp - Which threads of an ordered launch come before which ------------===//
#include "devices/check/Reach.h"
#include <algorithm>

namespace pocm::check {

Reach::Reach(const runtime::Order &order) : width(order.width), neighbours(order.neighbours) {
  if (order.tiling) {
    *this = Reach(listed(order));
    return;
  }
  if (!any() && order.first.empty())
    return;
  position.resize(neighbours.empty() ? std::size_t(order.width) * order.height : 0);
  for (std::uint32_t i = 0; i < order.threads.size(); ++i)
    position[std::size_t(order.threads[i].y) * width + order.threads[i].x] = i;
  first = order.first;
  waits = order.waits;
  seen.resize(order.threadCount());
  stack.reserve(order.threadCount());
}

/// Whether `visit` is true of one of those that a thread waits for itself.
template <class Do> bool Reach::anyBefore(std::uint32_t at, Do visit) const {
  if (neighbours.empty())
    return std::any_of(waits.begin() + first[at], waits.begin() + first[at + 1], visit);
  const std::int64_t x = at % width, y = at / width;
  return std::any_of(neighbours.begin(), neighbours.end(), [&](const runtime::Neighbour &n) {
    const std::int64_t left = x - n.left, above = y - n.up;
    return left >= 0 && left < width && above >= 0 && visit(std::uint32_t(above * width + left));
  });
}

bool Reach::waitsFor(std::uint32_t x, std::uint32_t y, std::uint32_t otherX, std::uint32_t otherY) const {
  for (const runtime::Neighbour &n : neighbours) // most ask for one
    if (x == otherX + std::uint32_t(n.left) && y == otherY + std::uint32_t(n.up))
      return true;
  auto positionOf = [&](std::uint32_t column, std::uint32_t row) {
    const std::size_t place = std::size_t(row) * width + column;
    return neighbours.empty() ? position[place] : std::uint32_t(place);
  };
  const std::uint32_t from = positionOf(x, y), to = positionOf(otherX, otherY);
  if (to > from)
    return false; // threads wait for earlier ones only
  ++round;
  stack.clear();
  stack.push_back(from);
  while (!stack.empty()) { // each thread once, so the stack has room
    std::uint32_t at = stack.back();
    stack.pop_back();
    auto isIt = [&](std::uint32_t before) {
      if (before > to && seen[before] != round) {
        seen[before] = round;
        stack.push_back(before);
      }
      return before == to;
    };
    if (anyBefore(at, isIt))
      return true;
  }
  return false;
}

} // namespace pocm::check
