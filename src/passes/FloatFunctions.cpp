//===- FloatFunctions.cpp - Functions of floats that the execution units lack ---------------===//
//
//     %r = call <8 x float> @llvm.atan(%x)  ->  a polynomial of min(|%x|, 1 / |%x|), and the sign of %x
//     %r = frem <8 x float> %x, %y          ->  %n = difference of the exponents
//                                               a loop that shifts the mantissa of %x left, eight bits of %n
//                                               at a time, and divides it by the mantissa of %y
//
// The execution units have the reciprocal, roots, sine, cosine, logarithm, exponential and powers. Arc sine, arc
// cosine, arc tangent and hyperbolic tangent are within 3 units in the last place (docs/numerics.md); remainders are
// exact, which x - y * trunc(x / y) is not. Half is computed in float, remainders of double with a mantissa of 64 bits.
//
// Needs:    expandIntrinsics behind it, for what the loops ask of all lanes.
// Leaves:   functions of double, which no target has.
//
//===----------------------------------------------------------------------------------------===//
#include "ir/Kernel.h"
#include "passes/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <numbers>

using namespace llvm;

namespace pocm {
namespace {

// With z = x * x: atan x = x + x * z * P(z) for x up to 1, asin x likewise up to 0.5, tanh x up to 0.625. They
// interpolate at Chebyshev nodes; relative errors are below 2^-25, 2^-28 and 2^-27.
constexpr float ArcTangent[] = {-0x1.555554p-2f, 0x1.99983cp-3f,  -0x1.246cd2p-3f, 0x1.c3f168p-4f, -0x1.6295f8p-4f,
                                0x1.0001c6p-4f,  -0x1.25dc12p-5f, 0x1.ba9f66p-7f,  -0x1.38de56p-9f};
constexpr float ArcSine[] = {0x1.555554p-3f, 0x1.33343p-4f,  0x1.6d5bbap-5f,
                             0x1.fd8da2p-6f, 0x1.18f91ep-6f, 0x1.13fed4p-5f};
constexpr float HyperbolicTangent[] = {-0x1.555556p-2f, 0x1.1110eap-3f,  -0x1.ba08c4p-5f,
                                       0x1.64a976p-6f,  -0x1.116a16p-7f, 0x1.2c83cp-9f};
constexpr double Pi = std::numbers::pi;

Value *constant(Value *Like, double Number) { return ConstantFP::get(Like->getType(), Number); }

Value *fma(IRBuilderBase &B, Value *X, Value *Y, Value *Z) {
  return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Z});
}

/// X + X * Z * P(Z)
Value *odd(IRBuilderBase &B, Value *X, Value *Z, ArrayRef<float> P) {
  Value *Sum = constant(X, P.back());
  for (float Coefficient : reverse(P.drop_back()))
    Sum = fma(B, Sum, Z, constant(X, Coefficient));
  return fma(B, B.CreateFMul(X, Z), Sum, X);
}

Value *arcTangent(IRBuilderBase &B, Value *X) {
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  Value *Steep = B.CreateFCmpOGT(Size, constant(X, 1));
  Value *T = B.CreateSelect(Steep, B.CreateFDiv(constant(X, 1), Size), Size);
  Value *Angle = odd(B, T, B.CreateFMul(T, T), ArcTangent);
  Angle = B.CreateSelect(Steep, B.CreateFSub(constant(X, Pi / 2), Angle), Angle);
  return B.CreateBinaryIntrinsic(Intrinsic::copysign, Angle, X);
}

