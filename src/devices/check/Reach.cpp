//===- Reach.cpp - Which threads of an ordered launch come before which ------------===//
#include "devices/check/Reach.h"

namespace pocm::check {

Reach::Reach(const runtime::Order &given) {
  runtime::Order copy;
  if (!given.neighbours.empty())
    copy = runtime::listed(given);
  const runtime::Order &order = given.neighbours.empty() ? given : copy;
  if (order.first.empty())
    return;
  width = order.width;
  position.resize(std::size_t(order.width) * order.height);
  for (std::uint32_t i = 0; i < order.threads.size(); ++i)
    position[std::size_t(order.threads[i].y) * width + order.threads[i].x] = i;
  first = order.first;
  waits = order.waits;
  seen.resize(order.threads.size());
  stack.reserve(order.threads.size());
}

bool Reach::waitsFor(std::uint32_t x, std::uint32_t y, std::uint32_t otherX, std::uint32_t otherY) const {
  std::uint32_t from = position[std::size_t(y) * width + x], to = position[std::size_t(otherY) * width + otherX];
  if (to > from)
    return false; // threads wait for earlier ones only
  ++round;
  stack.clear();
  stack.push_back(from);
  while (!stack.empty()) { // each thread once, so the stack has room
    std::uint32_t at = stack.back();
    stack.pop_back();
    for (std::uint32_t k = first[at]; k < first[at + 1]; ++k) {
      std::uint32_t before = waits[k];
      if (before == to)
        return true;
      if (before < to || seen[before] == round)
        continue;
      seen[before] = round;
      stack.push_back(before);
    }
  }
  return false;
}

} // namespace pocm::check
