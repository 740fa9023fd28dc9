//===- HoistViews.cpp - Surfaces are looked up once, not in loops -----------------------------===//
//
// What a view says of its surface, its address and its size, stays as long as a launch runs, and an entry of the table
// may be read whether there is a surface or not. LLVM moves such loads out of loops only where each iteration makes
// them, as it does not know where the table ends when the number of the surface is an argument.
//
//     loop:                                            %view = gep %table, %surface * 104
//       br %any, then, else                            %size = load %view + 32
//     then:                                            loop:
//       %view = gep %table, %surface * 104        ->      br %any, then, else
//       %size = load %view + 32                        then:
//       ...                                              ...
//
// Needs:    loads of fields as viewField() makes them (SurfaceAccess.h), from parameters: the table or the group.
// Leaves:   other loads where they are.
// Not done: threads that wait, which find the table in their frame.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// A field of a view: others load nothing that does not change from what a kernel is given.
bool isField(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->hasMetadata(LLVMContext::MD_invariant_load) &&
         isa<Argument>(getUnderlyingObject(Load->getPointerOperand()));
}

/// Moves an address before `To`, when it needs nothing that is computed behind it.
bool moveAddress(Value *V, Instruction *To, const DominatorTree &Dominators) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Dominators.dominates(I, To))
    return true;
  if (isa<PHINode>(I) || I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I) ||
      !all_of(I->operands(), [&](Value *Operand) { return moveAddress(Operand, To, Dominators); }))
    return false;
  I->moveBefore(To->getIterator());
  I->dropLocation();
  return true;
}

/// Moves the load in front of all loops in which its surface stays the same, threads of the walker among them.
bool hoist(LoadInst &Load, const LoopInfo &Loops, const DominatorTree &Dominators) {
  SmallVector<Instruction *, 4> Places;
  for (Loop *L = Loops.getLoopFor(Load.getParent()); L; L = L->getParentLoop())
    if (BasicBlock *Before = L->getLoopPreheader())
      Places.push_back(Before->getTerminator());
  Places.push_back(Load.getFunction()->getEntryBlock().getTerminator());
  for (Instruction *Place : reverse(Places))
    if (!Dominators.dominates(&Load, Place) && moveAddress(Load.getPointerOperand(), Place, Dominators)) {
      Load.moveBefore(Place->getIterator());
      Load.dropLocation();
      return true;
    }
  return false;
}

bool hoistIn(Function &F) {
  SmallVector<LoadInst *, 16> Fields;
  for (Instruction &I : instructions(F))
    if (isField(I))
      Fields.push_back(cast<LoadInst>(&I));
  if (Fields.empty())
    return false;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  bool Changed = false;
  for (Loop *L : Loops)
    Changed |= simplifyLoop(L, &Dominators, &Loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
  for (LoadInst *Field : Fields)
    Changed |= hoist(*Field, Loops, Dominators);
  return Changed;
}

} // namespace

bool hoistViews(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= hoistIn(F);
  return Changed;
}

} // namespace pocm::cpu
