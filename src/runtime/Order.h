//===- Order.h - Threads one by one, and who waits for whom ------------------------===//
//
// Most launches are rectangles of threads in any order. A launch with dependencies, a
// walk, colours or arguments of single threads has its threads listed instead.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pocm::runtime {

/// A thread of a listed launch: where it is, its colour, and which block of arguments it gets (Launch::blocks).
struct ListedThread {
  std::uint32_t x = 0, y = 0, color = 0, block = 0;
  bool operator==(const ListedThread &) const = default;
};

/// An order's threads row by row: a host thread that keeps to a row streams through the surfaces and finds most of what
/// it depends on in its own cache.
struct Rows {
  /// A thread goes when this many threads of a higher row are done.
  struct Need {
    std::uint32_t row, count;
  };
  std::vector<ListedThread> threads;
  std::vector<std::uint32_t> first; ///< Where each row begins, and the end.
  /// Thread i needs needs[firstNeed[i]] to needs[firstNeed[i + 1] - 1], and what comes before it in its row.
  std::vector<std::uint32_t> firstNeed;
  std::vector<Need> needs;
};

/// A thread waits for the one `left` columns before it and `up` rows above it. Both at least 0, one of them not.
struct Neighbour {
  std::int32_t left = 0, up = 0; ///< `left` may be negative when `up` is not 0.
  bool operator==(const Neighbour &) const = default;
};

/// A space in tiles, the last of a row or column cut off where the space ends. Threads wait for others as their place
/// in the tile says. Rows of tiles from the left, and what a tile has part by part, is an order that honours that.
///
///     0 2 | 4 6       two parts, the columns; thread 2 waits for what lies to the left, to the left and above,
///     1 3 | 5 7       and so on, as far as the mask of its place (1, 0) has them
struct Tiling {
  /// Threads of a tile, row by row: first <= x < end.
  struct Part {
    std::uint32_t firstX, endX, firstY, endY;
  };
  std::uint32_t width = 1, height = 1;
  std::vector<Part> parts;
  std::vector<Neighbour> waits;    ///< At most 8. `up` may be negative inside of a tile, or for a tile to the left.
  std::vector<std::uint8_t> masks; ///< Of the places of a tile, row by row. Bit i: of waits[i].
  std::vector<Neighbour> tiles;    ///< Which tiles a tile waits for: tileWaits().
  std::uint8_t maskAt(std::uint32_t x, std::uint32_t y) const { return masks[(y % height) * width + x % width]; }
};

/// Which tiles a tile waits for, so that all waits are honoured; not itself.
std::vector<Neighbour> tileWaits(const Tiling &tiling);

/// Threads in an order in which they may run one by one. Each waits for earlier ones to finish.
struct Order {
  std::uint32_t width = 1, height = 1; ///< Of the thread space.
  std::vector<ListedThread> threads;
  /// Thread i waits for the threads waits[first[i]] to waits[first[i + 1] - 1], all smaller than i. Both empty: nobody
  /// waits.
  std::vector<std::uint32_t> first, waits;
  Rows rows; ///< Empty when nobody waits, or somebody for a lower row.
  /// Instead of all lists: every thread of the space, each waiting for the same neighbours as far as they are in the
  /// space. Row by row from the left is an order that honours them.
  std::vector<Neighbour> neighbours;
  /// The same, each for those that its place in a tile says.
  std::optional<Tiling> tiling;
  bool isListed() const { return neighbours.empty() && !tiling; }
  std::uint64_t threadCount() const { return isListed() ? threads.size() : std::uint64_t(width) * height; }
};

/// The order with lists instead. Throws Error for more threads than can be listed.
Order listed(const Order &order);

/// Puts threads into an order that honours `waitsOf[i]`, positions in `threads` that thread i waits for: the given
/// order as far as it does, else the earliest thread that may run. Where threads wait for each other in a circle, the
/// first of them waits for none that comes later.
Order listThreads(std::vector<ListedThread> threads, const std::vector<std::vector<std::uint32_t>> &waitsOf);

} // namespace pocm::runtime
