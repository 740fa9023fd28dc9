//===- MaskedAccess.cpp - Gathers and scatters behind branches ---------------------------------------===//
//
//     %v = gather %addresses, %mask          ->    br %easy, straight, rare
//                                                straight:
//                                                  %s = ... what is easy
//                                                rare:
//                                                  %r = gather %addresses, %mask
//
// In the code of a whole kernel, near the end (Gathers.cpp, LikelyBlocks.cpp).
//
//===------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/MaskedAccess.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Moves an instruction to the beginning of a block, and what nobody else needs of what it is computed from.
void sink(Instruction &I, BasicBlock *Where) {
  I.moveBefore(Where->getFirstInsertionPt());
  for (Value *Operand : I.operands())
    if (auto *From = dyn_cast<Instruction>(Operand);
        From && From->hasOneUse() && From->getParent() == Where->getSinglePredecessor() &&
        isa<CastInst, BinaryOperator, GetElementPtrInst, ShuffleVectorInst>(From))
      sink(*From, Where);
}

} // namespace

Value *isOnEverywhere(IRBuilder<> &B, Value *Mask) {
  Type *Bits = B.getIntNTy(cast<FixedVectorType>(Mask->getType())->getNumElements());
  return B.CreateICmpEQ(B.CreateBitCast(Mask, Bits), Constant::getAllOnesValue(Bits));
}

void accessEasily(const MaskedAccess &A, Value *Easy, MDNode *Weights, function_ref<Value *(IRBuilder<> &)> Access) {
  Instruction *Straight, *Rare;
  SplitBlockAndInsertIfThenElse(Easy, &A.Call, &Straight, &Rare, Weights);
  IRBuilder<> B(Straight);
  Value *Read = Access(B);
  BasicBlock *Join = A.Call.getParent();
  sink(A.Call, Rare->getParent());
  if (!Read)
    return;
  B.SetInsertPoint(Join, Join->begin());
  PHINode *Both = B.CreatePHI(A.Type, 2);
  A.Call.replaceAllUsesWith(Both);
  Both->addIncoming(Read, Straight->getParent());
  Both->addIncoming(&A.Call, Rare->getParent());
}

} // namespace pocm::cpu
