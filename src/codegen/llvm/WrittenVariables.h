//===- WrittenVariables.h - Which reads of a thread's variables find what was written ----------------===//
//
//     %v = alloca [32 x i32]
//     store <16 x i32> %a, %v                 two stores that come before every read
//     store <16 x i32> %b, %v + 64            have written all of it:
//     loop:  %x = load i32, %v + 4 * %i       %x has a value if %a, %b and what else is stored there have one
//
// Of variables whose address goes nowhere else, that is.
//
//===-------------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace pocm {

class WrittenVariables {
public:
  WrittenVariables(llvm::Function &F, const llvm::DominatorTree &Dominators);

  /// The variable whose bytes a load reads, all of which were written before; null: that is not known.
  const llvm::AllocaInst *writtenBefore(const llvm::LoadInst &Load) const { return Reads.lookup(&Load); }
  /// The variable that a store writes to; null: anything else.
  static const llvm::AllocaInst *variableOf(const llvm::StoreInst &Store);

private:
  void look(llvm::AllocaInst &Variable, const llvm::DominatorTree &Dominators);

  llvm::DenseMap<const llvm::LoadInst *, const llvm::AllocaInst *> Reads;
};

} // namespace pocm
