//===- BlockReads.h - Blocks of one surface that lie at constant distances, or in rows ----------===//
//
//     read(b, i, r0); read(b, i + 128, r1);     one interval of 2 blocks: i to i + 256
//
//     for (k = 0; k < 8; k++)                   rows of one interval each, `width` apart: those between the first and
//       read(b, i + k * width, m.row(k));       the last are inside when those two are, whatever the width's sign
//
// Reads whose offsets differ by constants need one check of their bounds, and those in rows two, not one each, as long
// as nothing is written between them. BufferAccess.cpp makes them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include <vector>

namespace pocm {

/// Bytes, in 32 bits, without those of the last unit of 2^Shift; `Exact`: there are none. The same as a shift to the
/// right, and back in 64 bits.
llvm::Value *wholeUnits(llvm::IRBuilder<> &B, llvm::Value *Bytes, unsigned Shift, bool Exact);

/// Bytes, of 32 bits with a sign, that were shifted by so many bits; null for what is no such shift. LLVM makes shifts
/// without a sign of those of numbers that are never negative.
llvm::Value *shiftedBy(llvm::Value *V, unsigned Shift);

/// The offset of a block in bytes, as far as constants are not concerned: ((Base + Rest) >> Shift) * Unit in 32 bits
/// before the product. Constants that are added are whole units behind a shift.
struct BlockOrigin {
  llvm::Value *Surface, *Base; ///< Null: 0.
  unsigned Shift, Unit;
  int Rest;
  bool Exact = false; ///< The shift loses no bits.
  bool Fits = false;  ///< The product, with its constant, needs no more than 31 bits.
  bool operator==(const BlockOrigin &) const = default;

  /// Whether it is Base * Unit + Rest, and constants, in 32 bits that wrap.
  bool isSum() const { return Shift ? Exact : Unit == 1 || Fits; }

  /// So many bytes behind it, and `More` of its units, 32 bits or null: 64 bits.
  llvm::Value *offset(llvm::IRBuilder<> &B, int64_t Bytes, llvm::Value *More = nullptr) const;
  /// The same without rounding down to a unit.
  llvm::Value *unrounded(llvm::IRBuilder<> &B, int64_t Bytes) const;
  /// Up to here, offsets grow with the constants; farther, they start again with negative numbers.
  int64_t reach() const;
};

/// A read: in which row it is, and so many bytes behind the origin in that.
struct BlockRead {
  llvm::CallInst *Call;
  int64_t Row, Start;
};

/// Reads in one basic block, in order; where the first row of them is, and what they take together of each row.
struct BlockReads {
  BlockOrigin Origin;
  llvm::SmallVector<BlockRead, 8> Reads;
  int64_t Low, High;
  /// Rows are `Scale * Step` units of the origin apart, which 32 bits hold; there is no step where there is one row.
  llvm::Value *Step = nullptr;
  int32_t Scale = 0;
  int64_t FirstRow = 0, LastRow = 0; ///< The origin is of row 0.

  llvm::CallInst *first() const { return Reads.front().Call; }
  int64_t bytesOfRow() const { return High - Low; }
  int64_t rows() const { return LastRow - FirstRow + 1; }
};

/// Those of two blocks or more.
std::vector<BlockReads> connectedReads(llvm::Function &F);

} // namespace pocm
