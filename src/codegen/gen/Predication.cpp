//===- Predication.cpp - Results that only some channels keep -------------------------------===//
//
//     %x = fadd <16 x float> %a, %b                     %x = fadd <16 x float> %a, %b
//     %v = select %p, %x, %old                    ->    %v = wrregion(%old, %x, all of it, mask %p)
//
//     %v = select %p, %old, %x                    ->    the same with the mask xor %p, true, which is (!%p)
//
//     %s = select %p, %x, rdregion(%old, R)
//     %v = wrregion(%old, %s, R)                  ->    %v = wrregion(%old, %x, R, mask %p)
//
//     %s = select %p, %y, 0                             %x = add %old, %y
//     %v = add %old, %s                           ->    %v = wrregion(%old, %x, all of it, mask %p)
//
//     in a block that is gone around when no channel of %p is on, with several results that take no predicate:
//     %x = call <16 x float> @llvm.sqrt(%a)             %x = call <16 x float> @llvm.sqrt(%a)
//     %v = select %p, %x, %old                    ->    %v = wrregion(%old, %x, all of it, mask %p)
//                                                       which `goto` instead of a jump makes a square root of the
//                                                       channels that are on (emitter)
//
//     %m = select (icmp ult %a, %b), -1, 0        ->    %m = sext (icmp ult %a, %b), which is one instruction
//
//     br (icmp ne i16 (bitcast <16 x i1> %p), 0)  ->    the comparison right before the branch, which does it: (%p.any)
//
// An instruction writes the channels that its predicate allows and leaves the others as they
// are: a bale does all of this, where a selection is an instruction of its own.
//
// Needs:    legal bales (gen-legalization); vectors in their final pieces (gen-decomposition).
// Leaves:   selections of what is there anyway; computations that the finalizer takes several instructions for, which
//           it does not guard, where `goto` and `join` would not pay.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Goto.h"
#include "codegen/gen/Predicates.h"
#include "ir/Operands.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

/// The computation that a selection keeps in some channels, its operand 1 or 2, which nobody else needs; null when
/// there is none. One that takes no predicate will do where the execution mask can stand for it.
Instruction *guardedBy(SelectInst &S, unsigned Index, bool AnyComputation = false) {
  auto *X = dyn_cast<Instruction>(S.getOperand(Index));
  bool Vector = S.getType()->isVectorTy() && S.getCondition()->getType()->isVectorTy();
  return X && Vector && X->hasOneUse() && X->getParent() == S.getParent() && !isa<Constant>(S.getCondition()) &&
                 isVectorInstruction(*X) && (AnyComputation || canBeGuarded(*X))
             ? X
             : nullptr;
}

/// Puts X, written to a region of `Old` under a mask, in the place of an instruction.
void replaceByMasked(Instruction &I, Value *Old, Instruction &X, const Region &Where, Value *Mask) {
  IRBuilder<> B(&I);
  Value *New = RegionWrite::create(B, Old, &X, Where, Mask);
  moveWithOperands(X, *cast<Instruction>(New));
  New->takeName(&I);
  I.replaceAllUsesWith(New);
  I.eraseFromParent();
}

bool predicate(SelectInst &S, unsigned Index, bool AnyComputation = false) {
  Instruction *X = guardedBy(S, Index, AnyComputation);
  if (!X)
    return false;
  Value *Old = S.getOperand(3 - Index);
  auto MaskBefore = [&](Instruction &I) {
    return Index == 1 ? S.getCondition() : IRBuilder<>(&I).CreateNot(S.getCondition());
  };
  if (S.hasOneUse())
    if (auto W = RegionWrite::match(S.user_back()); W && W->value() == &S) {
      auto R = RegionRead::match(Old);
      bool Same = R && R->source() == W->old() && R->Where == W->Where && W->Call->getParent() == S.getParent();
      if (!Same || !canSinkTo(*X, *W->Call))
        return false;
      replaceByMasked(*W->Call, W->old(), *X, W->Where, MaskBefore(*W->Call));
      S.eraseFromParent();
      if (R->Call->use_empty())
        R->Call->eraseFromParent();
      return true;
    }
  auto *Register = dyn_cast<Instruction>(registerOf(Old));
  if (isa<Constant>(Old) || (Register && (isBaled(*Register) || registerOf(Old) != Old)) || !canSinkTo(*X, S))
    return false;
  replaceByMasked(S, Old, *X, Region::contiguous(countOf(S.getType())), MaskBefore(S));
  return true;
}

