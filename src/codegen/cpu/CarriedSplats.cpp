//===- CarriedSplats.cpp - What fills a register in the next iteration stays in one --------------------===//
//
// A running sum carries the last element of a register to the next one:
//
//     %carry = phi i32 [ %first, %entry ], [ %last, %loop ]
//     %all = splat %carry                         %all = phi <16 x i32> [ splat %first ], [ %same, %loop ]
//     %sum = add <16 x i32> %v, %all         ->   %sum = add <16 x i32> %v, %all
//     %last = extractelement %sum, 15             %same = shufflevector %sum, (15, 15 .. 15)
//
// Each iteration waits for the one before: for one permute, not for the way to a scalar register and back. What ways of
// a branch leave is alike.
//
// Needs:    whole registers; behind what makes scalars of elements in loops.
// Leaves:   carried scalars that others compute with.
//
//===----------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// The vectors that have a scalar in all lanes; none where something else needs it.
SmallVector<ShuffleVectorInst *, 4> splatsOf(Value &Scalar) {
  SmallVector<ShuffleVectorInst *, 4> All;
  for (User *U : Scalar.users()) {
    auto *Insert = dyn_cast<InsertElementInst>(U);
    if (!Insert || Insert->use_empty() || !match(Insert, m_InsertElt(m_Undef(), m_Specific(&Scalar), m_ZeroInt())))
      return {};
    for (User *V : Insert->users()) {
      auto *Splat = dyn_cast<ShuffleVectorInst>(V);
      if (!Splat || Splat->getOperand(0) != Insert || Splat->getOperand(1) == Insert || !Splat->isZeroEltSplat())
        return {};
      All.push_back(Splat);
    }
  }
  return All;
}

bool carryInRegister(PHINode &Carried) {
  if (Carried.getNumIncomingValues() != 2)
    return false;
  const auto Splats = splatsOf(Carried);
  if (Splats.empty() || any_of(Splats, [&](auto *Splat) { return Splat->getType() != Splats[0]->getType(); }))
    return false;
  auto *T = cast<FixedVectorType>(Splats[0]->getType());
  for (unsigned Back : {0, 1}) {
    auto *Last = dyn_cast<ExtractElementInst>(Carried.getIncomingValue(Back));
    auto *Lane = Last ? dyn_cast<ConstantInt>(Last->getIndexOperand()) : nullptr;
    if (!Lane || Last->getVectorOperandType() != T || Lane->uge(T->getNumElements()) ||
        isa<ExtractElementInst>(Carried.getIncomingValue(1 - Back)))
      continue;
    IRBuilder<> B(Last);
    Value *Same = B.CreateShuffleVector(Last->getVectorOperand(),
                                        SmallVector<int, 64>(T->getNumElements(), int(Lane->getZExtValue())));
    B.SetInsertPoint(Carried.getIncomingBlock(1 - Back)->getTerminator());
    Value *First = B.CreateVectorSplat(T->getNumElements(), Carried.getIncomingValue(1 - Back));
    B.SetInsertPoint(&Carried);
    PHINode *All = B.CreatePHI(T, 2);
    All->addIncoming(Same, Carried.getIncomingBlock(Back));
    All->addIncoming(First, Carried.getIncomingBlock(1 - Back));
    for (ShuffleVectorInst *Splat : Splats) {
      auto *Insert = cast<Instruction>(Splat->getOperand(0));
      Splat->replaceAllUsesWith(All);
      Splat->eraseFromParent();
      if (Insert->use_empty())
        Insert->eraseFromParent();
    }
    Carried.eraseFromParent();
    if (Last->use_empty())
      Last->eraseFromParent();
    return true;
  }
  return false;
}

} // namespace

bool carrySplats(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      for (PHINode &Phi : make_early_inc_range(Block.phis()))
        if (!Phi.getType()->isVectorTy())
          Changed |= carryInRegister(Phi);
  return Changed;
}

} // namespace pocm::cpu
