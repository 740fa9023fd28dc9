//===- Needs.h - Where, and on what condition, a value is needed ----------------------===//
//
// LLVM computes before it chooses, and before loops:
//
//     if (n < 16)                 %t = insertelement %v, 7, %n
//       v(n) = 7;           ->    %r = select (icmp slt %n, 16), %t, %v
//
// The source writes the element only where %n is less than 16. A check of %t stands where its value
// is needed, then, and asks for what leads there: { at the user of %r, (icmp slt %n, 16) is true }.
// Lanes of a vector have conditions of their own, where a vector of them chooses.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace pocm::check {

/// What must be so for a value to be needed: an i1, or a vector of as many as the value has elements.
struct Condition {
  llvm::Value *Is;
  bool True;
  bool operator==(const Condition &) const = default;
};

/// In front of `At` the value is needed if all conditions hold.
struct Need {
  llvm::Instruction *At;
  llvm::SmallVector<Condition, 2> Conditions = {};

  /// Whether it is needed: an i1, null for always.
  llvm::Value *whole(llvm::IRBuilderBase &B) const;
  /// Which of its lanes are: a vector of i1, null for all.
  llvm::Value *lanes(llvm::IRBuilderBase &B) const;
};

/// All places that may need what a pure instruction computes. One without conditions is the instruction itself when
/// that stands in the same block.
llvm::SmallVector<Need, 1> needsOf(llvm::Instruction &I);

} // namespace pocm::check