/// A sum with something that is zero in the other channels.
bool predicateSum(BinaryOperator &Sum) {
  Value *Old, *P, *Part;
  if (!Sum.getType()->isVectorTy() || !canBeGuarded(Sum) ||
      !match(&Sum, m_c_Add(m_Value(Old), m_OneUse(m_Select(m_Value(P), m_Value(Part), m_Zero())))) ||
      !P->getType()->isVectorTy() || isa<Constant>(Old) || isBaled(Sum))
    return false;
  auto *Register = dyn_cast<Instruction>(Old);
  auto *Select = cast<SelectInst>(Sum.getOperand(0) == Old ? Sum.getOperand(1) : Sum.getOperand(0));
  if ((Register && (isBaled(*Register) || isAlias(Register))) || Select->getParent() != Sum.getParent() ||
      any_of(Select->operands(), [](Value *V) { return isa<Instruction>(V) && isBaled(*cast<Instruction>(V)); }))
    return false;
  auto *Alone = cast<Instruction>(IRBuilder<>(&Sum).CreateAdd(Old, Part));
  replaceByMasked(Sum, Old, *Alone, Region::contiguous(countOf(Sum.getType())), P);
  Select->eraseFromParent();
  return true;
}

/// -1 where a comparison of dwords holds, else 0.
bool takeMask(SelectInst &S) {
  if (!asksComparison(S) || !match(S.getTrueValue(), m_AllOnes()) || !match(S.getFalseValue(), m_Zero()))
    return false;
  S.replaceAllUsesWith(new SExtInst(S.getCondition(), S.getType(), "", S.getIterator()));
  S.eraseFromParent();
  return true;
}

/// A branch on any or all channels: what it compares comes right before it, for it alone.
bool gatherCondition(BranchInst &Branch) {
  auto *Compare = Branch.isConditional() ? dyn_cast<ICmpInst>(Branch.getCondition()) : nullptr;
  auto *Bits = Compare ? dyn_cast<BitCastInst>(Compare->getOperand(0)) : nullptr;
  auto *P = Bits ? dyn_cast_or_null<Instruction>(flagsCompared(*Compare)) : nullptr;
  if (!P || P->getParent() != Branch.getParent()) // flag registers are few
    return false;
  SmallVector<Instruction *, 3> Chain; // from the comparison to what reads the predicate
  for (Instruction *I = Compare; I != P; I = cast<Instruction>(I->getOperand(0)))
    Chain.push_back(I);
  Instruction *After = &Branch;
  for (Instruction *I : Chain) {
    Instruction *Copy = I->clone();
    Copy->insertBefore(After->getIterator());
    After->setOperand(0, Copy);
    After = Copy;
  }
  for (Instruction *I : Chain)
    if (I->use_empty())
      I->eraseFromParent();
  return true;
}

} // namespace

bool predicate(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      SmallVector<SelectInst *, 16> Selects;
      for (Instruction &I : Block)
        if (auto *S = dyn_cast<SelectInst>(&I))
          Selects.push_back(S);
      Value *Mask = maskOf(Block);
      auto NeedsMask = [&](SelectInst *S) {
        Instruction *X = S->getCondition() == Mask ? guardedBy(*S, 1, true) : nullptr;
        return X && !canBeGuarded(*X);
      };
      bool AnyComputation = count_if(Selects, NeedsMask) >= int(FewestForGoto);
      for (SelectInst *S : Selects)
        Changed |= predicate(*S, 1, AnyComputation && S->getCondition() == Mask) || predicate(*S, 2);
      for (Instruction &I : make_early_inc_range(Block))
        if (auto *Sum = dyn_cast<BinaryOperator>(&I))
          Changed |= predicateSum(*Sum);
      for (Instruction &I : make_early_inc_range(Block))
        if (auto *S = dyn_cast<SelectInst>(&I))
          Changed |= takeMask(*S);
      if (auto *Branch = dyn_cast_if_present<BranchInst>(Block.getTerminator()))
        Changed |= gatherCondition(*Branch);
    }
  return Changed;
}

} // namespace pocm::gen