/// Beyond 0.5: the arc sine of |x| is pi / 2 less twice that of sqrt((1 - |x|) / 2).
Value *arcSine(IRBuilderBase &B, Value *X, bool Cosine) {
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  Value *Large = B.CreateFCmpOGT(Size, constant(X, 0.5));
  Value *Half = fma(B, Size, constant(X, -0.5), constant(X, 0.5));
  Value *Z = B.CreateSelect(Large, Half, B.CreateFMul(X, X));
  Value *Root = B.CreateUnaryIntrinsic(Intrinsic::sqrt, Half);
  Value *Angle = odd(B, B.CreateSelect(Large, Root, Size), Z, ArcSine);
  Value *Twice = B.CreateFAdd(Angle, Angle), *Right = constant(X, Pi / 2);
  if (!Cosine) {
    Angle = B.CreateSelect(Large, B.CreateFSub(Right, Twice), Angle);
    return B.CreateBinaryIntrinsic(Intrinsic::copysign, Angle, X);
  }
  Value *Negative = B.CreateFCmpOLT(X, constant(X, 0));
  Value *Outer = B.CreateSelect(Negative, B.CreateFSub(constant(X, Pi), Twice), Twice);
  Value *Inner = B.CreateFSub(Right, B.CreateBinaryIntrinsic(Intrinsic::copysign, Angle, X));
  return B.CreateSelect(Large, Outer, Inner);
}

/// Beyond 0.625: 1 - 2 / (exp(2 |x|) + 1), where cancellation costs nothing any more.
Value *hyperbolicTangent(IRBuilderBase &B, Value *X) {
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  Value *Small = odd(B, X, B.CreateFMul(X, X), HyperbolicTangent);
  Value *Power = B.CreateUnaryIntrinsic(Intrinsic::exp2, B.CreateFMul(Size, constant(X, 2 * std::numbers::log2e)));
  Value *Below = B.CreateFDiv(constant(X, 2), B.CreateFAdd(Power, constant(X, 1)));
  Value *Large = B.CreateFSub(constant(X, 1), Below);
  Value *Either = B.CreateSelect(B.CreateFCmpOLT(Size, constant(X, 0.625)), Small, Large);
  return B.CreateBinaryIntrinsic(Intrinsic::copysign, Either, X); // of zero, too
}

/// Of X and Y, which are in front of I.
Value *remainder(Instruction &I, Value *X, Value *Y) {
  IRBuilder<> B(&I);
  Type *T = X->getType();
  bool Double = T->getScalarType()->isDoubleTy();
  const int Mantissa = Double ? 52 : 23, Bias = Double ? 1023 : 127, Step = Double ? 11 : 8;
  auto *Bits = T->getWithNewType(B.getIntNTy(T->getScalarSizeInBits()));
  auto Int = [&](uint64_t N) { return ConstantInt::get(Bits, N); };
  Value *IntX = B.CreateBitCast(X, Bits), *IntY = B.CreateBitCast(Y, Bits);
  Value *Sign = B.CreateAnd(IntX, ConstantInt::get(Bits, APInt::getSignMask(Bits->getScalarSizeInBits())));
  Value *SizeX = B.CreateXor(IntX, Sign);
  Value *SizeY = B.CreateAnd(IntY, ConstantInt::get(Bits, APInt::getSignedMaxValue(Bits->getScalarSizeInBits())));
  Constant *Infinity = Int(uint64_t(2 * Bias + 1) << Mantissa), *Hidden = Int(1ull << Mantissa);
  // Denormal numbers count as zero where the kernel does not keep those.
  const bool Kept = floatControlOf(*I.getFunction()) & (Double ? DoubleDenormals : FloatDenormals);
  Value *None = B.CreateOr(Kept ? B.CreateICmpEQ(SizeY, Int(0)) : B.CreateICmpULT(SizeY, Hidden),
                           B.CreateOr(B.CreateICmpUGE(SizeX, Infinity), B.CreateICmpUGT(SizeY, Infinity)));
  // A number is its mantissa times 2^(exponent - Bias - Mantissa).
  auto TakeApart = [&](Value *Size) {
    Value *Exponent = B.CreateLShr(Size, Int(uint64_t(Mantissa)));
    Value *Digits = B.CreateAnd(Size, Int((1ull << Mantissa) - 1));
    Value *Normal = B.CreateICmpUGE(Size, Hidden);
    return std::pair(B.CreateSelect(Normal, Exponent, Int(1)),
                     B.CreateSelect(Normal, B.CreateOr(Digits, Hidden), Digits));
  };
  auto [ExponentX, DigitsX] = TakeApart(SizeX);
  auto [ExponentY, DigitsY] = TakeApart(SizeY);
  DigitsY = B.CreateSelect(None, Int(1), DigitsY);
  Value *Below = B.CreateICmpULT(SizeX, SizeY);
  Value *First = B.CreateURem(DigitsX, DigitsY);
  Value *Shift = B.CreateSelect(B.CreateOr(Below, None), Int(0), B.CreateSub(ExponentX, ExponentY));

  BasicBlock *Before = I.getParent(), *After = SplitBlock(Before, &I);
  BasicBlock *Loop = BasicBlock::Create(I.getContext(), "remainder", I.getFunction(), After);
  Before->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Before);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Left = B.CreatePHI(Bits, 2), *Rest = B.CreatePHI(Bits, 2);
  Value *Now = B.CreateBinaryIntrinsic(Intrinsic::umin, Left, Int(uint64_t(Step)));
  Value *Next = B.CreateURem(B.CreateShl(Rest, Now), DigitsY), *NewLeft = B.CreateSub(Left, Now);
  Value *More = B.CreateICmpNE(NewLeft, Int(0));
  B.CreateCondBr(T->isVectorTy() ? B.CreateOrReduce(More) : More, Loop, After);
  Left->addIncoming(Shift, Before);
  Left->addIncoming(NewLeft, Loop);
  Rest->addIncoming(First, Before);
  Rest->addIncoming(Next, Loop);

  // Two powers of two: one of them alone may be too small for a float.
  B.SetInsertPoint(&I);
  Value *Power = B.CreateSub(ExponentY, Int(uint64_t(Bias + Mantissa)));
  Value *Half = B.CreateAShr(Power, Int(1));
  auto PowerOfTwo = [&](Value *E) {
    return B.CreateBitCast(B.CreateShl(B.CreateAdd(E, Int(uint64_t(Bias))), Int(uint64_t(Mantissa))), T);
  };
  Value *Result =
      B.CreateFMul(B.CreateFMul(B.CreateSIToFP(Next, T), PowerOfTwo(Half)), PowerOfTwo(B.CreateSub(Power, Half)));
  Result = B.CreateBitCast(B.CreateOr(B.CreateBitCast(Result, Bits), Sign), T);
  Value *Small = Kept ? X : B.CreateSelect(B.CreateICmpULT(SizeX, Hidden), B.CreateBitCast(Sign, T), X);
  Result = B.CreateSelect(Below, Small, Result);
  return B.CreateSelect(None, ConstantFP::getNaN(T), Result);
}

