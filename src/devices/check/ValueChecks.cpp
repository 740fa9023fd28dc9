//===- ValueChecks.cpp - Checks of values that nobody wrote --------------------------===//
//
//     br i1 %c, ...   ->   br i1 (any bit of the shadow of %c), label %unwritten, ...
//                          ; %unwritten: call @pocm_check_value(%record, @site, %flags)
//
// Sinks.h says where a value matters, Shadows.h which of its bits nobody wrote.
//
//===---------------------------------------------------------------------------------===//
#include "devices/check/Instrumenter.h"
#include "ir/Region.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace pocm::check {

bool Instrumenter::matters(const Sink &S, const MayBeUnwritten &May) {
  BitVector Unwritten = May.of(S.V);
  return S.Elements.empty() ? Unwritten.any() : Unwritten.anyCommon(S.Elements);
}

void Instrumenter::findUnwritten(ArrayRef<Instruction *> All) {
  auto Found = std::make_unique<MayBeUnwritten>(F);
  auto Uses = [&](Instruction *I) { return any_of(sinksOf(*I), [&](const Sink &S) { return matters(S, *Found); }); };
  if (none_of(All, Uses))
    return;
  nameUndefined(F);
  May = std::make_unique<MayBeUnwritten>(F);
  Shadow = std::make_unique<Shadows>(*May);
  Shadow->followMemory(F);
}

void Instrumenter::checkValues(Instruction &I) {
  if (May)
    for (const Sink &S : sinksOf(I))
      if (matters(S, *May))
        checkValue(I, S);
}

void Instrumenter::checkValue(Instruction &I, const Sink &S) {
  Value *Bits = Shadow->of(S.V);
  if (!Bits)
    return;
  B.SetInsertPoint(&I);
  B.SetCurrentDebugLocation({});
  unsigned Width = Bits->getType()->getScalarSizeInBits();
  if (S.Bits && S.Bits < Width)
    Bits = B.CreateAnd(Bits, ConstantInt::get(Bits->getType(), APInt::getLowBitsSet(Width, S.Bits)));
  Value *Flags = anyBit(B, Bits);
  if (S.Lanes)
    Flags = B.CreateAnd(Flags, repeated(B, S.Lanes, Flags->getType()));
  if (!S.Elements.empty() && !S.Elements.all()) {
    SmallVector<Constant *, 32> Wanted;
    for (unsigned K = 0; K < S.Elements.size(); ++K)
      Wanted.push_back(B.getInt1(S.Elements[K]));
    Flags = B.CreateAnd(Flags, ConstantVector::get(Wanted));
  }
  Value *Any = Flags->getType()->isVectorTy() ? B.CreateOrReduce(Flags) : Flags;
  What W{S.What, Access::Read, unsigned(elementBytes(S.V->getType())), unsigned(countOf(S.V->getType()))};
  W.Object = Shadow->originOf(S.V);
  Constant *Where = site(I, W);
  B.SetInsertPoint(SplitBlockAndInsertIfThen(Any, I.getIterator(), /*Unreachable=*/false));
  call(ValueHelper,
       {Record, Where, inMemory(Wanted, B.CreateZExt(Flags, vectorLike(B.getInt8Ty(), Flags->getType())))});
}

void Instrumenter::dropUnwritten() {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (is_contained({Op::Bounds, Op::KeptWrite, Op::SourceLine}, operationOf(&I))) {
      I.eraseFromParent();
    } else if (operationOf(&I) == Op::Unwritten) {
      I.replaceAllUsesWith(May ? Constant::getNullValue(I.getType()) : UndefValue::get(I.getType()));
      I.eraseFromParent();
    }
  }
}

} // namespace pocm::check
