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

} // namespace pocm
