//===- LatestReads.h - Parts are read from the latest value that has them -----------------------===//
//
// LLVM takes a part that a change leaves alone from what was there before the change:
//
//     %w = wrregion %m, %x, row 0
//     %r = rdregion %m, row 1            ->   %r = rdregion %w, row 1
//
// which is as good in registers. In memory, %m would have to be kept beside %w.
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"

namespace pocm {

/// Parts of these values at known places that are read from later ones now.
class LatestReads {
public:
  LatestReads(const llvm::SetVector<llvm::Value *> &Values, const llvm::DominatorTree &Dominators);
  /// They are read from where they were read before.
  void undo();

private:
  llvm::SmallVector<std::pair<llvm::Use *, llvm::Value *>> Before;
};

} // namespace pocm
