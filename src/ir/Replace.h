//===- Replace.h - Instructions by what a function gives for them --------------------------------===//
//
//     replaceEach<CallInst>(F, expanded);      every call that `expanded` gives something for becomes that
//
// What most passes that expand or select do: a function puts new instructions before an old one and gives their result,
// or null, and what it gives takes the old one's place.
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace pocm {

/// Replaces instructions of a kind, in order, each by what the function gives for it where that is not null; whether
/// there was one. What comes up on the way is not asked for.
template <class Kind = llvm::Instruction, class Replacement>
bool replaceEach(llvm::Function &F, Replacement &&replacement) {
  bool Changed = false;
  for (llvm::Instruction &I : llvm::make_early_inc_range(llvm::instructions(F)))
    if (auto *Old = llvm::dyn_cast<Kind>(&I))
      if (llvm::Value *New = replacement(*Old)) {
        Old->replaceAllUsesWith(New);
        Old->eraseFromParent();
        Changed = true;
      }
  return Changed;
}

/// The same in all functions of a module.
template <class Kind = llvm::Instruction, class Replacement>
bool replaceEach(llvm::Module &M, Replacement &&replacement) {
  bool Changed = false;
  for (llvm::Function &F : M)
    Changed |= replaceEach<Kind>(F, replacement);
  return Changed;
}

/// The same until nothing is left, for what a replacement is made of may need one, too.
template <class Kind = llvm::Instruction, class Replacement>
bool replaceAll(llvm::Function &F, Replacement &&replacement) {
  bool Changed = false;
  while (replaceEach<Kind>(F, replacement))
    Changed = true;
  return Changed;
}

} // namespace pocm
