//===- ExpandIntrinsics.cpp - LLVM's functions that are several operations ------------------===//
//
//     %s = scmp(%a, %b)                 -1, 0 or 1         ->   (sext (%a < %b)) - (sext (%a > %b))
//     %r = fshl(%x, %x, 7)              rotated            ->   (%x << 7) | (%x >> 25)
//     %t = vector.reduce.add(<8> %v)                       ->   halves added to each other, three times
//     %p = sadd.with.overflow(%a, %b)   {sum, overflow}    ->   the sum; its sign is none of theirs
//     %c = is.fpclass(%x, normal)                          ->   (%x as an integer, without sign) - least < count
//
// LLVM's simplification finds these in plain arithmetic, and CPUs have instructions for some.
//
// Needs:    nothing.
// Leaves:   what Gen's instructions do: minima, saturating sums, counts of bits, 32 reversed bits, rounding to even,
// ...
//
//===----------------------------------------------------------------------------------------===//
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

/// `Count` elements of a vector from one on, or one as a scalar.
Value *part(IRBuilderBase &B, Value *V, int Count, int Start) {
  Type *Element = V->getType()->getScalarType();
  if (Count == 1)
    return RegionRead::create(B, Element, V, {0, 1, 0, Start});
  return RegionRead::create(B, FixedVectorType::get(Element, unsigned(Count)), V, Region::contiguous(Count, Start));
}

// Reductions

Value *combine(IRBuilderBase &B, Intrinsic::ID Reduction, Value *L, Value *R) {
  switch (Reduction) {
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    return B.CreateBinOp(Instruction::BinaryOps(getArithmeticReductionInstruction(Reduction)), L, R);
  default:
    return B.CreateBinaryIntrinsic(getMinMaxReductionIntrinsicOp(Reduction), L, R);
  }
}

/// Of single bits: the bits of a predicate as a number, or a word for each where no integer has as many.
Value *reduceBits(IRBuilderBase &B, Intrinsic::ID Reduction, Value *V) {
  int Channels = countOf(V->getType());
  if (Channels == 1)
    return B.CreateExtractElement(V, uint64_t(0));
  if (!is_contained({8, 16, 32}, Channels)) {
    Type *Words = V->getType()->getWithNewType(B.getInt16Ty());
    Value *All = B.CreateUnaryIntrinsic(Reduction, B.CreateSExt(V, Words)); // -1 for 1: minima and maxima agree
    bool Sum = is_contained({Intrinsic::vector_reduce_add, Intrinsic::vector_reduce_mul}, Reduction);
    return Sum ? B.CreateTrunc(All, B.getInt1Ty()) : B.CreateICmpNE(All, B.getInt16(0));
  }
  Type *Bits = B.getIntNTy(unsigned(Channels));
  Value *All = B.CreateBitCast(V, Bits);
  switch (Reduction) {
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_smin:
    return B.CreateICmpNE(All, Constant::getNullValue(Bits));
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_smax:
    return B.CreateICmpEQ(All, Constant::getAllOnesValue(Bits));
  default:
    return B.CreateTrunc(B.CreateUnaryIntrinsic(Intrinsic::ctpop, All), B.getInt1Ty());
  }
}

/// Halves are combined until one element is left; an odd one out comes in by itself.
Value *reduce(IntrinsicInst &I) {
  Intrinsic::ID Which = I.getIntrinsicID();
  bool Starts = I.arg_size() == 2; // float sums have a start value before the vector
  Value *V = Starts ? secondArgument(I) : firstArgument(I), *Sum = Starts ? firstArgument(I) : nullptr;
  IRBuilder<> B(&I);
  if (V->getType()->getScalarType()->isIntegerTy(1))
    return reduceBits(B, Which, V);
  int Count = countOf(V->getType());
  if (Sum && !I.hasAllowReassoc()) { // in order
    for (int K = 0; K < Count; ++K)
      Sum = combine(B, Which, Sum, part(B, V, 1, K));
    return Sum;
  }
  Value *Odd = nullptr;
  if (Count == 1)
    V = part(B, V, 1, 0);
  for (; Count > 1; Count /= 2) {
    if (Count % 2) {
      Value *Last = part(B, V, 1, Count - 1);
      Odd = Odd ? combine(B, Which, Odd, Last) : Last;
    }
    V = combine(B, Which, part(B, V, Count / 2, 0), part(B, V, Count / 2, Count / 2));
  }
  if (Odd)
    V = combine(B, Which, V, Odd);
  return Sum ? combine(B, Which, Sum, V) : V;
}

// Integers

Value *compareThreeWays(IRBuilderBase &B, IntrinsicInst &I) {
  auto [L, R] = argumentsOf<2>(I);
  bool Signed = I.getIntrinsicID() == Intrinsic::scmp;
  Value *Less = B.CreateICmp(Signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, L, R),
        *More = B.CreateICmp(Signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, L, R);
  return B.CreateSub(B.CreateSExt(Less, I.getType()), B.CreateSExt(More, I.getType()));
}

