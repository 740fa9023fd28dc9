//===- Rounding.cpp - Roundings and scalings that no instruction does -----------------------===//
//
//     %r = round(%x)       halves go away from zero   ->   trunc(%x), and one more where half or more was cut off
//     %n = lround(%x)                                 ->   fptosi of that
//     %y = ldexp(%x, %n)   times 2 to the n           ->   %x times up to three factors, of which the last may round
//     %e = ldexp(1.0, %n)                             ->   exp2(sitofp %n), which LLVM makes it of
//
// Needs:    nothing.
// Leaves:   roundings to even, up, down and to zero, which all devices have.
//
//===----------------------------------------------------------------------------------------===//
#include "ir/Operands.h"
#include "ir/Replace.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

Value *copySign(IRBuilderBase &B, Value *Size, Value *Of) {
  return B.CreateBinaryIntrinsic(Intrinsic::copysign, Size, Of);
}

/// To the nearest, halves away from zero.
Value *roundAway(IRBuilderBase &B, Value *X) {
  Type *T = X->getType();
  Value *Whole = B.CreateUnaryIntrinsic(Intrinsic::trunc, X);
  Value *Cut = B.CreateUnaryIntrinsic(Intrinsic::fabs, B.CreateFSub(X, Whole)); // exact
  Value *Step =
      B.CreateSelect(B.CreateFCmpOGE(Cut, ConstantFP::get(T, 0.5)), ConstantFP::get(T, 1.0), ConstantFP::get(T, 0.0));
  return copySign(B, B.CreateFAdd(Whole, copySign(B, Step, X)), X);
}

/// X times 2 to the N: by factors that numbers have, so that nothing but the last product rounds.
Value *scale(IRBuilderBase &B, Value *X, Value *N) {
  Type *T = X->getType(), *Integers = N->getType();
  if (T->getScalarType()->isHalfTy()) // which has too few exponents for the factors
    return B.CreateFPTrunc(scale(B, B.CreateFPExt(X, T->getWithNewType(B.getFloatTy())), N), T);
  if (match(X, m_FPOne()))
    return B.CreateUnaryIntrinsic(Intrinsic::exp2, B.CreateSIToFP(N, T));
  const fltSemantics &Format = T->getScalarType()->getFltSemantics();
  const int Most = APFloat::semanticsMaxExponent(Format), Digits = int(APFloat::semanticsPrecision(Format)),
            Least = APFloat::semanticsMinExponent(Format) + Digits; // leaves all digits where they can be
  const int Far = 4 * (Most + Digits);
  auto Number = [&](int C) { return ConstantInt::getSigned(Integers, C); };
  auto Power = [&](int C) { return ConstantFP::get(T, std::ldexp(1.0, C)); };
  N = B.CreateBinaryIntrinsic(Intrinsic::smax, N, Number(-Far));
  N = B.CreateBinaryIntrinsic(Intrinsic::smin, N, Number(Far));
  for (int Step = 0; Step < 2; ++Step) {
    Value *High = B.CreateICmpSGT(N, Number(Most)), *Low = B.CreateICmpSLT(N, Number(Least - Digits));
    X = B.CreateFMul(X, B.CreateSelect(High, Power(Most), B.CreateSelect(Low, Power(Least), Power(0))));
    N = B.CreateSub(N, B.CreateSelect(High, Number(Most), B.CreateSelect(Low, Number(Least), Number(0))));
  }
  N = B.CreateBinaryIntrinsic(Intrinsic::smax, N, Number(Least - Digits));
  N = B.CreateBinaryIntrinsic(Intrinsic::smin, N, Number(Most));
  // The last factor is put together from its exponent.
  Type *Bits = T->getWithNewType(B.getIntNTy(T->getScalarSizeInBits()));
  Value *Exponent = B.CreateSExtOrTrunc(B.CreateAdd(N, Number(Most)), Bits);
  return B.CreateFMul(X, B.CreateBitCast(B.CreateShl(Exponent, ConstantInt::get(Bits, unsigned(Digits - 1))), T));
}

Value *expanded(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::round:
    return roundAway(B, firstArgument(I));
  case Intrinsic::lround:
  case Intrinsic::llround:
    return B.CreateFPToSI(roundAway(B, firstArgument(I)), I.getType());
  case Intrinsic::ldexp:
    return scale(B, firstArgument(I), secondArgument(I));
  default:
    return nullptr;
  }
}

} // namespace

bool expandRounding(Function &F) { return replaceEach<IntrinsicInst>(F, expanded); }

} // namespace pocm
