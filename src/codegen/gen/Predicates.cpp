//===- Predicates.cpp - Predicates as numbers, and back ---------------------------------===//
#include "codegen/gen/Predicates.h"
#include "codegen/gen/Bales.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace pocm::gen {

static Type *wordsLike(Type *T) {
  Type *Word = Type::getInt16Ty(T->getContext());
  auto *V = dyn_cast<FixedVectorType>(T);
  return V ? FixedVectorType::get(Word, V->getNumElements()) : Word;
}

Value *asWords(IRBuilderBase &B, Value *P) {
  Type *T = wordsLike(P->getType());
  return B.CreateSelect(P, Constant::getAllOnesValue(T), Constant::getNullValue(T));
}

Value *asPredicate(IRBuilderBase &B, Value *Words) {
  return B.CreateICmpNE(Words, Constant::getNullValue(Words->getType()));
}

Value *channels(IRBuilderBase &B, Value *V, int Start, int Have, int Count, bool AnyRest) {
  Type *T = V->getType();
  auto OfCount = [&](int N) { return FixedVectorType::get(T->getScalarType(), unsigned(N)); };
  auto Rest = [&](Type *Of) {
    return AnyRest && !isPredicate(T) ? cast<Constant>(PoisonValue::get(Of)) : Constant::getNullValue(Of);
  };
  if (auto *C = dyn_cast<Constant>(V)) {
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
  Value *Part = RegionRead::create(B, OfCount(Have), V, Region::contiguous(Have, Start));
  return Have == Count ? Part : RegionWrite::create(B, Rest(OfCount(Count)), Part, Region::contiguous(Have));
}

} // namespace pocm::gen
