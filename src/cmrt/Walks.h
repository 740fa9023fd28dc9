//===- Walks.h - Dispatch orders and dependencies of thread spaces ------------------===//
//
// What the media walker and the scoreboard of the hardware do, as lists: in which order
// the cells of a space are dispatched, and for which neighbours a cell waits. Pure
// functions of sizes and patterns.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "cm_rt.h"
#include "runtime/Order.h"
#include <optional>
#include <vector>

namespace pocm::cmrt {

struct Cell {
  INT x = 0, y = 0;
  bool operator==(const Cell &) const = default;
};

/// The media walker: loops inside loops, each with a step; the innermost runs until it leaves its block.
struct Walker {
  Cell block; ///< Size of a block; the whole space when there is one.
  Cell start; ///< Inside the block.
  Cell inner, middle, outer;
  UINT middleSteps = 0;   ///< Extra steps of the middle loop.
  UINT outerRounds = ~0u; ///< Extra rounds of the outer loop.
  Cell space;             ///< Size of all blocks together.
  Cell globalStart, globalInner, globalOuter;
  UINT globalRounds = 0;
};
/// The walker that SelectMediaWalkingParameters describes, for at least one step in each direction it takes.
Walker walkerOf(const CM_WALKING_PARAMETERS &parameters);
/// Cells in the order in which the walker visits them; each at most once.
std::vector<Cell> walk(const Walker &walker);

/// The order of a walking pattern; none for an unknown one. Every cell, but for the D patterns, which leave a triangle
/// out.
std::optional<std::vector<Cell>> walk(CM_WALKING_PATTERN pattern, INT width, INT height);

/// The order of 26Z (even sides), and of 26ZI with its blocks.
std::vector<Cell> walk26Z(INT width, INT height);
std::vector<Cell> walk26ZI(INT width, INT height, CM_26ZI_DISPATCH_PATTERN pattern, INT blockWidth, INT blockHeight);

/// For whom a cell waits: (x + dx, y + dy). Empty for CM_NONE_DEPENDENCY; none for an unknown pattern.
std::optional<std::vector<Cell>> dependencyVectors(CM_DEPENDENCY_PATTERN pattern);
/// Which of the vectors count at a cell, bit i for vector i: without this, some patterns would wait in circles.
UINT dependencyMask(CM_DEPENDENCY_PATTERN pattern, Cell cell, INT blockWidth, INT blockHeight);

/// What such a pattern has instead of a list; none for patterns whose cells all wait for the same, and for large
/// blocks.
std::optional<runtime::Tiling> tilingOf(CM_DEPENDENCY_PATTERN pattern, Cell space, Cell block);

} // namespace pocm::cmrt
