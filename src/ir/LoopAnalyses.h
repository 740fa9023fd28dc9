//===- LoopAnalyses.h - What LLVM says of a function's loops -----------------===//
//
//     LoopAnalyses Now(F);
//     for (Loop *L : Now.Loops)
//       Now.SE.getSmallConstantTripCount(L);
//
// For passes that ask for it outside of LLVM's pass managers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

namespace pocm {

/// True until the function changes.
struct LoopAnalyses {
  llvm::TargetLibraryInfoImpl Library;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::AssumptionCache Assumptions;
  llvm::TargetLibraryInfo Functions;
  llvm::ScalarEvolution SE;

  explicit LoopAnalyses(llvm::Function &F)
      : Library(F.getParent()->getTargetTriple()), Dominators(F), Loops(Dominators), Assumptions(F),
        Functions(Library, &F), SE(F, Functions, Assumptions, Dominators, Loops) {}
};

/// Calls Change(loop, analyses) on each loop, outer ones first, until it returns false: it has changed nothing. Whether
/// it has changed any.
template <class F> bool changeLoops(llvm::Module &M, F Change) {
  bool Changed = false;
  for (llvm::Function &Each : M) {
    if (Each.isDeclaration())
      continue;
    LoopAnalyses Now(Each);
    for (llvm::Loop *L : Now.Loops.getLoopsInPreorder())
      while (Change(*L, Now))
        Changed = true;
  }
  return Changed;
}

} // namespace pocm
