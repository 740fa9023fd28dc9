// Dispatch orders and dependencies of thread spaces as lists, against the orders worked out in the runtime reference
// (chapter 15.7) and against what every order must have.
#include "cmrt/Walks.h"
#include "runtime/Order.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using namespace pocm;
using namespace pocm::cmrt;

/// The number of each cell in the order, row by row; - for a cell that is left out.
std::string numbers(const std::vector<Cell> &cells, INT width, INT height) {
  std::vector<std::string> text(std::size_t(width * height), "-");
  for (std::size_t i = 0; i < cells.size(); ++i)
    text[std::size_t(cells[i].y * width + cells[i].x)] = std::to_string(i);
  std::ostringstream out;
  for (INT y = 0; y < height; ++y)
    for (INT x = 0; x < width; ++x)
      out << (x ? " " : y ? " / " : "") << text[std::size_t(y * width + x)];
  return out.str();
}

TEST(Walks, ordersWorkedOut) {
  auto order = [](CM_WALKING_PATTERN pattern) { return numbers(*walk(pattern, 6, 4), 6, 4); };
  const char *lines = "0 1 2 3 4 5 / 6 7 8 9 10 11 / 12 13 14 15 16 17 / 18 19 20 21 22 23";
  EXPECT_EQ(order(CM_WALK_DEFAULT), lines);
  EXPECT_EQ(order(CM_WALK_HORIZONTAL), lines);
  EXPECT_EQ(order(CM_WALK_VERTICAL), "0 4 8 12 16 20 / 1 5 9 13 17 21 / 2 6 10 14 18 22 / 3 7 11 15 19 23");
  EXPECT_EQ(order(CM_WALK_WAVEFRONT), "0 1 3 6 10 14 / 2 4 7 11 15 18 / 5 8 12 16 19 21 / 9 13 17 20 22 23");
  EXPECT_EQ(order(CM_WALK_WAVEFRONT26), "0 1 2 4 6 9 / 3 5 7 10 12 15 / 8 11 13 16 18 20 / 14 17 19 21 22 23");
  EXPECT_EQ(order(CM_WALK_WAVEFRONT26X), "0 2 4 8 12 16 / 1 3 6 10 14 18 / 5 9 13 17 20 22 / 7 11 15 19 21 23");
  EXPECT_EQ(order(CM_WALK_WAVEFRONT26ZIG), "0 1 4 5 8 9 / 2 3 6 7 10 11 / 12 13 16 17 20 21 / 14 15 18 19 22 23");
  EXPECT_EQ(order(CM_WALK_WAVEFRONT45D), "- - - - - - / - - - - - 0 / - - - - 1 3 / - - - 2 4 5");
  EXPECT_EQ(order(CM_WALK_WAVEFRONT45XD_2), "- - - - - - / - - - - - - / - - - - - 0 / - - - - - 1");
  EXPECT_FALSE(walk(CM_WALKING_PATTERN(39), 6, 4));
  EXPECT_EQ(numbers(walk26Z(6, 4), 6, 4), "0 1 5 6 11 13 / 2 3 7 9 15 17 / 4 8 14 16 20 21 / 10 12 18 19 22 23");
  auto order26ZI = [](int dispatch) { return numbers(walk26ZI(6, 4, CM_26ZI_DISPATCH_PATTERN(dispatch), 2, 2), 6, 4); };
  EXPECT_EQ(order26ZI(0), "0 2 4 6 8 10 / 1 3 5 7 9 11 / 12 14 16 18 20 22 / 13 15 17 19 21 23");
  EXPECT_EQ(order26ZI(1), "0 2 4 6 8 10 / 1 3 5 7 9 11 / 12 14 16 18 20 22 / 13 15 17 19 21 23");
  EXPECT_EQ(order26ZI(2), "0 2 4 6 10 14 / 1 3 5 7 11 15 / 8 12 16 18 20 22 / 9 13 17 19 21 23");
  EXPECT_EQ(order26ZI(3), "0 2 4 6 10 13 / 1 3 5 7 11 15 / 8 12 16 18 20 22 / 9 14 17 19 21 23");
}

