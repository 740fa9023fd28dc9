//===- Division.cpp - Division of integers that the execution units do not divide -----------===//
//
//     %q = udiv <8 x i64> %n, %d     ->   a loop of 64 steps, each of which shifts one bit of
//                                         %n into a remainder and subtracts %d if it fits
//     %q = udiv <8 x i32> %n, %d     ->   %r = 1.0 / %d, a little less
//     (DG2, PVC)                          %q0 = int(%n * %r), %q1 = int((%n - %q0 * %d) * %r)
//                                         %q0 + %q1, or one more
//
// Targets before DG2 divide 32-bit integers, no target 64-bit ones. Signed operands are divided
// by their absolute values; the quotient is negative when their signs differ, the remainder when
// the dividend is. CM leaves a division by 0 open; by the reciprocal, %n / 0 is %n.
//
// Needs:    integers of 32 and 64 bits, or vectors of them.
// Leaves:   divisions that the target does; loops that gen-edges gives places for copies.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// What is divided: absolute values and what they do not say.
struct Operands {
  Value *N, *D;
  Value *Sign = nullptr; ///< -1 where the result is negative, else 0; null when nothing has a sign.
  bool Quotient;         ///< Or the remainder.

  Operands(IRBuilderBase &B, BinaryOperator &I, Value *Dividend, Value *Divisor) : N(Dividend), D(Divisor) {
    bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
    Quotient = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::UDiv;
    if (!Signed)
      return;
    Constant *Top = ConstantInt::get(N->getType(), N->getType()->getScalarSizeInBits() - 1);
    Value *SignN = B.CreateAShr(N, Top), *SignD = B.CreateAShr(D, Top);
    N = B.CreateSub(B.CreateXor(N, SignN), SignN);
    D = B.CreateSub(B.CreateXor(D, SignD), SignD);
    Sign = Quotient ? B.CreateXor(SignN, SignD) : SignN;
  }

  Value *withSign(IRBuilderBase &B, Value *Result) const {
    return Sign ? B.CreateSub(B.CreateXor(Result, Sign), Sign) : Result;
  }
};

/// By the reciprocal. Conversions, reciprocal and product of floats are off by less than 2^-21 together, so a
/// reciprocal that is 2^-21 smaller never gives too large a quotient. The first quotient lacks 2^12 + 1 at most, the
/// second then one; 16 bits need no second.
void expandByReciprocal(BinaryOperator &I) {
  IRBuilder<> B(&I);
  Type *T = I.getType(), *Dword = T->getWithNewBitWidth(32), *Float = Dword->getWithNewType(B.getFloatTy());
  bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  bool Narrow = T->getScalarSizeInBits() <= 16;
  Value *Wide[2];
  for (unsigned K = 0; K < 2; ++K)
    Wide[K] = !Narrow  ? B.CreateFreeze(I.getOperand(K))
              : Signed ? B.CreateSExt(I.getOperand(K), Dword)
                       : B.CreateZExt(I.getOperand(K), Dword);
  Operands Of(B, I, Wide[0], Wide[1]);
  Of.D = B.CreateBinaryIntrinsic(Intrinsic::umax, Of.D, ConstantInt::get(Dword, 1));
  Value *Reciprocal = B.CreateFDiv(ConstantFP::get(Float, 1), B.CreateUIToFP(Of.D, Float));
  Reciprocal = B.CreateFMul(Reciprocal, ConstantFP::get(Float, 1 - 0x1p-21));
  auto Estimate = [&](Value *N) -> Value * {
    return B.CreateIntrinsic(Intrinsic::fptoui_sat, {Dword, Float},
                             {B.CreateFMul(B.CreateUIToFP(N, Float), Reciprocal)});
  };
  Value *Quotient = Estimate(Of.N), *Rest = B.CreateSub(Of.N, B.CreateMul(Quotient, Of.D));
  if (!Narrow) {
    Value *More = Estimate(Rest);
    Quotient = B.CreateAdd(Quotient, More);
    Rest = B.CreateSub(Rest, B.CreateMul(More, Of.D));
  }
  Value *Lacks = B.CreateICmpUGE(Rest, Of.D);
  Value *Result = Of.Quotient ? B.CreateSelect(Lacks, B.CreateAdd(Quotient, ConstantInt::get(Dword, 1)), Quotient)
                              : B.CreateSelect(Lacks, B.CreateSub(Rest, Of.D), Rest);
  I.replaceAllUsesWith(B.CreateZExtOrTrunc(Of.withSign(B, Result), T));
  I.eraseFromParent();
}

