//===- BlockReads.h - Blocks of one surface that lie at constant distances ----------------------===//
//
//     read(b, i, r0); read(b, i + 128, r1);     one interval of 2 blocks: i to i + 256
//
// Reads whose offsets differ by constants need one check of their bounds, not one each, as long as nothing is written
// between them. BufferAccess.cpp makes it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include <vector>

namespace pocm {

/// The offset of a block in bytes, as far as constants are not concerned: ((Base + Rest) >> Shift) * Unit in 32 bits
/// before the product. Constants that are added are whole units behind a shift.
struct BlockOrigin {
  llvm::Value *Surface, *Base; ///< Null: 0.
  unsigned Shift, Unit;
  int Rest;
  bool Exact = false; ///< The shift loses no bits.
  bool operator==(const BlockOrigin &) const = default;

  /// So many bytes behind it: 64 bits.
  llvm::Value *offset(llvm::IRBuilder<> &B, int64_t Bytes) const;
  /// Up to here, offsets grow with the constants; farther, they start again with negative numbers.
  int64_t reach() const;
};

/// Reads in one basic block, in order, the bytes at which each begins, and what they take together.
struct BlockReads {
  BlockOrigin Origin;
  llvm::SmallVector<llvm::CallInst *, 8> Calls;
  llvm::SmallVector<int64_t, 8> Starts;
  int64_t Low, High;
};

/// Those of two blocks or more.
std::vector<BlockReads> connectedReads(llvm::Function &F);

} // namespace pocm