/// How often each cell is visited; the order never leaves the space.
std::vector<int> visits(const std::vector<Cell> &cells, INT width, INT height) {
  std::vector<int> count(std::size_t(width * height));
  for (Cell c : cells) {
    EXPECT_TRUE(c.x >= 0 && c.y >= 0 && c.x < width && c.y < height);
    ++count[std::size_t(c.y * width + c.x)];
  }
  return count;
}

TEST(Walks, everyCellOnceAtEverySize) {
  for (INT w = 1; w <= 19; ++w)
    for (INT h = 1; h <= 19; ++h) {
      std::vector<int> once(std::size_t(w * h), 1);
      for (int pattern = 0; pattern <= 6; ++pattern)
        EXPECT_EQ(visits(*walk(CM_WALKING_PATTERN(pattern), w, h), w, h), once) << pattern << " " << w << "x" << h;
      if (w % 2 == 0 && h % 2 == 0) {
        EXPECT_EQ(visits(walk26Z(w, h), w, h), once) << w << "x" << h;
      }
      for (int dispatch = 0; dispatch < 4; ++dispatch)
        for (Cell block : {Cell{16, 8}, Cell{5, 4}, Cell{2, 2}, Cell{1, 1}})
          EXPECT_EQ(visits(walk26ZI(w, h, CM_26ZI_DISPATCH_PATTERN(dispatch), block.x, block.y), w, h), once)
              << dispatch << " " << w << "x" << h << " " << block.x << "x" << block.y;
      std::vector<Cell> slanted = *walk(CM_WALK_WAVEFRONT45D, w, h), steep = *walk(CM_WALK_WAVEFRONT45XD_2, w, h);
      for (INT y = 0; y < h; ++y)
        for (INT x = 0; x < w; ++x) {
          auto count = [&](const std::vector<Cell> &cells) {
            return std::count(cells.begin(), cells.end(), Cell{x, y});
          };
          EXPECT_EQ(count(slanted), x + y >= w);
          EXPECT_EQ(count(steep), x + y / 2 >= w);
        }
    }
}

TEST(Walks, masksLeaveNoCircles) {
  for (int p = CM_NONE_DEPENDENCY; p <= CM_WAVEFRONT26ZI; ++p) {
    auto pattern = CM_DEPENDENCY_PATTERN(p);
    std::vector<Cell> vectors = *dependencyVectors(pattern);
    for (Cell block : {Cell{16, 8}, Cell{8, 8}, Cell{5, 4}, Cell{4, 4}})
      for (INT w : {1, 2, 3, 4, 7, 16, 39})
        for (INT h : {1, 2, 4, 5, 8, 17, 39}) {
          std::vector<runtime::ListedThread> threads;
          std::vector<std::vector<std::uint32_t>> waits(std::size_t(w * h));
          std::size_t all = 0;
          for (INT y = 0; y < h; ++y)
            for (INT x = 0; x < w; ++x) {
              threads.push_back({UINT(x), UINT(y), 0, 0});
              UINT mask = dependencyMask(pattern, {x, y}, block.x, block.y);
              for (std::size_t v = 0; v < vectors.size(); ++v) {
                INT ox = x + vectors[v].x, oy = y + vectors[v].y;
                if (mask >> v & 1 && ox >= 0 && oy >= 0 && ox < w && oy < h) {
                  waits[std::size_t(y * w + x)].push_back(UINT(oy * w + ox));
                  ++all;
                }
              }
            }
          runtime::Order order = runtime::listThreads(threads, waits);
          EXPECT_EQ(order.waits.size(), all) << "pattern " << p << ", " << w << "x" << h << ": a circle";
        }
  }
  EXPECT_FALSE(dependencyVectors(CM_DEPENDENCY_PATTERN(39)));
}

