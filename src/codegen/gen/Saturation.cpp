//===- Saturation.cpp - Clamped sums of 32 bits, without 64 -----------------------------------===//
//
//     trunc (umin (add (zext %x), (zext %y)), 0xFFFFFFFF)  ->  uadd.sat %x, %y
//     trunc (smin (smax (add (sext %x), 5), min), max)     ->  sadd.sat %x, 5
//     trunc (smax (zext %x), 16)                           ->  umax %x, 16
//     trunc (smin (zext nneg (i32 %x)), 255) to i8         ->  trunc (smin %x, 255)
//
// The language's sums and conversions with SAT are exact, in integers of twice the size; LLVM narrows those of scalars
// only, and makes the last of `%x - 16`, at least 0.
//
// Needs:    exact sums, widened in the IR as the language has them; ranges from before 64 bits are taken apart.
// Leaves:   sums of 64 bits that are not clamped, or not to their size.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Replace.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

/// What a wide value is as a narrow one of so many bits, extended with its sign or with zeros; null for others.
Value *narrowed(Value *V, Type *To, bool Signed) {
  unsigned Bits = To->getScalarSizeInBits();
  const APInt *Number;
  if (match(V, m_APInt(Number)))
    return (Signed ? Number->isSignedIntN(Bits) : Number->isIntN(Bits)) ? ConstantInt::get(To, Number->trunc(Bits))
                                                                        : nullptr;
  Value *From;
  bool Extended = Signed ? match(V, m_SExt(m_Value(From))) : match(V, m_ZExt(m_Value(From)));
  return Extended && From->getType() == To ? From : nullptr;
}

/// A sum that is clamped to what the narrow type holds.
Value *clampedSum(IRBuilder<> &B, Value *V, Type *To) {
  unsigned Bits = To->getScalarSizeInBits(), Wide = V->getType()->getScalarSizeInBits();
  APInt Most = APInt::getMaxValue(Bits).zext(Wide), High = APInt::getSignedMaxValue(Bits).sext(Wide),
        Low = APInt::getSignedMinValue(Bits).sext(Wide);
  Value *L, *R;
  auto Sum = m_Add(m_Value(L), m_Value(R));
  auto Saturated = [&](bool Signed) -> Value * {
    Value *X = narrowed(L, To, Signed), *Y = narrowed(R, To, Signed);
    return X && Y ? B.CreateBinaryIntrinsic(Signed ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, X, Y) : nullptr;
  };
  if (match(V, m_UMin(Sum, m_SpecificInt(Most))) || match(V, m_SMin(Sum, m_SpecificInt(Most))))
    return Saturated(false);
  if (match(V, m_SMin(m_SMax(Sum, m_SpecificInt(Low)), m_SpecificInt(High))) ||
      match(V, m_SMax(m_SMin(Sum, m_SpecificInt(High)), m_SpecificInt(Low))))
    return Saturated(true);
  return nullptr;
}

/// The lesser or greater of two that are narrow.
Value *limited(IRBuilder<> &B, Value *V, Type *To) {
  auto *Call = dyn_cast<MinMaxIntrinsic>(V);
  if (!Call)
    return nullptr;
  bool Least = is_contained({Intrinsic::smin, Intrinsic::umin}, Call->getIntrinsicID());
  for (bool Signed : {false, true}) {
    if (Signed && !Call->isSigned())
      continue;
    Value *X = narrowed(Call->getLHS(), To, Signed), *Y = narrowed(Call->getRHS(), To, Signed);
    if (X && Y)
      return B.CreateBinaryIntrinsic(Signed  ? Least ? Intrinsic::smin : Intrinsic::smax
                                     : Least ? Intrinsic::umin
                                             : Intrinsic::umax,
                                     X, Y);
  }
  return nullptr;
}

/// What a value of 64 bits is as a signed dword; null for others. A sum that is limited on both sides may saturate
/// before.
Value *asDword(IRBuilder<> &B, Value *V, Type *To, bool LimitedBelow = false, bool LimitedAbove = false) {
  const APInt *Number;
  if (match(V, m_APInt(Number)))
    return Number->isSignedIntN(32) ? ConstantInt::get(To, Number->trunc(32)) : nullptr;
  Value *L, *R;
  if (match(V, m_SExt(m_Value(L))))
    return L->getType()->getScalarSizeInBits() <= 32 ? B.CreateSExt(L, To) : nullptr;
  if (match(V, m_ZExt(m_Value(L)))) {
    bool Fits = L->getType()->getScalarSizeInBits() < 32 || (L->getType() == To && match(V, m_NNegZExt(m_Value())));
    return Fits ? B.CreateZExt(L, To) : nullptr;
  }
  if (auto *Call = dyn_cast<MinMaxIntrinsic>(V); Call && match(Call->getRHS(), m_APInt(Number)) && Call->isSigned()) {
    bool Least = Call->getIntrinsicID() == Intrinsic::smin;
    Value *Limit = asDword(B, Call->getRHS(), To);
    L = Limit ? asDword(B, Call->getLHS(), To, LimitedBelow || !Least, LimitedAbove || Least) : nullptr;
    return L ? B.CreateBinaryIntrinsic(Call->getIntrinsicID(), L, Limit) : nullptr;
  }
  if (!match(V, m_Add(m_Value(L), m_Value(R))))
    return nullptr;
  auto IsOfWords = [](Value *V) {
    Value *From;
    return match(V, m_ZExtOrSExt(m_Value(From))) && From->getType()->getScalarSizeInBits() <= 16;
  };
  bool Fits = IsOfWords(L) && IsOfWords(R);
  Value *X = Fits || (LimitedBelow && LimitedAbove) ? asDword(B, L, To) : nullptr, *Y = X ? asDword(B, R, To) : nullptr;
  if (X && !Y)
    RecursivelyDeleteTriviallyDeadInstructions(X);
  return !Y ? nullptr : Fits ? B.CreateAdd(X, Y) : B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, X, Y);
}

Value *narrow(TruncInst &I) {
  Value *Wide = I.getOperand(0);
  if (Wide->getType()->getScalarSizeInBits() != 64)
    return nullptr;
  IRBuilder<> B(&I);
  Value *Clamped = clampedSum(B, Wide, I.getType());
  if (!Clamped)
    Clamped = limited(B, Wide, I.getType());
  if (Clamped || I.getType()->getScalarSizeInBits() >= 32 || !isa<MinMaxIntrinsic>(Wide))
    return Clamped;
  Value *Dword = asDword(B, Wide, I.getType()->getWithNewBitWidth(32));
  return Dword ? B.CreateTrunc(Dword, I.getType()) : nullptr;
}

} // namespace

bool narrowSaturation(Module &M, const GenTarget &) { return replaceEach<TruncInst>(M, narrow); }

} // namespace pocm::gen
