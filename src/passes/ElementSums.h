//===- ElementSums.h - What a loop over elements carries ----------------------===//
//
//     for (int j = 0; j < 16; ++j) {
//       sum += a(j);                      in any order, if these are integers
//       total += f(j) * g(j);             in that order, if they are floats
//       if (a(j) == 0) found = 1;         once or more
//       r(j) = count += a(j);             as far as each iteration
//       r(j) = a(j) - before;             that of the iteration before
//       before = a(j);
//     }
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include <climits>
#include <optional>

namespace pocm {

inline bool isElement(const llvm::Type *T) {
  return (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) || T->isFloatTy() || T->isHalfTy() || T->isDoubleTy();
}
/// Of which a vector may be stored as it is.
inline bool isStored(const llvm::Type *T) { return isElement(T) && T->getScalarSizeInBits() % CHAR_BIT == 0; }

/// Whether it can be done to each element of vectors as it is to elements.
bool isArithmetic(const llvm::Instruction &I);
/// Whether an operand is one for all elements: that of abs for the least number, and of ctlz for zero.
bool isForAll(const llvm::Value *Operand, const llvm::Instruction &I);

/// What each iteration of a loop adds to a counter; null where a phi is none.
const llvm::APInt *stepOf(llvm::PHINode &Phi, const llvm::Loop &L, llvm::ScalarEvolution &SE);
/// Whether something outside of a loop reads it.
bool isReadBehind(const llvm::Instruction &I, const llvm::Loop &L);

/// A value that a loop carries from one iteration to the next.
struct Sum {
  llvm::PHINode *Carried;
  llvm::Instruction *Last; ///< What it is behind an iteration.
  llvm::RecurKind Kind;
  llvm::Instruction *Adds = nullptr; ///< Where each iteration counts: the sum of it and what is new.

  /// Whether each lane has one of its own, until all are put together.
  bool isOfLanes() const { return !Adds && !isFormer() && Kind != llvm::RecurKind::AnyOf; }
  /// Of floats, which are added in order.
  bool isInOrder() const { return Adds && Adds->getType()->isFloatingPointTy(); }
  /// Of integers that are read on the way: what it is as far as each iteration.
  bool isRunning() const { return Adds && !isInOrder(); }
  /// No sum, but a value that the next iteration reads.
  bool isFormer() const { return Kind == llvm::RecurKind::None; }
  /// Whether others in the loop read it.
  bool isReadInside() const { return isRunning() || isFormer(); }
  /// What is new, or of floats the two that it is the product of.
  llvm::SmallVector<llvm::Value *, 2> addends() const;
  /// What it becomes when a condition is true in any iteration.
  llvm::Value *chosen() const;
};

/// What begins an iteration as this phi; none when it is no sum.
std::optional<Sum> sumOf(llvm::PHINode &Phi, llvm::Loop &L);

} // namespace pocm
