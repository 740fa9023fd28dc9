//===- RegionBounds.cpp - What lies outside of its vector -------------------------------------===//
//
//     rdregion(<8 x float> %v, 0, 8, 1, 16)      ->  its first four elements only
//     rdregion(<8 x float> %v, 0, 1, 0, %at)     ->  rdregion(%v, 0, 1, 0, umin %at, 28)
//
// A part of gen-operations: Gen's regions reach the registers behind a vector.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Operations.h"
#include "ir/Operands.h"
#include "ir/Ranges.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// An offset known at run time that could leave its vector is moved inside, as on the cpu device.
bool moveInside(CallInst &I, const Region &R, int Count, Type *Parent) {
  if (R.isConstant())
    return false;
  Region First = R;
  First.Offset = 0, First.Dynamic = nullptr;
  bool Each = R.Dynamic->getType()->isVectorTy();
  int Last = 0;
  for (int K = 0; K < Count && !Each; ++K)
    Last = std::max(Last, First.element(K));
  uint64_t Most = uint64_t(std::max(0, countOf(Parent) - 1 - Last)) * uint64_t(elementBytes(Parent));
  unsigned Bits = R.Dynamic->getType()->getScalarSizeInBits();
  if (!Most) { // of what does not fit anywhere some elements are outside
    setOperand(I, Role::Offset, Constant::getNullValue(R.Dynamic->getType()));
    return true;
  }
  if (integerRange(R.Dynamic).getUnsignedMax().ule(Most))
    return false;
  IRBuilder<> B(&I);
  setOperand(
      I, Role::Offset,
      B.CreateBinaryIntrinsic(Intrinsic::umin, R.Dynamic, ConstantInt::get(R.Dynamic->getType(), APInt(Bits, Most))));
  return true;
}

} // namespace

Value *readInside(const RegionRead &R) {
  int Size = countOf(R.source()->getType());
  SmallVector<int, 32> Elements;
  for (int K = 0; K < R.count(); ++K)
    Elements.push_back(R.Where.element(K) < Size ? std::max(R.Where.element(K), -1) : -1);
  if (!is_contained(Elements, -1))
    return nullptr;
  IRBuilder<> B(R.Call);
  Type *T = R.Call->getType();
  return T->isVectorTy() && any_of(Elements, [](int E) { return E >= 0; })
             ? pick(B, T, R.source(), R.source(), Elements)
             : PoisonValue::get(T);
}

Value *writeInside(const RegionWrite &W) {
  int Size = countOf(W.old()->getType()), Count = W.count();
  auto IsInside = [&](int K) { return W.Where.element(K) >= 0 && W.Where.element(K) < Size; };
  if (all_of(seq(Count), IsInside))
    return nullptr;
  IRBuilder<> B(W.Call);
  Value *New = W.old();
  for (int First = 0, Last; First < Count; First = Last) {
    Last = First + 1;
    if (!IsInside(First))
      continue;
    int Step = W.Where.element(First + 1) - W.Where.element(First); // what it is of one element does not matter
    while (Last < Count && IsInside(Last) && W.Where.element(Last) == W.Where.element(Last - 1) + Step)
      ++Last;
    Type *T = FixedVectorType::get(W.Call->getType()->getScalarType(), unsigned(Last - First));
    Value *Part = RegionRead::create(B, T, W.value(), Region::contiguous(Last - First, First));
    New = RegionWrite::create(B, New, Part, {0, Last - First, Step, W.Where.element(First)});
  }
  return New;
}

bool moveInside(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto R = RegionRead::match(&I))
      Changed |= moveInside(*R->Call, R->Where, R->count(), R->source()->getType());
    else if (auto W = RegionWrite::matchMasked(&I))
      Changed |= moveInside(*W->Call, W->Where, W->count(), W->old()->getType());
  return Changed;
}

} // namespace pocm::gen
