//===- Reach.h - Which threads of an ordered launch come before which ---------------===//
#pragma once

#include "runtime/Order.h"
#include <cstdint>
#include <vector>

namespace pocm::check {

/// Whether a thread has to wait, directly or not, for another. Asked while the launch runs: takes no memory then.
class Reach {
public:
  Reach() = default;
  explicit Reach(const runtime::Order &order);
  /// Whether any thread waits for another.
  bool any() const { return !first.empty() || !neighbours.empty(); }
  bool waitsFor(std::uint32_t x, std::uint32_t y, std::uint32_t otherX, std::uint32_t otherY) const;

private:
  template <class Do> bool anyBefore(std::uint32_t at, Do visit) const;

  std::uint32_t width = 0;
  std::vector<std::uint32_t> position, first, waits; ///< `position` in the order by place; as Order has them.
  /// Instead of those, where all wait for the same neighbours: positions are row by row.
  std::vector<runtime::Neighbour> neighbours;
  mutable std::vector<std::uint32_t> seen, stack;
  mutable std::uint32_t round = 0;
};

} // namespace pocm::check