void expandByBits(BinaryOperator &I) {
  constexpr unsigned Bits = 64;
  Type *T = I.getType();
  Constant *Zero = Constant::getNullValue(T), *One = ConstantInt::get(T, 1), *Top = ConstantInt::get(T, Bits - 1);
  BasicBlock *Before = I.getParent(), *After = SplitBlock(Before, &I);
  BasicBlock *Loop = BasicBlock::Create(I.getContext(), "divide", I.getFunction(), After);
  Before->getTerminator()->eraseFromParent();

  IRBuilder<> B(Before);
  Operands Of(B, I, I.getOperand(0), I.getOperand(1));
  B.CreateBr(Loop);

  B.SetInsertPoint(Loop);
  PHINode *Left = B.CreatePHI(B.getInt32Ty(), 2), *Rest = B.CreatePHI(T, 2), *Digits = B.CreatePHI(T, 2);
  Value *Out = B.CreateICmpSLT(Rest, Zero); // the bit that the shift loses: larger than any divisor
  Value *Next = B.CreateOr(B.CreateShl(Rest, One), B.CreateLShr(Digits, Top));
  Value *Fits = B.CreateOr(Out, B.CreateICmpUGE(Next, Of.D));
  Value *NewRest = B.CreateSelect(Fits, B.CreateSub(Next, Of.D), Next);
  Value *NewDigits = B.CreateOr(B.CreateShl(Digits, One), B.CreateSelect(Fits, One, Zero));
  Value *NewLeft = B.CreateSub(Left, B.getInt32(1));
  B.CreateCondBr(B.CreateICmpEQ(NewLeft, B.getInt32(0)), After, Loop);
  Left->addIncoming(B.getInt32(Bits), Before);
  Left->addIncoming(NewLeft, Loop);
  Rest->addIncoming(Zero, Before);
  Rest->addIncoming(NewRest, Loop);
  Digits->addIncoming(Of.N, Before);
  Digits->addIncoming(NewDigits, Loop);

  B.SetInsertPoint(&I);
  I.replaceAllUsesWith(Of.withSign(B, Of.Quotient ? NewDigits : NewRest));
  I.eraseFromParent();
}

/// I, or where it divides integers of as many bits as no register has, the division of the next size.
BinaryOperator *ofRegisterSize(BinaryOperator &I) {
  unsigned Bits = I.getType()->getScalarSizeInBits(), Wide = std::max(8u, unsigned(bit_ceil(Bits)));
  if (Bits == Wide || Bits > 64)
    return &I;
  bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  IRBuilder<> B(&I);
  Type *T = I.getType()->getWithNewBitWidth(Wide);
  auto Extended = [&](Value *V) { return Signed ? B.CreateSExt(V, T) : B.CreateZExt(V, T); };
  auto *New = BinaryOperator::Create(I.getOpcode(), Extended(I.getOperand(0)), Extended(I.getOperand(1)));
  B.Insert(New);
  I.replaceAllUsesWith(B.CreateTrunc(New, I.getType()));
  I.eraseFromParent();
  return New;
}

} // namespace

bool expandDivision(Module &M, const GenTarget &Target) {
  SmallVector<BinaryOperator *, 8> Divisions;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Division = dyn_cast<BinaryOperator>(&I);
          Division && Division->isIntDivRem() &&
          (I.getType()->getScalarSizeInBits() > 32 || !Target.has(HasIntDivision)))
        Divisions.push_back(Division);
  for (BinaryOperator *&Division : Divisions)
    Division = ofRegisterSize(*Division);
  for (BinaryOperator *Division : Divisions)
    Division->getType()->getScalarSizeInBits() > 32 ? expandByBits(*Division) : expandByReciprocal(*Division);
  return !Divisions.empty();
}

} // namespace pocm::gen
