//===- NarrowComparisons.cpp - Bytes and words are compared with any number as such ---------------===//
//
// A pixel and a number that the host passes are compared in 32 bits, of which a register holds a fourth as many. The
// number is brought into the bytes' range once, in front of loops. Where it lies outside, all elements compare alike:
// the least number of the range is even, the largest one odd, so that the lowest bit of elements keeps them apart.
//
//     %w = zext <64 x i8> %v to <64 x i32>              %c = trunc (smin (smax %n, 0), 255) to i8
//     %m = icmp sgt <64 x i32> %w, splat %n       ->    %u = or <64 x i8> %v, splat (zext (%n < 0) to i8)
//                                                       %m = icmp ugt <64 x i8> %u, splat %c
//
// Needs:    whole vectors; in front of what hoists what loops do not change.
// Leaves:   vectors of few registers; comparisons of vectors with each other, and with constants, which LLVM narrows;
//           those of what is widened for others, too.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/LowBits.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// A number among those that elements of some bits may have.
struct Bounded {
  IRBuilder<> &B;
  Value *Number;
  APInt Least, Most; ///< Of the elements.
  bool Signed;       ///< The number counts as one with a sign.

  Value *below() { return B.CreateICmpSLT(Number, constant(Least)); }
  Value *above() { return B.CreateICmp(Signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, Number, constant(Most)); }
  /// The nearest.
  Value *inRange() {
    Value *Up = Signed ? B.CreateBinaryIntrinsic(Intrinsic::smax, Number, constant(Least)) : Number;
    return B.CreateBinaryIntrinsic(Signed ? Intrinsic::smin : Intrinsic::umin, Up, constant(Most));
  }

private:
  Value *constant(const APInt &N) { return ConstantInt::get(Number->getType(), N); }
};

Value *narrowed(ICmpInst &I, unsigned VectorBits) {
  if (!I.getType()->isVectorTy())
    return nullptr;
  CmpInst::Predicate P = I.getPredicate();
  auto *Cast = dyn_cast<CastInst>(I.getOperand(0));
  Value *Number = copied(I.getOperand(1));
  if (!Number) {
    Cast = dyn_cast<CastInst>(I.getOperand(1));
    Number = copied(I.getOperand(0));
    P = CmpInst::getSwappedPredicate(P);
  }
  if (!Cast || !Number || (!isa<ZExtInst>(Cast) && !isa<SExtInst>(Cast)))
    return nullptr;
  const bool WithSign = isa<SExtInst>(Cast), Equality = CmpInst::isEquality(P);
  if (WithSign && !Equality && !CmpInst::isSigned(P))
    return nullptr; // a negative element counts as a large one
  const unsigned From = Cast->getSrcTy()->getScalarSizeInBits(), To = Cast->getType()->getScalarSizeInBits();
  if (From < 8 || !all_of(Cast->users(), [](const User *U) { return isa<ICmpInst>(U); }))
    return nullptr; // it has that many bits anyway
  constexpr unsigned Few = 2, Several = 4;
  if (unsigned(countOf(I.getType())) * To < (isa<Argument>(Number) ? Few : Several) * VectorBits)
    return nullptr; // bringing the number into the range costs more
  IRBuilder<> B(&I);
  Bounded N{B, Number, (WithSign ? APInt::getSignedMinValue(From) : APInt::getZero(From)).sext(To),
            WithSign ? APInt::getSignedMaxValue(From).sext(To) : APInt::getMaxValue(From).zext(To),
            Equality || CmpInst::isSigned(P)};
  const CmpInst::Predicate Order = ICmpInst::getUnsignedPredicate(P);
  const auto Count = unsigned(countOf(I.getType()));
  Type *Short = Cast->getSrcTy()->getScalarType();
  auto splat = [&](Value *V) { return B.CreateVectorSplat(Count, V); };
  Value *Elements = Cast->getOperand(0);
  const bool AboveLeast = Order == CmpInst::ICMP_UGT || Order == CmpInst::ICMP_ULE;
  if (N.Signed && (Equality || AboveLeast))
    Elements = B.CreateOr(Elements, splat(B.CreateZExt(N.below(), Short)));
  if (Equality || !AboveLeast)
    Elements = B.CreateAnd(Elements, splat(B.CreateNot(B.CreateZExt(N.above(), Short))));
  return B.CreateICmp(WithSign && !Equality ? P : Order, Elements, splat(B.CreateTrunc(N.inRange(), Short)));
}

} // namespace

bool narrowComparisons(Function &F, unsigned VectorBits) {
  return replaceEach<ICmpInst>(F, [&](ICmpInst &I) { return narrowed(I, VectorBits); });
}

} // namespace pocm::cpu
