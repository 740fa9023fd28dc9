//===- ElementSums.h - What a loop over elements carries ----------------------===//
//
//     for (int j = 0; j < 16; ++j) {
//       sum += a(j);                      in any order, if these are integers
//       total += f(j) * g(j);             in that order, if they are floats
//       if (a(j) == 0) found = 1;         once or more
//     }
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <climits>
#include <optional>

namespace pocm {

inline bool isElement(const llvm::Type *T) {
  return (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) || T->isFloatTy() || T->isHalfTy() || T->isDoubleTy();
}
/// Of which a vector may be stored as it is.
inline bool isStored(const llvm::Type *T) { return isElement(T) && T->getScalarSizeInBits() % CHAR_BIT == 0; }

/// A value that a loop carries from one iteration to the next.
struct Sum {
  llvm::PHINode *Carried;
  llvm::Instruction *Last; ///< What it is behind an iteration.
  llvm::RecurKind Kind;
  llvm::Instruction *Adds = nullptr; ///< Of floats, which are added in order: the sum of it and what is new.

  /// Whether each lane has one of its own, until all are put together.
  bool isOfLanes() const { return !Adds && Kind != llvm::RecurKind::AnyOf; }
  /// Of floats: what is new, or the two that it is the product of.
  llvm::SmallVector<llvm::Value *, 2> addends() const;
  /// What it becomes when a condition is true in any iteration.
  llvm::Value *chosen() const;
};

/// What begins an iteration as this phi; none when it is no sum.
std::optional<Sum> sumOf(llvm::PHINode &Phi, llvm::Loop &L);

} // namespace pocm
