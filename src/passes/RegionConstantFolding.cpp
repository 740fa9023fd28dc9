//===- RegionConstantFolding.cpp - Regions of constants and splats -----------===//
//
//     rdregion(<0,1,2,3,4,5,6,7>, 0, 4, 2, i16 4)       ->  <1,3,5,7>
//     rdregion(splat %x, any region)                    ->  splat %x
//     rdregion(%x, vector of constant offsets)          ->  a region, or a shuffle
//     wrregion(constant, constant, R)                   ->  constant
//     wrregion(splat c, splat c, R)                     ->  splat c
//     sat(constant)                                     ->  constant
//
// Why:      initialiser arrays, fills and masks are constants that regions cut apart.
// Needs:    whole values; constants folded by LLVM.
// Leaves:   regions of what is known at run time only.
// Not done: run-time offsets (except into splats), reads past the end.
//
//===----------------------------------------------------------------------===//
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

Constant *elementOf(Constant *C, int I) {
  if (!C->getType()->isVectorTy())
    return I == 0 ? C : nullptr;
  return I >= 0 && I < countOf(C->getType()) ? C->getAggregateElement(unsigned(I)) : nullptr;
}

/// A gather at constant offsets is a region, or at least a shuffle.
Value *foldGather(const RegionRead &R, Constant &Offsets) {
  SmallVector<int, 64> Elements;
  for (int K = 0; K < R.count(); ++K) {
    auto *Offset = dyn_cast_or_null<ConstantInt>(Offsets.getAggregateElement(unsigned(K)));
    if (!Offset)
      return nullptr;
    int Element = int(Offset->getZExtValue()) / elementBytes(R.source()->getType());
    if (Element >= countOf(R.source()->getType()))
      return nullptr;
    Elements.push_back(Element);
  }
  IRBuilder<> B(R.Call);
  if (auto Where = Region::through(Elements))
    return RegionRead::create(B, R.Call->getType(), R.source(), *Where);
  return B.CreateShuffleVector(R.source(), Elements);
}

/// Whether a place that the program chooses while it runs is to be looked at (ir/Unwritten.h).
bool isLookedAt(const RegionRead &R) {
  return R.Where.Dynamic && R.Call->getModule()->getModuleFlag(KeepUnwrittenFlag);
}

Value *foldRead(const RegionRead &R) {
  if (Value *Splat = isLookedAt(R) ? nullptr : getSplatValue(R.source())) {
    IRBuilder<> B(R.Call);
    return R.Call->getType()->isVectorTy() ? B.CreateVectorSplat(unsigned(R.count()), Splat) : Splat;
  }
  if (auto *Offsets = dyn_cast_or_null<Constant>(R.Where.Dynamic); Offsets && Offsets->getType()->isVectorTy())
    return foldGather(R, *Offsets);
  auto *Source = dyn_cast<Constant>(R.source());
  if (!Source || !R.Where.isConstant())
    return nullptr;
  SmallVector<Constant *, 64> Elements;
  for (int K = 0; K < R.count(); ++K) {
    Constant *Element = elementOf(Source, R.Where.element(K));
    if (!Element)
      return nullptr;
    Elements.push_back(Element);
  }
  return R.Call->getType()->isVectorTy() ? ConstantVector::get(Elements) : Elements[0];
}

Value *foldWrite(const RegionWrite &W) {
  auto *Old = dyn_cast<Constant>(W.old()), *New = dyn_cast<Constant>(W.value());
  if (!Old || !New || !W.Where.isConstant())
    return nullptr;
  SmallVector<Constant *, 64> Elements;
  for (int I = 0; I < countOf(Old->getType()); ++I)
    Elements.push_back(elementOf(Old, I));
  for (int K = 0; K < W.count(); ++K) {
    int I = W.Where.element(K);
    if (I >= 0 && I < int(Elements.size()))
      Elements[I] = elementOf(New, K);
  }
  return is_contained(Elements, nullptr) ? nullptr : ConstantVector::get(Elements);
}

/// Clamped to [0, 1], without a sign.
Value *foldSaturation(const CallInst &Call) {
  auto *C = dyn_cast<Constant>(operandOf(Call, Role::Source));
  Type *T = Call.getType(), *Element = T->getScalarType();
  if (!C || !Element->isFloatingPointTy())
    return nullptr;
  SmallVector<Constant *, 64> Elements;
  for (int K = 0; K < countOf(T); ++K) {
    Constant *From = elementOf(C, K);
    auto *Number = dyn_cast_or_null<ConstantFP>(From);
    if (!Number && !isa_and_nonnull<UndefValue>(From))
      return nullptr;
    bool Positive = Number && !Number->isNegative() && !Number->isNaN() && !Number->isZero();
    Constant *One = ConstantFP::get(Element, 1.0);
    bool Below = Positive && Number->getValueAPF() < cast<ConstantFP>(One)->getValueAPF();
    Elements.push_back(Below ? Number : Positive ? One : Constant::getNullValue(Element));
  }
  return T->isVectorTy() ? ConstantVector::get(Elements) : Elements[0];
}

Value *fold(Instruction &I) {
  if (auto R = RegionRead::match(&I))
    return foldRead(*R);
  if (auto W = RegionWrite::match(&I))
    return foldWrite(*W);
  if (auto *Call = asOperation(&I, Op::Saturate))
    return foldSaturation(*Call);
  return nullptr;
}

} // namespace

bool foldRegionsOfConstants(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (Value *Known = fold(I)) {
        I.replaceAllUsesWith(Known);
        I.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace pocm