/// What to compute instead, or null.
Value *replacement(Instruction &I) {
  auto Is = [&](Intrinsic::ID Function) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call && Call->getIntrinsicID() == Function;
  };
  bool Remainder = I.getOpcode() == Instruction::FRem, Sine = Is(Intrinsic::asin), Cosine = Is(Intrinsic::acos),
       Tangent = Is(Intrinsic::atan), Hyperbolic = Is(Intrinsic::tanh);
  Type *T = I.getType();
  if (!Remainder && (T->getScalarType()->isDoubleTy() || !(Sine || Cosine || Tangent || Hyperbolic)))
    return nullptr;
  IRBuilder<> B(&I);
  bool Half = T->getScalarType()->isHalfTy();
  auto Wide = [&](unsigned K) {
    return Half ? B.CreateFPExt(I.getOperand(K), T->getWithNewType(B.getFloatTy())) : I.getOperand(K);
  };
  Value *Result = Remainder    ? remainder(I, B.CreateFreeze(Wide(0)), B.CreateFreeze(Wide(1)))
                  : Tangent    ? arcTangent(B, Wide(0))
                  : Hyperbolic ? hyperbolicTangent(B, Wide(0))
                               : arcSine(B, Wide(0), Cosine);
  B.SetInsertPoint(&I);
  return Half ? B.CreateFPTrunc(Result, T) : Result;
}

} // namespace

bool expandFloatFunctions(Module &M) {
  SmallVector<Instruction *, 8> All;
  bool Changed = false;
  for (Function &F : M) {
    Changed |= expandRounding(F);
    for (Instruction &I : instructions(F))
      All.push_back(&I);
  }
  for (Instruction *I : All)
    if (Value *New = replacement(*I)) {
      I->replaceAllUsesWith(New);
      I->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace pocm