// What is computed instead of a list waits for the same, tile by tile.
TEST(Walks, tilesHonourTheMasks) {
  for (auto pattern : {CM_WAVEFRONT26Z, CM_WAVEFRONT26ZIG, CM_WAVEFRONT26X, CM_WAVEFRONT26ZI}) {
    const std::vector<Cell> vectors = *dependencyVectors(pattern);
    for (Cell block :
         {Cell{16, 8}, Cell{8, 8}, Cell{5, 4}, Cell{4, 4}, Cell{1, 1}, Cell{1, 3}, Cell{2, 1}, Cell{64, 64}})
      for (INT w : {1, 2, 3, 4, 7, 16, 39})
        for (INT h : {1, 2, 4, 5, 8, 17, 39}) {
          SCOPED_TRACE(std::to_string(pattern) + ": " + std::to_string(w) + "x" + std::to_string(h));
          const runtime::Tiling tiling = *tilingOf(pattern, {w, h}, block);
          ASSERT_EQ(tiling.tiles, tileWaits(tiling));
          const INT tw = INT(tiling.width), th = INT(tiling.height);
          for (const runtime::Neighbour &n : tileWaits(tiling))
            ASSERT_TRUE(n.up > 0 || (n.up == 0 && n.left > 0));
          std::vector<bool> done(std::size_t(w * h));
          std::size_t all = 0, cells = 0;
          auto visit = [&](INT x, INT y) {
            ASSERT_FALSE(done[std::size_t(y * w + x)]);
            const UINT mask = dependencyMask(pattern, {x, y}, block.x, block.y);
            for (std::size_t v = 0; v < vectors.size(); ++v)
              if (INT ox = x + vectors[v].x, oy = y + vectors[v].y;
                  mask >> v & 1 && ox >= 0 && oy >= 0 && ox < w && oy < h) {
                ++all;
                ASSERT_TRUE(done[std::size_t(oy * w + ox)]) << x << ", " << y << " waits for " << ox << ", " << oy;
              }
            done[std::size_t(y * w + x)] = true;
            ++cells;
          };
          for (INT top = 0; top < h; top += th)
            for (INT left = 0; left < w; left += tw)
              for (const runtime::Tiling::Part &part : tiling.parts)
                for (INT y = top + INT(part.firstY); y < std::min(h, top + INT(part.endY)); ++y)
                  for (INT x = left + INT(part.firstX); x < std::min(w, left + INT(part.endX)); ++x)
                    visit(x, y);
          EXPECT_EQ(cells, std::size_t(w * h));
          runtime::Order order;
          order.width = UINT(w);
          order.height = UINT(h);
          order.tiling = tiling;
          EXPECT_EQ(listed(order).waits.size(), all);
        }
  }
  for (auto pattern : {CM_NONE_DEPENDENCY, CM_WAVEFRONT, CM_WAVEFRONT26, CM_VERTICAL_WAVE, CM_HORIZONTAL_WAVE})
    EXPECT_FALSE(tilingOf(pattern, {8, 8}, {4, 4}));
  EXPECT_FALSE(tilingOf(CM_WAVEFRONT26ZI, {4096, 4096}, {4096, 4096}));
}