Value *funnelShift(IRBuilderBase &B, IntrinsicInst &I) {
  Type *T = I.getType();
  const unsigned Bits = T->getScalarSizeInBits();
  auto Number = [&](uint64_t C) { return ConstantInt::get(T, C); };
  bool Left = I.getIntrinsicID() == Intrinsic::fshl;
  auto [X, Y, N] = argumentsOf<3>(I);
  if (const APInt *Known; match(N, m_APInt(Known))) {
    uint64_t Shift = Known->urem(Bits);
    if (!Shift)
      return Left ? X : Y;
    return B.CreateOr(B.CreateShl(X, Number(Left ? Shift : Bits - Shift)),
                      B.CreateLShr(Y, Number(Left ? Bits - Shift : Shift)));
  }
  // (x << n) | (y >> 1 >> (bits - 1 - n)), which is right for n = 0 too
  N = B.CreateAnd(N, Number(Bits - 1));
  Value *Rest = B.CreateSub(Number(Bits - 1), N);
  return Left ? B.CreateOr(B.CreateShl(X, N), B.CreateLShr(B.CreateLShr(Y, Number(1)), Rest))
              : B.CreateOr(B.CreateLShr(Y, N), B.CreateShl(B.CreateShl(X, Number(1)), Rest));
}

/// Each byte is a region of the value as bytes.
Value *swapBytes(IRBuilderBase &B, IntrinsicInst &I) {
  int Bytes = int(I.getType()->getScalarSizeInBits() / 8), Count = countOf(I.getType());
  Type *All = FixedVectorType::get(B.getInt8Ty(), unsigned(Bytes * Count)), *One = B.getInt8Ty();
  if (Count > 1)
    One = FixedVectorType::get(One, unsigned(Count));
  Value *From = B.CreateBitCast(firstArgument(I), All), *To = PoisonValue::get(All);
  for (int K = 0; K < Bytes; ++K)
    To = RegionWrite::create(B, To, RegionRead::create(B, One, From, {Bytes, 1, 1, Bytes - 1 - K}), {Bytes, 1, 1, K});
  return B.CreateBitCast(To, I.getType());
}

/// In 32 bits, the bits that count are the upper ones.
Value *reverseFewBits(IRBuilderBase &B, IntrinsicInst &I) {
  unsigned Bits = I.getType()->getScalarSizeInBits();
  if (Bits >= 32 || Bits == 1)
    return nullptr;
  Type *Dwords = I.getType()->getWithNewType(B.getInt32Ty());
  Value *Reversed = B.CreateUnaryIntrinsic(Intrinsic::bitreverse, B.CreateZExt(firstArgument(I), Dwords));
  return B.CreateTrunc(B.CreateLShr(Reversed, ConstantInt::get(Dwords, 32 - Bits)), I.getType());
}

/// Whether a product of 64 bits without signs has more: by halves, of which one is 0 then or the answer is clear.
Value *overflows64(IRBuilderBase &B, Value *X, Value *Y) {
  Type *T = X->getType();
  Constant *Zero = Constant::getNullValue(T), *Low = ConstantInt::get(T, 0xFFFFFFFF);
  Value *UpperX = B.CreateLShr(X, 32), *UpperY = B.CreateLShr(Y, 32), *LowerX = B.CreateAnd(X, Low),
        *LowerY = B.CreateAnd(Y, Low);
  Value *Both = B.CreateAnd(B.CreateICmpNE(UpperX, Zero), B.CreateICmpNE(UpperY, Zero));
  Value *Middle = B.CreateAdd(B.CreateAdd(B.CreateMul(UpperX, LowerY), B.CreateMul(LowerX, UpperY)),
                              B.CreateLShr(B.CreateMul(LowerX, LowerY), 32));
  return B.CreateOr(Both, B.CreateICmpNE(B.CreateLShr(Middle, 32), Zero));
}

/// The result, and whether it did not fit.
std::pair<Value *, Value *> withOverflow(IRBuilderBase &B, WithOverflowInst &I) {
  Value *L = I.getLHS(), *R = I.getRHS();
  Type *T = L->getType();
  Constant *Zero = Constant::getNullValue(T);
  const unsigned Bits = T->getScalarSizeInBits();
  auto IsNegative = [&](Value *V) { return B.CreateICmpSLT(V, Zero); };
  Value *Result = B.CreateBinOp(I.getBinaryOp(), L, R);
  switch (I.getIntrinsicID()) {
  case Intrinsic::uadd_with_overflow:
    return {Result, B.CreateICmpULT(Result, L)};
  case Intrinsic::usub_with_overflow:
    return {Result, B.CreateICmpULT(L, R)};
  case Intrinsic::sadd_with_overflow:
    return {Result, IsNegative(B.CreateAnd(B.CreateXor(Result, L), B.CreateXor(Result, R)))};
  case Intrinsic::ssub_with_overflow:
    return {Result, IsNegative(B.CreateAnd(B.CreateXor(L, R), B.CreateXor(Result, L)))};
  default: // products
    break;
  }
  if (Bits <= 32) {
    Type *Wide = T->getWithNewType(B.getIntNTy(2 * Bits));
    auto Extend = [&](Value *V) { return I.isSigned() ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide); };
    Value *Whole = B.CreateMul(Extend(L), Extend(R));
    return {Result, B.CreateICmpNE(Whole, Extend(B.CreateTrunc(Whole, T)))};
  }
  if (!I.isSigned())
    return {Result, overflows64(B, L, R)};
  auto Size = [&](Value *V) { return B.CreateSelect(IsNegative(V), B.CreateNeg(V), V); };
  Value *Turned = B.CreateLShr(B.CreateXor(L, R), Bits - 1), *X = Size(L), *Y = Size(R); // 1 for unlike signs
  Value *Most = B.CreateAdd(Turned, ConstantInt::get(T, APInt::getSignedMaxValue(Bits)));
  return {Result, B.CreateOr(overflows64(B, X, Y), B.CreateICmpUGT(B.CreateMul(X, Y), Most))};
}

