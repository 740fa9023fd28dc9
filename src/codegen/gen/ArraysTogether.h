//===- ArraysTogether.h - Which arrays get registers, where they do not get them all ------------===//
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"

namespace pocm::gen {

/// Those of a function's arrays that stay in memory: of those that live at once, at most `MostBytes` bytes get
/// registers. Those go first whose bytes are accessed most often, as loops suggest.
llvm::DenseSet<const llvm::AllocaInst *> crowdedOut(llvm::Function &F, llvm::ArrayRef<llvm::AllocaInst *> Arrays,
                                                    unsigned MostBytes);

} // namespace pocm::gen
