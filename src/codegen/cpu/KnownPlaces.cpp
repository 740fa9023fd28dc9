//===- KnownPlaces.cpp - Places that counters keep inside need no limit -------------------------===//
//
//     for (j = 0; j < 15 - i; ++j)
//       %o = and i32 %j, 15               ->    %o = %j
//
// What keeps a place inside of its object (Inside.h) hides from LLVM that the next iteration reads what this one has
// written: v(j + 1) may be v(0). Where the bounds of a loop show that a counter stays inside, the limit goes, and what
// loops pass on by memory stays in registers.
//
// Needs:    loops in LLVM's simple form.
// Leaves:   limits of places that no counter is known to keep inside.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// What is limited, and the largest value that a limit leaves as it is.
std::optional<std::pair<Value *, APInt>> limited(Instruction &I) {
  Value *Place;
  const APInt *Most;
  const bool IsMask = match(&I, m_And(m_Value(Place), m_LowBitMask(Most)));
  if (!I.getType()->isIntegerTy() || (!IsMask && !match(&I, m_UMin(m_Value(Place), m_APInt(Most)))))
    return std::nullopt;
  return std::pair(Place, *Most);
}

bool dropIn(Function &F) {
  SmallVector<Instruction *> Limits;
  for (Instruction &I : instructions(F))
    if (limited(I))
      Limits.push_back(&I);
  if (Limits.empty())
    return false;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  AssumptionCache Assumptions(F);
  TargetLibraryInfoImpl Known(F.getParent()->getTargetTriple());
  TargetLibraryInfo Library(Known, &F);
  ScalarEvolution Evolution(F, Library, Assumptions, Dominators, Loops);
  bool Changed = false;
  for (Instruction *I : Limits) {
    auto [Place, Most] = *limited(*I);
    const Loop *Around = Loops.getLoopFor(I->getParent());
    if (!Around || !Evolution.getUnsignedRangeMax(Evolution.getSCEV(Place)).ule(Most))
      continue;
    I->replaceAllUsesWith(Place);
    I->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace

bool dropKnownLimits(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= dropIn(F);
  return Changed;
}

} // namespace pocm::cpu
