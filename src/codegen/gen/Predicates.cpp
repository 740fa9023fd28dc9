//===- Predicates.cpp - Predicates: as numbers, of fewer channels, and what they guard --===//
#include "codegen/gen/Predicates.h"
#include "codegen/gen/Bales.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {

static Type *wordsLike(Type *T) { return vectorLike(Type::getInt16Ty(T->getContext()), T); }

Value *asWords(IRBuilderBase &B, Value *P) {
  Type *T = wordsLike(P->getType());
  return B.CreateSelect(P, Constant::getAllOnesValue(T), Constant::getNullValue(T));
}

Value *asPredicate(IRBuilderBase &B, Value *Words) {
  return B.CreateICmpNE(Words, Constant::getNullValue(Words->getType()));
}

Value *channels(IRBuilderBase &B, Value *V, int Start, int Have, int Count, bool AnyRest) {
  Type *T = V->getType();
  auto Rest = [&](Type *Of) {
    return AnyRest && !isPredicate(T) ? cast<Constant>(PoisonValue::get(Of)) : Constant::getNullValue(Of);
  };
  if (auto *C = dyn_cast<Constant>(V)) {
    C = ConstantFoldConstant(C, B.GetInsertBlock()->getDataLayout()); // pairs of words seen as dwords, say
    SmallVector<Constant *, 16> Elements;
    for (int K = 0; K < Count; ++K)
      Elements.push_back(K < Have ? (T->isVectorTy() ? C->getAggregateElement(unsigned(Start + K)) : C)
                                  : Rest(T->getScalarType()));
    return ConstantVector::get(Elements);
  }
  if (isPredicate(T))
    return Start == 0 && T->isVectorTy() && countOf(T) == Count
               ? V
               : asPredicate(B, channels(B, asWords(B, V), Start, Have, Count));
  if (!T->isVectorTy())
    V = B.CreateBitCast(V, T = FixedVectorType::get(T, 1));
  if (Start == 0 && countOf(T) == Count)
    return V;
  Value *Part = RegionRead::create(B, ofCount(T, Have), V, Region::contiguous(Have, Start));
  return Have == Count ? Part : RegionWrite::create(B, Rest(ofCount(T, Count)), Part, Region::contiguous(Have));
}

bool canBeGuarded(const Instruction &I) {
  Type *T = I.getType()->getScalarType();
  const APInt *Factor;
  if (T->getScalarSizeInBits() > 32)
    return false;
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
  case Instruction::FDiv:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return T->getScalarSizeInBits() >= 16;
  case Instruction::Mul: // of two dwords takes several on some targets
    return T->getScalarSizeInBits() == 16 || (match(I.getOperand(1), m_APInt(Factor)) && Factor->isSignedIntN(16));
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return T->isFloatTy() && I.getOperand(0)->getType()->getScalarSizeInBits() == 32;
  case Instruction::Call:
    if (operationOf(&I) == Op::Saturate)
      return T->getScalarSizeInBits() >= 16;
    return T->isFloatTy() && (operationOf(&I) == Op::ReciprocalSqrt ||
                              is_contained({Intrinsic::fma, Intrinsic::sqrt, Intrinsic::exp2, Intrinsic::log2,
                                            Intrinsic::sin, Intrinsic::cos, Intrinsic::pow},
                                           cast<CallInst>(I).getIntrinsicID()));
  default:
    return false;
  }
}

unsigned widened(const ShuffleVectorInst &S) {
  ArrayRef<int> Mask = S.getShuffleMask();
  auto Have = unsigned(countOf(S.getOperand(0)->getType()));
  auto *Rest = dyn_cast<Constant>(S.getOperand(1));
  if (!isPredicate(S.getType()) || Mask.size() <= Have || !Rest)
    return 0;
  for (unsigned K = 0; K < Mask.size(); ++K) {
    if (K < Have ? Mask[K] != int(K) : Mask[K] < int(Have))
      return 0;
    if (K >= Have && !match(Rest->getAggregateElement(unsigned(Mask[K]) - Have), m_Zero()))
      return 0;
  }
  return Have;
}

bool isLowerChannels(const Instruction &I) {
  auto *S = dyn_cast<ShuffleVectorInst>(&I);
  if (!S || !isPredicate(I.getType()) || isa<Constant>(S->getOperand(0)))
    return false;
  for (unsigned K = 0; K < S->getShuffleMask().size(); ++K)
    if (S->getShuffleMask()[K] != int(K))
      return false;
  return countOf(I.getType()) <= countOf(S->getOperand(0)->getType()) && countOf(S->getOperand(0)->getType()) <= 16;
}

} // namespace pocm::gen
