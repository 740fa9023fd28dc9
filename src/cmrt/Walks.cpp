//===- Walks.cpp - Dispatch orders and dependencies of thread spaces ----------------===//
#include "cmrt/Walks.h"
#include <algorithm>

namespace pocm::cmrt {
namespace {

Cell operator+(Cell a, Cell b) { return {a.x + b.x, a.y + b.y}; }

bool inside(Cell c, Cell size) { return c.x >= 0 && c.y >= 0 && c.x < size.x && c.y < size.y; }

/// Whether a block at this position has a part in the space.
bool touches(Cell at, Cell block, Cell space) {
  return at.x < space.x && at.y < space.y && at.x + block.x > 0 && at.y + block.y > 0;
}

/// A line that begins outside on the side from which its steps come enters where it first gets in.
Cell entered(Cell at, Cell step, Cell extent, Cell space) {
  auto before = [&](INT position, INT size, INT extentHere, INT stepHere) {
    return (position >= size && stepHere < 0) || (position + extentHere <= 0 && stepHere > 0);
  };
  while (before(at.x, space.x, extent.x, step.x) || before(at.y, space.y, extent.y, step.y))
    at = at + step;
  return at;
}

constexpr Cell onePoint{1, 1};
/// Parameters may describe a walk that goes over the same cells again and again.
constexpr std::size_t mostSteps = 1u << 27;

/// Cells that a walk has listed already.
class Visited {
public:
  explicit Visited(Cell size) : size(size), cells(std::size_t(size.x) * std::size_t(size.y)) {}
  bool has(Cell c) const { return cells[at(c)]; }
  /// False when it was there before.
  bool add(Cell c) {
    if (!inside(c, size) || cells[at(c)])
      return false;
    cells[at(c)] = true;
    return true;
  }

private:
  std::size_t at(Cell c) const { return std::size_t(c.y) * std::size_t(size.x) + std::size_t(c.x); }
  Cell size;
  std::vector<bool> cells;
};

void walkBlock(const Walker &w, Cell corner, Visited &visited, std::vector<Cell> &cells, std::size_t &steps) {
  Cell line = w.start;
  for (UINT round = 0; steps < mostSteps; ++round, line = line + w.outer) {
    ++steps;
    line = entered(line, w.inner, onePoint, w.block);
    if (!inside(line, w.block))
      return;
    Cell middle = line;
    for (UINT step = 0; step <= w.middleSteps && inside(middle, w.block); ++step, middle = middle + w.middle)
      for (Cell c = middle; inside(c, w.block); c = c + w.inner) {
        if (visited.add(corner + c))
          cells.push_back(corner + c);
        ++steps;
        if (w.inner == Cell{})
          break;
      }
    if (round == w.outerRounds || w.outer == Cell{})
      return;
  }
}

Walker plain(INT width, INT height) {
  Walker w;
  w.block = w.space = {width, height};
  w.globalOuter = {width, 0};
  w.globalInner = {0, height};
  return w;
}

std::vector<Cell> rows(INT width, INT height) {
  Walker w = plain(width, height);
  w.inner = {1, 0};
  w.outer = {0, 1};
  return walk(w);
}

} // namespace

std::vector<Cell> walk(const Walker &w) {
  std::vector<Cell> cells;
  Visited visited(w.space);
  std::size_t steps = 0;
  Cell line = w.globalStart;
  for (UINT round = 0; steps < mostSteps; ++round, line = line + w.globalOuter) {
    line = entered(line, w.globalInner, w.block, w.space);
    if (!touches(line, w.block, w.space))
      break;
    for (Cell corner = line; touches(corner, w.block, w.space) && steps < mostSteps; corner = corner + w.globalInner) {
      walkBlock(w, corner, visited, cells, steps);
      if (w.globalInner == Cell{})
        break;
    }
    if (round == w.globalRounds || w.globalOuter == Cell{})
      break;
  }
  return cells;
}

Walker walkerOf(const CM_WALKING_PARAMETERS &parameters) {
  const DWORD *v = parameters.Value;
  auto pair = [](DWORD d) { return Cell{INT(std::int16_t(d & 0xFFFF)), INT(std::int16_t(d >> 16))}; };
  auto size = [](DWORD d) { return Cell{INT(d & 0x7FFF), INT(d >> 16 & 0x7FFF)}; };
  constexpr DWORD rounds = 0xFFF;
  Walker w;
  // Word 1: middle unit x in bits 8 and 9, y in 12 and 13, both signed; extra middle steps in 16 to 20.
  auto field = [](DWORD d, int from, int bits) {
    auto value = INT(d >> from & ((1u << bits) - 1));
    return value >= 1 << (bits - 1) ? value - (1 << bits) : value;
  };
  w.middle = {field(v[1], 8, 2), field(v[1], 12, 2)};
  w.middleSteps = v[1] >> 16 & 0x1F;
  w.outerRounds = v[2] & rounds;
  w.globalRounds = v[2] >> 16 & rounds;
  w.block = size(v[3]);
  w.start = pair(v[4]);
  w.outer = pair(v[6]);
  w.inner = pair(v[7]);
  w.space = size(v[8]);
  w.globalStart = pair(v[9]);
  w.globalOuter = pair(v[10]);
  w.globalInner = pair(v[11]);
  return w;
}

std::optional<std::vector<Cell>> walk(CM_WALKING_PATTERN pattern, INT width, INT height) {
  struct Row {
    CM_WALKING_PATTERN pattern;
    Cell inner, middle, outer;
    bool fromTheRight; // starts at (width, 0)
  };
  static constexpr Row rowsOf[] = {
      {CM_WALK_DEFAULT, {1, 0}, {}, {0, 1}, false},      {CM_WALK_HORIZONTAL, {1, 0}, {}, {0, 1}, false},
      {CM_WALK_WAVEFRONT, {-1, 1}, {}, {1, 0}, false},   {CM_WALK_WAVEFRONT26, {-2, 1}, {}, {1, 0}, false},
      {CM_WALK_VERTICAL, {0, 1}, {}, {1, 0}, false},     {CM_WALK_WAVEFRONT26X, {-2, 2}, {0, 1}, {1, 0}, false},
      {CM_WALK_WAVEFRONT45D, {-1, 1}, {}, {1, 0}, true}, {CM_WALK_WAVEFRONT45XD_2, {-1, 2}, {0, 1}, {1, 0}, true},
  };
  Walker w = plain(width, height);
  bool known = false;
  if (pattern == CM_WALK_WAVEFRONT26ZIG) {
    known = true;
    w.block = {2, 2};
    w.inner = {1, 0};
    w.outer = {0, 1};
    w.globalInner = {-4, 2};
    w.globalOuter = {2, 0};
    w.globalRounds = ~0u;
  }
  for (const Row &row : rowsOf)
    if (row.pattern == pattern) {
      known = true;
      w.inner = row.inner;
      w.middle = row.middle;
      w.middleSteps = row.middle == Cell{} ? 0 : 1;
      w.outer = row.outer;
      w.start = {row.fromTheRight ? width : 0, 0};
    }
  if (!known)
    return std::nullopt;
  std::vector<Cell> cells = walk(w);
  bool leavesOut = pattern == CM_WALK_WAVEFRONT45D || pattern == CM_WALK_WAVEFRONT45XD_2;
  // In a narrow space the lines of some walks miss rows.
  if (!leavesOut && cells.size() != std::size_t(width) * std::size_t(height))
    return rows(width, height);
  return cells;
}

std::vector<Cell> walk26Z(INT width, INT height) {
  const std::vector<Cell> before[2][2] = {// [y odd][x odd]
                                          {{{-1, 1}, {-1, 0}, {0, -1}, {1, -1}}, {{-1, 0}, {0, -1}, {1, -1}}},
                                          {{{-1, 0}, {0, -1}, {1, -1}}, {{-1, 0}, {0, -1}}}};
  Cell size{width, height};
  std::vector<Cell> cells;
  Visited visited(size);
  std::vector<INT> next(size_t(width), 0); // the first cell of each column that is not listed
  auto ready = [&](Cell c) {
    for (Cell d : before[c.y % 2][c.x % 2])
      if (inside(c + d, size) && !visited.has(c + d))
        return false;
    return true;
  };
  std::size_t all = std::size_t(width) * std::size_t(height);
  while (cells.size() < all) {
    std::vector<Cell> wave;
    for (INT x = 0; x < width; ++x)
      if (Cell c{x, next[std::size_t(x)]}; c.y < height && ready(c))
        wave.push_back(c);
    for (Cell c : wave) {
      visited.add(c);
      ++next[std::size_t(c.x)];
      cells.push_back(c);
    }
  }
  return cells;
}

namespace {

/// Lists the cells of blocks for 26ZI: even columns are vertical edges, odd ones horizontal.
class BlockEdges {
public:
  BlockEdges(Cell space, Cell block) : space(space), block(block) {}
  void vertical(Cell at) {
    for (INT x = 0; x < block.x; x += 2)
      column(at, x);
  }
  void column(Cell at, INT x) {
    for (INT y = 0; y < block.y; ++y)
      list(at, {x, y});
  }
  void oddColumns(Cell at) {
    for (INT x = 1; x < block.x; x += 2)
      column(at, x);
  }
  void horizontal(Cell at) {
    for (INT y = 0; y < block.y; ++y)
      row(at, y);
  }
  void row(Cell at, INT y) {
    for (INT x = 1; x < block.x; x += 2)
      list(at, {x, y});
  }
  std::vector<Cell> cells;

private:
  void list(Cell at, Cell c) {
    if (Cell where{at.x * block.x + c.x, at.y * block.y + c.y}; inside(where, space))
      cells.push_back(where);
  }
  Cell space, block;
};

/// Blocks that may go together: each two to the right of and one above the one before.
std::vector<std::vector<Cell>> blockWaves(Cell blocks) {
  std::vector<std::vector<Cell>> waves;
  for (INT n = 0;; ++n) {
    bool left = n < 2 * blocks.y;
    Cell at = left ? Cell{n & 1, n / 2} : Cell{n - 2 * blocks.y + 2, blocks.y - 1};
    if (!left && at.x >= blocks.x)
      return waves;
    std::vector<Cell> wave;
    for (; at.y >= 0; at = at + Cell{2, -1})
      if (inside(at, blocks))
        wave.push_back(at);
    waves.push_back(wave);
  }
}

} // namespace

std::vector<Cell> walk26ZI(INT width, INT height, CM_26ZI_DISPATCH_PATTERN pattern, INT blockWidth, INT blockHeight) {
  Cell block{blockWidth, blockHeight};
  Cell blocks{(width + blockWidth - 1) / blockWidth, (height + blockHeight - 1) / blockHeight};
  BlockEdges edges({width, height}, block);
  if (pattern == VVERTICAL_HVERTICAL_26 || pattern == VVERTICAL_HHORIZONTAL_26) {
    Visited done(blocks);
    for (Cell start : rows(blocks.x, blocks.y))
      for (Cell at = start; inside(at, blocks); at = at + Cell{-2, 1}) {
        if (!done.add(at))
          continue;
        edges.vertical(at);
        if (pattern == VVERTICAL_HVERTICAL_26)
          edges.oddColumns(at);
        else
          edges.horizontal(at);
      }
    return std::move(edges.cells);
  }
  for (const std::vector<Cell> &wave : blockWaves(blocks)) {
    if (pattern == VVERTICAL26_HHORIZONTAL26) {
      for (Cell at : wave)
        edges.vertical(at);
      for (Cell at : wave)
        edges.horizontal(at);
      continue;
    }
    for (INT x = 0; x < blockWidth; x += 2)
      for (Cell at : wave)
        edges.column(at, x);
    for (INT y = 0; y < blockHeight; ++y)
      for (Cell at : wave)
        edges.row(at, y);
  }
  return std::move(edges.cells);
}

std::optional<std::vector<Cell>> dependencyVectors(CM_DEPENDENCY_PATTERN pattern) {
  switch (pattern) {
  case CM_NONE_DEPENDENCY:
    return std::vector<Cell>{};
  case CM_WAVEFRONT:
    return std::vector<Cell>{{-1, 0}, {-1, -1}, {0, -1}};
  case CM_WAVEFRONT26:
    return std::vector<Cell>{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  case CM_VERTICAL_WAVE:
    return std::vector<Cell>{{-1, 0}};
  case CM_HORIZONTAL_WAVE:
    return std::vector<Cell>{{0, -1}};
  case CM_WAVEFRONT26Z:
  case CM_WAVEFRONT26ZIG:
    return std::vector<Cell>{{-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  case CM_WAVEFRONT26X:
    return std::vector<Cell>{{-1, 3}, {-1, 1}, {-1, -1}, {0, -1}, {0, -2}, {0, -3}, {1, -3}};
  case CM_WAVEFRONT26ZI:
    return std::vector<Cell>{{-1, 1}, {-2, 0}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
  }
  return std::nullopt;
}

UINT dependencyMask(CM_DEPENDENCY_PATTERN pattern, Cell c, INT blockWidth, INT blockHeight) {
  constexpr UINT all = 0xFF;
  switch (pattern) {
  case CM_WAVEFRONT26Z:
  case CM_WAVEFRONT26ZIG:
    return c.x % 2 && c.y % 2 ? 0x0E : c.x % 2 || c.y % 2 ? 0x1E : all;
  case CM_WAVEFRONT26X:
    return c.y % 4 == 3 ? 0x3C : c.y % 4 ? 0x7E : all;
  case CM_WAVEFRONT26ZI: {
    INT tx = c.x % blockWidth, ty = c.y % blockHeight;
    bool last = ty == blockHeight - 1;
    if (tx == 0 || (tx == blockWidth - 1 && blockWidth % 2 == 0))
      return last ? 0x1E : ty == 0 ? 0x3F : 0x1F;
    if (tx == blockWidth - 1)
      return ty == 0 ? 0x1A : 0x12;
    if (tx % 2)
      return last ? 0x7E : all;
    return ty == 0 ? 0x3A : 0x12;
  }
  default:
    return all;
  }
}

std::optional<runtime::Tiling> tilingOf(CM_DEPENDENCY_PATTERN pattern, Cell space, Cell block) {
  constexpr std::int64_t most = 1 << 16; // cells of a tile
  constexpr Cell pair{2, 2}, column{1, 4};
  Cell size;
  switch (pattern) {
  case CM_WAVEFRONT26Z:
  case CM_WAVEFRONT26ZIG:
    size = pair;
    break;
  case CM_WAVEFRONT26X:
    size = column;
    break;
  case CM_WAVEFRONT26ZI:
    size = {std::min(block.x, space.x), std::min(block.y, space.y)};
    break;
  default:
    return std::nullopt;
  }
  if (std::int64_t(size.x) * size.y > most)
    return std::nullopt;
  runtime::Tiling tiling;
  tiling.width = UINT(size.x);
  tiling.height = UINT(size.y);
  if (pattern == CM_WAVEFRONT26ZI) // vertical edges, then horizontal ones
    for (UINT first : {0u, 1u})
      for (UINT x = first; x < tiling.width; x += 2)
        tiling.parts.push_back({x, x + 1, 0, tiling.height});
  else
    tiling.parts.push_back({0, tiling.width, 0, tiling.height});
  const std::vector<Cell> vectors = *dependencyVectors(pattern);
  for (Cell v : vectors)
    tiling.waits.push_back({-v.x, -v.y});
  for (Cell c; c.y < size.y; ++c.y)
    for (c.x = 0; c.x < size.x; ++c.x) {
      UINT mask = dependencyMask(pattern, c, block.x, block.y);
      for (UINT i = 0; i < vectors.size(); ++i) // of a block that the space cuts off, some lead out of it
        if (Cell other = c + vectors[i];
            (size.x == space.x && other.x >= space.x) || (size.y == space.y && other.y >= space.y))
          mask &= ~(1u << i);
      tiling.masks.push_back(std::uint8_t(mask));
    }
  tiling.tiles = tileWaits(tiling);
  return tiling;
}

} // namespace pocm::cmrt
