//===- ExactQuotients.cpp - Quotients and square roots, correctly rounded --------------------===//
//
//     %q = llvm.genx.ieee.div(%x, %y)   ->   %x = %a * 2^%k, %y = %b * 2^%l with %a and %b from 1 to 2
//                                            %i = 1 / %b, and two steps of Newton's
//                                            %q = %a * %i + (%a - %b * (%a * %i)) * %i, twice, times 2^(%k - %l)
//     %r = llvm.genx.ieee.sqrt(%x)      ->   the same from 1 / sqrt(%a), with %a from 1 to 4
//
// The execution units' own are off by some units in the last place. Only some targets have the instructions that vISA's
// divm and sqrtm are made of; this is as long as those and works on all. Multiply-adds keep the remainder exact, so the
// last of them rounds once. Zeros, infinities and NaN take the hardware's path, which is right for them. Doubles are
// divided exactly by div, halves by way of float.
//
// Needs:    float control of the kernel, which says whether denormals count.
// Leaves:   quotients and roots that may be the hardware's, and multiply-adds.
// Not done: quotients that are denormal, in kernels that allow them, are rounded twice.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "ir/Operands.h"
#include "ir/Replace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr unsigned Mantissa = 23, Bias = 127;
constexpr unsigned Sign = 0x80000000, Fraction = 0x7FFFFF, One = Bias << Mantissa;

class Exact {
  IRBuilder<> B;
  Type *T, *Bits;
  bool Denormals;

  Value *number(unsigned N) { return ConstantInt::get(Bits, N); }
  Value *constant(double X) { return ConstantFP::get(T, X); }
  Value *fma(Value *X, Value *Y, Value *Z) { return B.CreateIntrinsic(Intrinsic::fma, {T}, {X, Y, Z}); }
  Value *less(Value *X, Value *Y, Value *From) { return fma(B.CreateFNeg(X), Y, From); } // From - X * Y
  Value *powerOfTwo(Value *Exponent) {
    return B.CreateBitCast(B.CreateShl(B.CreateAdd(Exponent, number(Bias)), number(Mantissa)), T);
  }

  /// X, or X times 2^32 where it is denormal, and the exponent that makes up for that.
  std::pair<Value *, Value *> normal(Value *X) {
    constexpr int Up = 32;
    if (!Denormals) // which count as zero
      return {X, number(0)};
    Value *Small = B.CreateICmpULT(B.CreateAnd(B.CreateBitCast(X, Bits), number(0x7FFFFFFF)), number(1 << Mantissa));
    return {B.CreateSelect(Small, B.CreateFMul(X, constant(0x1p32)), X),
            B.CreateSelect(Small, ConstantInt::getSigned(Bits, -Up), number(0))};
  }

  /// Mantissas have no sign; zeros, infinities and NaN are their own.
  struct Parts {
    Value *Mantissa, *Exponent, *Special, *Raw;
  };
  Parts takeApart(Value *X) {
    auto [Whole, Shift] = normal(X);
    Value *Raw = B.CreateBitCast(Whole, Bits);
    Value *Exponent = B.CreateAnd(B.CreateLShr(Raw, number(Mantissa)), number(255));
    Value *Special = B.CreateICmpUGE(B.CreateSub(Exponent, number(1)), number(254));
    Value *Digits = B.CreateOr(B.CreateAnd(Raw, number(Fraction)), number(One));
    Value *Unsigned = B.CreateSelect(Special, B.CreateAnd(Raw, number(~Sign)), Digits);
    return {B.CreateBitCast(Unsigned, T), B.CreateAdd(Exponent, Shift), Special, Raw};
  }

public:
  Exact(Instruction &I, Type *T, bool Denormals)
      : B(&I), T(T), Bits(T->getWithNewType(B.getInt32Ty())), Denormals(Denormals) {}

