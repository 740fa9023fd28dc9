// Loops of a listing, by its labels and jumps.
#include "codegen/cpu/ListedLoops.h"
#include <gtest/gtest.h>

namespace {

std::vector<std::uint32_t> loopsOf(std::initializer_list<const char *> lines) {
  std::vector<pocm::CpuLine> listing;
  for (const char *line : lines)
    listing.push_back({line});
  return pocm::cpu::listedLoops(listing);
}

using Depths = std::vector<std::uint32_t>;

TEST(ListedLoops, straightCodeHasNone) {
  EXPECT_EQ(loopsOf({}), Depths{});
  EXPECT_EQ(loopsOf({".LBB0_1:", "je .LBB0_2", "incl %eax", ".LBB0_2:", "retq"}), Depths(5, 0));
}

TEST(ListedLoops, codeBehindTheEndThatComesBackIsNone) {
  EXPECT_EQ(loopsOf({"je .LBB0_2", ".LBB0_1:", "retq", ".LBB0_2:", "incl %eax", "jmp .LBB0_1"}), Depths(6, 0));
}

TEST(ListedLoops, loopsAreInLoops) {
  EXPECT_EQ(loopsOf({"nop", ".LBB0_1:", "nop", ".LBB0_2:", "jb .LBB0_2", "jb .LBB0_1", "retq"}),
            (Depths{0, 1, 1, 2, 2, 1, 0}));
}

// As LLVM lays out a loop whose test is made in front of it and at its end.
TEST(ListedLoops, aLoopMayHaveTwoEntries) {
  EXPECT_EQ(loopsOf({"jbe .LBB0_3", ".LBB0_2:", "incl %eax", ".LBB0_4:", "ja .LBB0_2", "jmp .LBB0_3",
                     ".LBB0_3:", "je .LBB0_5", "jmp .LBB0_4", ".LBB0_5:", "retq"}),
            (Depths{0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}));
}

// A table of jumps that is written with the label of another function is no way.
TEST(ListedLoops, onlyLabelsOfTheListingAreWays) {
  EXPECT_EQ(loopsOf({".LBB0_1:", "jmp .LBB7_1", "callq f", "jne .LBB0_1"}), (Depths{0, 0, 0, 0}));
}

} // namespace
