//===- ConsecutivePlaces.h - Scattered accesses to elements that lie side by side ---------------===//
//
//     at = first + <0, 1, 2, ..>;  read(b, 0, at, v);          a block of elements that begins at `first`
//
//===--------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace pocm {

/// The first of a vector of integers each of which is `Step` more than the one before it, in as many bits, which wrap;
/// null where that is not known.
llvm::Value *firstOfConsecutive(llvm::IRBuilder<> &B, llvm::Value *Places, unsigned Step);

} // namespace pocm
