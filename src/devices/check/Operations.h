//===- Operations.h - How much an instruction computes -----------------------------------===//
#pragma once

#include "llvm/IR/Instruction.h"
#include <cstdint>

namespace pocm::check {

/// Operations on elements of vectors: arithmetic and logic; a multiply-add is two. What only moves, converts, compares
/// or chooses is none, and nor are scalars, which count and find places.
std::uint64_t operationsOf(const llvm::Instruction &I);

} // namespace pocm::check
