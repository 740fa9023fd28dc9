#include "ir/Region.h"
#include <gtest/gtest.h>
#include <random>

using namespace pocm;

namespace {

std::vector<int> elements(const Region &r, int count) {
  std::vector<int> all;
  for (int k = 0; k < count; ++k)
    all.push_back(r.element(k));
  return all;
}

TEST(Region, namesElementsRowByRow) {
  EXPECT_EQ(elements({8, 3, 2, 1, nullptr}, 6), (std::vector<int>{1, 3, 5, 9, 11, 13}));
}

TEST(Region, everyRegularListOfElementsIsFound) {
  for (int vstride = 0; vstride < 12; ++vstride)
    for (int width : {1, 2, 3, 4, 6})
      for (int hstride = 0; hstride < 4; ++hstride)
        for (int rows = 1; rows < 5; ++rows) {
          Region r{vstride, width, hstride, 5, nullptr};
          auto want = elements(r, width * rows);
          auto found = Region::through(want);
          // A list may have several descriptions; any that names the same elements will do.
          ASSERT_TRUE(found) << vstride << ";" << width << "," << hstride << ", " << rows << " rows";
          EXPECT_EQ(elements(*found, width * rows), want);
        }
}

TEST(Region, whatTheLinearFilterReadsIsFound) {
  Region r{32, 24, 1, 35, nullptr};
  auto found = Region::through(elements(r, 144));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, r);
}

TEST(Region, irregularListsAreNotFound) {
  EXPECT_FALSE(Region::through({0, 1, 3, 4, 5}));
  EXPECT_FALSE(Region::through({4, 3, 2, 1})); // the ISA has no negative strides
  EXPECT_FALSE(Region::through({0, 1, 8, 9, 24, 25}));
}

TEST(Region, identity) {
  EXPECT_TRUE(Region::contiguous(8).isIdentity(8));
  EXPECT_TRUE((Region{4, 4, 1, 0, nullptr}).isIdentity(16));
  EXPECT_FALSE(Region::contiguous(8, 1).isIdentity(8));
  EXPECT_FALSE((Region{8, 4, 1, 0, nullptr}).isIdentity(16));
}

} // namespace