  Value *quotient(Value *Left, Value *Right) {
    constexpr int Far = 200; // farther than any number that is neither 0 nor infinite
    Parts X = takeApart(Left), Y = takeApart(Right);
    Value *First = B.CreateFDiv(constant(1), Y.Mantissa), *Inverse = First;
    for (int Step = 0; Step < 2; ++Step)
      Inverse = fma(less(Y.Mantissa, Inverse, constant(1)), Inverse, Inverse);
    // All are above 1/2, to which that of the largest mantissa is rounded; then 1 divided by it would be, too.
    Inverse = B.CreateBinaryIntrinsic(Intrinsic::maxnum, Inverse, constant(0x1.000002p-1));
    Value *Q = B.CreateFMul(X.Mantissa, Inverse);
    for (int Step = 0; Step < 2; ++Step)
      Q = fma(less(Y.Mantissa, Q, X.Mantissa), Inverse, Q);
    Value *Power = B.CreateSub(X.Exponent, Y.Exponent);
    Power = B.CreateBinaryIntrinsic(Intrinsic::smax, Power, ConstantInt::getSigned(Bits, -Far));
    Power = B.CreateBinaryIntrinsic(Intrinsic::smin, Power, ConstantInt::getSigned(Bits, Far));
    Value *Half = B.CreateAShr(Power, number(1)); // only the second product can leave the range of numbers
    Q = B.CreateFMul(B.CreateFMul(Q, powerOfTwo(Half)), powerOfTwo(B.CreateSub(Power, Half)));
    Q = B.CreateSelect(B.CreateOr(X.Special, Y.Special), B.CreateFMul(X.Mantissa, First), Q);
    return B.CreateBitCast(B.CreateOr(B.CreateBitCast(Q, Bits), B.CreateAnd(B.CreateXor(X.Raw, Y.Raw), number(Sign))),
                           T);
  }

  Value *root(Value *Of) {
    auto [X, Shift] = normal(Of);
    Value *Raw = B.CreateBitCast(X, Bits), *Exponent = B.CreateLShr(Raw, number(Mantissa));
    // What is neither a positive number nor, without its denormals, above zero.
    Value *Special = B.CreateICmpUGE(B.CreateSub(Raw, number(1 << Mantissa)), number(254 << Mantissa));
    Value *Even = B.CreateAdd(B.CreateAnd(B.CreateNot(Exponent), number(1)), number(Bias)); // 2^0 or 2^1
    Value *A = B.CreateBitCast(B.CreateOr(B.CreateAnd(Raw, number(Fraction)), B.CreateShl(Even, number(Mantissa))), T);
    Value *Inverse = createOperation(B, Op::ReciprocalSqrt, T, {A});
    Value *R = B.CreateFMul(A, Inverse), *Half = B.CreateFMul(Inverse, constant(0.5));
    for (int Step = 0; Step < 2; ++Step) {
      Value *Error = less(R, Half, constant(0.5));
      R = fma(R, Error, R);
      Half = fma(Half, Error, Half);
    }
    for (int Step = 0; Step < 2; ++Step)
      R = fma(less(R, R, A), Half, R);
    Value *Power = B.CreateAShr(B.CreateSub(B.CreateAdd(Exponent, Shift), Even), number(1));
    return B.CreateSelect(Special, B.CreateUnaryIntrinsic(Intrinsic::sqrt, X), B.CreateFMul(R, powerOfTwo(Power)));
  }
};

Value *replacement(CallInst &Call, bool Denormals) {
  Op Operation = operationOf(&Call);
  if (Operation != Op::ExactQuotient && Operation != Op::ExactRoot)
    return nullptr;
  IRBuilder<> B(&Call);
  bool Divides = Operation == Op::ExactQuotient;
  Type *T = Call.getType(), *Element = T->getScalarType(), *Float = T->getWithNewType(B.getFloatTy());
  if (Element->isDoubleTy())
    return Divides ? B.CreateFDiv(operandOf(Call, Role::Source), operandOf(Call, Role::Second))
                   : B.CreateUnaryIntrinsic(Intrinsic::sqrt, operandOf(Call, Role::Source));
  auto Wide = [&](Role K) { return B.CreateFPCast(operandOf(Call, K), Float); };
  Value *X = Wide(Role::Source), *Y = Divides ? Wide(Role::Second) : nullptr;
  Exact Expanded(Call, Float, Denormals);
  return B.CreateFPCast(Divides ? Expanded.quotient(X, Y) : Expanded.root(X), T);
}

} // namespace

bool expandExactQuotients(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M) {
    const unsigned Control = floatControlOf(F);
    Changed |= replaceEach<CallInst>(F, [&](CallInst &Call) { return replacement(Call, Control & FloatDenormals); });
  }
  return Changed;
}

} // namespace pocm::gen
