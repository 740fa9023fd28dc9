//===- Lanes.h - Elements of vectors, seen through shuffles -------------------------------------===//
#pragma once

#include "ir/Region.h"
#include "llvm/IR/Instructions.h"

namespace pocm::cpu {

/// An element of a vector, seen through shuffles.
struct Lane {
  llvm::Value *Vector;
  unsigned Number;

  static Lane of(llvm::Value *Vector, unsigned Number) {
    while (auto *Shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(Vector)) {
      const int From = Shuffle->getMaskValue(Number), Count = countOf(Shuffle->getOperand(0)->getType());
      if (From < 0)
        break;
      Vector = Shuffle->getOperand(From < Count ? 0 : 1);
      Number = unsigned(From % Count);
    }
    return {Vector, Number};
  }
  bool operator==(const Lane &) const = default;
};

} // namespace pocm::cpu