/// What takes the two results apart gets them; anything else a structure.
void expandOverflow(WithOverflowInst &I) {
  IRBuilder<> B(&I);
  auto [Result, Overflow] = withOverflow(B, I);
  for (User *U : make_early_inc_range(I.users()))
    if (auto *Part = dyn_cast<ExtractValueInst>(U)) {
      Part->replaceAllUsesWith(Part->getIndices()[0] ? Overflow : Result);
      Part->eraseFromParent();
    }
  if (!I.use_empty()) {
    Value *Both = B.CreateInsertValue(PoisonValue::get(I.getType()), Result, 0);
    I.replaceAllUsesWith(B.CreateInsertValue(Both, Overflow, 1));
  }
  I.eraseFromParent();
}

// Floats

/// Which of the classes a number is in, by its bits.
Value *isOfClass(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = firstArgument(I);
  const auto Wanted = FPClassTest(cast<ConstantInt>(secondArgument(I))->getZExtValue());
  const fltSemantics &Format = X->getType()->getScalarType()->getFltSemantics();
  Type *T = X->getType()->getWithNewType(B.getIntNTy(X->getType()->getScalarSizeInBits()));
  auto Number = [&](const APInt &C) { return ConstantInt::get(T, C); };
  const APInt Infinity = APFloat::getInf(Format).bitcastToAPInt(),
              Normal = APFloat::getSmallestNormalized(Format).bitcastToAPInt(),
              Quiet = APFloat::getQNaN(Format).bitcastToAPInt(), One(Infinity.getBitWidth(), 1);
  Value *Bits = B.CreateBitCast(X, T), *Size = B.CreateAnd(Bits, Number(~APInt::getSignMask(One.getBitWidth())));
  Value *Negative = B.CreateICmpSLT(Bits, Constant::getNullValue(T)), *Any = nullptr;
  // From `First` on, below `End`; with either sign, or one.
  auto Add = [&](FPClassTest Below, FPClassTest Above, const APInt &First, const APInt &End) {
    const bool OrBelow = Wanted & Below, OrAbove = Wanted & Above;
    if (!OrBelow && !OrAbove)
      return;
    Value *Is = B.CreateICmpULT(B.CreateSub(Size, Number(First)), Number(End - First));
    if (OrBelow != OrAbove)
      Is = B.CreateAnd(Is, OrBelow ? Negative : B.CreateNot(Negative));
    Any = Any ? B.CreateOr(Any, Is) : Is;
  };
  Add(fcNegZero, fcPosZero, One - One, One);
  Add(fcNegSubnormal, fcPosSubnormal, One, Normal);
  Add(fcNegNormal, fcPosNormal, Normal, Infinity);
  Add(fcNegInf, fcPosInf, Infinity, Infinity + One);
  Add(fcSNan, fcSNan, Infinity + One, Quiet);
  Add(fcQNan, fcQNan, Quiet, APInt::getSignMask(One.getBitWidth()));
  return Any ? Any : Constant::getNullValue(I.getType());
}

Value *expanded(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
    return compareThreeWays(B, I);
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return funnelShift(B, I);
  case Intrinsic::bswap:
    return swapBytes(B, I);
  case Intrinsic::bitreverse:
    return reverseFewBits(B, I);
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return B.CreateFPToSI(B.CreateUnaryIntrinsic(Intrinsic::rint, firstArgument(I)), I.getType());
  case Intrinsic::is_fpclass:
    return isOfClass(B, I);
  default:
    return Intrinsic::getBaseName(I.getIntrinsicID()).starts_with("llvm.vector.reduce.") ? reduce(I) : nullptr;
  }
}

} // namespace

bool expandIntrinsics(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<WithOverflowInst *, 4> Overflows;
    for (Instruction &I : instructions(F))
      if (auto *Overflow = dyn_cast<WithOverflowInst>(&I))
        if (unsigned Bits = Overflow->getLHS()->getType()->getScalarSizeInBits(); Bits <= 32 || Bits == 64)
          Overflows.push_back(Overflow);
    for (WithOverflowInst *Overflow : Overflows)
      expandOverflow(*Overflow);
    Changed |= !Overflows.empty();
    Changed |= replaceAll<IntrinsicInst>(F, expanded);
  }
  return Changed;
}

} // namespace pocm
