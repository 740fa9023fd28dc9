//===- SunkResults.cpp - What is only stored takes its last form beside the stores ----------------===//
//
// A block is written in one of several ways: inside its surface, over the edge, around the cache. CPUs store as part of
// one instruction what they narrow or take out of a register, and LLVM finds that in one basic block alone:
//
//     %b = trunc <16 x i32> %v to <16 x i8>                  br %inside, often, rare
//     br %inside, often, rare                              often:
//   often:                                                   %b = trunc <16 x i32> %v to <16 x i8>
//     store %b, %p                                   ->      store %b, %p
//   rare:                                                  rare:
//     store %b, %buffer                                      %c = trunc <16 x i32> %v to <16 x i8>
//                                                            store %c, %buffer
//
// The limits of a conversion that saturates go with it.
//
// Needs:    stores where they stay.
// Leaves:   what is used otherwise, too, or in its own block; means, which are narrow where they are computed.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// A mean, (a + b + 1) >> 1, which CPUs compute in as few bits as the numbers have: the truncation is part of it.
bool isMean(const Value *V) {
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V))
    return isMean(Shuffle->getOperand(0));
  return match(V, m_LShr(m_Add(m_Value(), m_Value()), m_One()));
}

/// Vectors that become others by dropping bits or lanes, or by being put side by side.
bool isLastForm(const Instruction &I) {
  if (!I.getType()->isVectorTy() || (isa<TruncInst>(I) && isMean(I.getOperand(0))))
    return false;
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    int Start;
    return Shuffle->isConcat() ||
           ShuffleVectorInst::isExtractSubvectorMask(
               Shuffle->getShuffleMask(), cast<FixedVectorType>(Shuffle->getOperand(0)->getType())->getNumElements(),
               Start);
  }
  return isa<TruncInst, FPTruncInst, BitCastInst>(I);
}

/// A limit, which CPUs apply as part of an instruction that drops bits.
bool isLimit(const Instruction &I) {
  auto *MinMax = dyn_cast<MinMaxIntrinsic>(&I);
  return MinMax && I.getType()->isVectorTy() && isa<Constant>(MinMax->getRHS());
}

bool isStoredElsewhere(const Instruction &I) {
  return !I.use_empty() && all_of(I.uses(), [&](const Use &U) {
    auto *Store = dyn_cast<StoreInst>(U.getUser());
    return Store && U.getOperandNo() != StoreInst::getPointerOperandIndex() && Store->getParent() != I.getParent();
  });
}

/// Puts a copy in front of each store, and so for what that one is made of where nothing else is.
void sink(Instruction &I) {
  SmallVector<Instruction *, 4> Copies;
  for (Use &U : make_early_inc_range(I.uses())) {
    Instruction *Copy = I.clone();
    Copy->insertBefore(cast<Instruction>(U.getUser())->getIterator());
    U.set(Copy);
    Copies.push_back(Copy);
  }
  SmallSetVector<Instruction *, 2> From;
  for (Value *Operand : I.operands())
    if (auto *Made = dyn_cast<Instruction>(Operand))
      From.insert(Made);
  BasicBlock *Home = I.getParent();
  const bool HasLimits = isa<TruncInst>(I) || isLimit(I);
  I.eraseFromParent();
  for (Instruction *Made : From)
    if (Made->getParent() == Home && (isLastForm(*Made) || (HasLimits && isLimit(*Made))) &&
        all_of(Made->users(), [&](const User *U) { return is_contained(Copies, U); }))
      sink(*Made);
}

} // namespace

bool sinkResults(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<Instruction *, 16> Sunk;
    for (Instruction &I : instructions(F))
      if (isLastForm(I) && isStoredElsewhere(I))
        Sunk.push_back(&I);
    for (Instruction *I : Sunk)
      sink(*I);
    Changed |= !Sunk.empty();
  }
  return Changed;
}

} // namespace pocm::cpu