TEST(Walks, masks) {
  auto row = [](CM_DEPENDENCY_PATTERN pattern, INT width, INT y, INT bw = 16, INT bh = 8) {
    std::vector<UINT> masks;
    for (INT x = 0; x < width; ++x)
      masks.push_back(dependencyMask(pattern, {x, y}, bw, bh));
    return masks;
  };
  using Masks = std::vector<UINT>;
  for (auto pattern : {CM_WAVEFRONT26Z, CM_WAVEFRONT26ZIG}) {
    EXPECT_EQ(row(pattern, 4, 2), (Masks{0xFF, 0x1E, 0xFF, 0x1E}));
    EXPECT_EQ(row(pattern, 4, 3), (Masks{0x1E, 0x0E, 0x1E, 0x0E}));
  }
  EXPECT_EQ(row(CM_WAVEFRONT26X, 2, 4), (Masks{0xFF, 0xFF}));
  EXPECT_EQ(row(CM_WAVEFRONT26X, 1, 5), (Masks{0x7E}));
  EXPECT_EQ(row(CM_WAVEFRONT26X, 1, 6), (Masks{0x7E}));
  EXPECT_EQ(row(CM_WAVEFRONT26X, 1, 7), (Masks{0x3C}));
  EXPECT_EQ(row(CM_WAVEFRONT26ZI, 5, 0, 4, 3), (Masks{0x3F, 0xFF, 0x3A, 0x3F, 0x3F}));
  EXPECT_EQ(row(CM_WAVEFRONT26ZI, 5, 1, 4, 3), (Masks{0x1F, 0xFF, 0x12, 0x1F, 0x1F}));
  EXPECT_EQ(row(CM_WAVEFRONT26ZI, 5, 2, 4, 3), (Masks{0x1E, 0x7E, 0x12, 0x1E, 0x1E}));
  EXPECT_EQ(row(CM_WAVEFRONT26ZI, 5, 0, 5, 3), (Masks{0x3F, 0xFF, 0x3A, 0xFF, 0x1A}));
  EXPECT_EQ(row(CM_WAVEFRONT26ZI, 5, 2, 5, 3), (Masks{0x1E, 0x7E, 0x12, 0x7E, 0x12}));
  EXPECT_EQ(row(CM_WAVEFRONT, 2, 3), (Masks{0xFF, 0xFF}));
}

TEST(Walks, circlesAreCut) {
  // 0 and 1 wait for each other, 2 for 1, 3 for nobody.
  runtime::Order order =
      runtime::listThreads({{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 0, 2}, {3, 0, 0, 3}}, {{1}, {0}, {1}, {}});
  std::vector<UINT> blocks;
  for (const runtime::ListedThread &t : order.threads)
    blocks.push_back(t.block);
  EXPECT_EQ(blocks, (std::vector<UINT>{3, 0, 1, 2}));
  EXPECT_EQ(order.first, (std::vector<UINT>{0, 0, 0, 1, 2}));
  EXPECT_EQ(order.waits, (std::vector<UINT>{1, 2}));
}

TEST(Walks, parametersOfTheApplicationsOwn) {
  auto pair = [](int x, int y) { return DWORD(x & 0xFFFF) | DWORD(y & 0xFFFF) << 16; };
  CM_WALKING_PARAMETERS p{};
  // Wavefront 45 in a block of 6x4: inner (-1, 1), outer (1, 0).
  p.Value[2] = 0xFFF;
  p.Value[3] = pair(6, 4);
  p.Value[6] = pair(1, 0);
  p.Value[7] = pair(-1, 1);
  p.Value[8] = pair(6, 4);
  p.Value[10] = pair(6, 0);
  p.Value[11] = pair(0, 4);
  EXPECT_EQ(walk(walkerOf(p)), *walk(CM_WALK_WAVEFRONT, 6, 4));
  // 26X has a middle step of (0, 1).
  p.Value[1] = 1u << 12 | 1u << 16;
  p.Value[7] = pair(-2, 2);
  EXPECT_EQ(walk(walkerOf(p)), *walk(CM_WALK_WAVEFRONT26X, 6, 4));
  // Nothing but zeros, and steps that go nowhere, end.
  EXPECT_TRUE(walk(walkerOf(CM_WALKING_PARAMETERS{})).empty());
  p.Value[6] = p.Value[7] = 0;
  EXPECT_FALSE(walk(walkerOf(p)).empty());
  p.Value[6] = pair(1, 0);
  p.Value[7] = pair(-1, 0);
  EXPECT_EQ(walk(walkerOf(p)).size(), 12u); // rows 0 and 1: the middle step
}

} // namespace
