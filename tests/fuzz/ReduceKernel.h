// As much of a random kernel as shows its problem, for gen-fuzz --reduce: instruction after instruction goes away, its
// readers get an operand of it or zeros instead, branches go one way, while the problem stays.
//
//     auto Small = reduced(*M, [](Module &M) { return showsProblem(M); });
#pragma once

#include "ir/Region.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <functional>

namespace pocm::fuzz {

using ShowsProblem = std::function<bool(llvm::Module &)>;

/// Whether it keeps something in bounds that what reads it relies on: offsets, counts of shifts, divisors.
inline bool isBound(const llvm::Instruction &I) {
  using namespace llvm::PatternMatch;
  return match(&I, m_CombineOr(m_And(m_Value(), m_Constant()),
                               m_CombineOr(m_URem(m_Value(), m_Constant()), m_Or(m_Value(), m_Constant()))));
}

/// Whether something is divided by zero.
inline bool dividesByZero(const llvm::Function &F) {
  using namespace llvm::PatternMatch;
  return llvm::any_of(llvm::instructions(F),
                      [](const llvm::Instruction &I) { return I.isIntDivRem() && match(I.getOperand(1), m_Zero()); });
}

/// What readers of an instruction may read instead.
inline llvm::SmallVector<llvm::Value *, 4> substitutesOf(llvm::Instruction &I) {
  llvm::SmallVector<llvm::Value *, 4> All;
  if (isBound(I))
    return All;
  if (!I.getType()->isStructTy())
    All.push_back(llvm::Constant::getNullValue(I.getType()));
  for (llvm::Value *Operand : I.operands())
    if (Operand->getType() == I.getType() && Operand != &I)
      All.push_back(Operand);
  return All;
}

/// The instruction number `Number` made less, in the way number `Way`; false where there is no such way.
inline bool simplify(llvm::Function &F, unsigned Number, unsigned Way) {
  auto At = llvm::inst_begin(F);
  std::advance(At, Number);
  llvm::Instruction &I = *At;
  if (auto *Branch = llvm::dyn_cast<llvm::BranchInst>(&I)) {
    if (!Branch->isConditional() || Way > 1)
      return false;
    Branch->setCondition(llvm::ConstantInt::getBool(F.getContext(), Way == 0));
    llvm::ConstantFoldTerminator(I.getParent());
    llvm::removeUnreachableBlocks(F);
    return true;
  }
  if (I.isTerminator())
    return false;
  if (I.getType()->isVoidTy()) {
    if (Way == 0)
      I.eraseFromParent();
    return Way == 0;
  }
  auto Substitutes = substitutesOf(I);
  if (Way >= Substitutes.size())
    return false;
  I.replaceAllUsesWith(Substitutes[Way]);
  I.eraseFromParent();
  return true;
}

/// What nobody reads any more goes, and phis and blocks of which only one way is left.
inline void clean(llvm::Function &F) {
  for (llvm::BasicBlock &Block : llvm::make_early_inc_range(F))
    for (llvm::PHINode &Phi : llvm::make_early_inc_range(Block.phis()))
      if (llvm::Value *Only = Phi.hasConstantValue()) {
        Phi.replaceAllUsesWith(Only);
        Phi.eraseFromParent();
      }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (llvm::BasicBlock &Block : F)
      for (llvm::Instruction &I : llvm::make_early_inc_range(llvm::reverse(Block)))
        if (!I.isTerminator() && !I.getType()->isVoidTy() && I.use_empty()) {
          I.eraseFromParent();
          Changed = true;
        }
  }
  for (llvm::BasicBlock &Block : llvm::make_early_inc_range(F))
    llvm::MergeBlockIntoPredecessor(&Block);
}

inline std::unique_ptr<llvm::Module> reduced(const llvm::Module &M, const ShowsProblem &Shows) {
  std::unique_ptr<llvm::Module> Best = llvm::CloneModule(M);
  auto Try = [&](llvm::ArrayRef<unsigned> Numbers, unsigned Way) {
    std::unique_ptr<llvm::Module> Smaller = llvm::CloneModule(*Best);
    llvm::Function &F = *Smaller->getFunction("k");
    bool Any = false;
    for (unsigned Number : Numbers) // from the end: numbers before it stay
      Any |= Number < F.getInstructionCount() && simplify(F, Number, Way);
    if (!Any)
      return false;
    clean(F);
    if (llvm::verifyModule(*Smaller) || dividesByZero(F) || !Shows(*Smaller))
      return false;
    Best = std::move(Smaller);
    return true;
  };
  for (bool Again = true; Again;) {
    Again = false;
    unsigned Count = Best->getFunction("k")->getInstructionCount();
    for (unsigned Size = std::max(Count / 4, 1u); Size; Size /= 2)
      for (int First = int(Count) - 1; First >= 0; First -= int(Size)) {
        llvm::SmallVector<unsigned> Numbers;
        for (int K = First; K >= 0 && K > First - int(Size); --K)
          Numbers.push_back(unsigned(K));
        for (unsigned Way = 0; Way < (Size == 1 ? 4 : 1); ++Way)
          if (Try(Numbers, Way)) {
            Again = true;
            break;
          }
      }
  }
  for (llvm::Function &F : llvm::make_early_inc_range(*Best))
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
  return Best;
}

} // namespace pocm::fuzz
