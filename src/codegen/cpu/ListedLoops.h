//===- ListedLoops.h - Loops of a listing ----------------------------------------------------===//
//
// How many loops are around each line of an assembly listing, from its labels and jumps alone. LLVM's comments say it
// of loops with one entry; where a test is made at the end of a loop and in front of it, the loop has two, and they are
// silent.
//
//===------------------------------------------------------------------------------------------===//
#pragma once
#include "pocm/report.h"
#include <vector>

namespace pocm::cpu {

/// For each line, the number of loops around it. A loop is what can be run again from itself; those inside are what
/// can be without the lines where the loop is entered.
std::vector<std::uint32_t> listedLoops(const std::vector<CpuLine> &Lines);

} // namespace pocm::cpu
