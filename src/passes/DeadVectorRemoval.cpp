//===- DeadVectorRemoval.cpp - Elements that nobody reads --------------------===//
//
// Follows, from the uses backwards, which elements of every vector are ever read:
//
//     %a = wrregion(%old, %x, row 0)      row 0 is never read
//     %b = rdregion(%a, row 1)
//  -> %b = rdregion(%old, row 1)          and %x may die
//
//     %w = wrregion(%old, %new, R)        all that is read lies in R
//  -> %w = wrregion(undef, %new, R)       %old may die
//
// Elements that are inserted one by one are writes of regions of one.
//
// Why:      a matrix written row by row keeps all its history alive otherwise.
// Needs:    whole values; loops are fine, phis are followed to a fixed point.
// Leaves:   values as long as they are, with elements that nobody reads undefined.
// Not done: element-wise operations are not made narrower, only cut off from dead inputs.
//
//===----------------------------------------------------------------------===//
#include "passes/LiveElements.h"
#include "passes/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

/// By the value before it, which has the same elements where anybody reads them.
void dropWrite(Instruction &Write, Value *Before) {
  SmallVector<DbgVariableRecord *, 2> Records; // a variable has other elements
  findDbgUsers(&Write, Records);
  for (DbgVariableRecord *Record : Records)
    Record->setKillLocation();
  Write.replaceAllUsesWith(Before);
  Write.eraseFromParent();
}

bool removeDeadElements(Function &F) {
  LiveElements Live(F);
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto Index = LiveElements::constantIndex(I); Index && isa<InsertElementInst>(I)) {
      Region Only = Region::contiguous(1, int(*Index));
      if (!Live.anyLive(&I, Only, 1)) {
        dropWrite(I, I.getOperand(0));
        Changed = true;
      } else if (!isa<UndefValue>(I.getOperand(0)) && Live.allLiveInside(&I, Only, 1)) {
        I.setOperand(0, PoisonValue::get(I.getType()));
        Changed = true;
      }
      continue;
    }
    auto W = RegionWrite::match(&I);
    if (!W || !W->Where.isConstant())
      continue;
    if (!Live.anyLive(&I, W->Where, W->count())) {
      dropWrite(I, W->old());
      Changed = true;
    } else if (!isa<UndefValue>(W->old()) && Live.allLiveInside(&I, W->Where, W->count())) {
      I.setOperand(0, UndefValue::get(I.getType()));
      Changed = true;
    }
  }
  return Changed;
}

} // namespace

bool removeDeadElements(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= removeDeadElements(F);
  return Changed;
}

} // namespace pocm
