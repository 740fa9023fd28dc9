//===- Division.cpp - Division of 64-bit integers -------------------------------------------===//
//
//     %q = udiv <8 x i64> %n, %d     ->   a loop of 64 steps, each of which shifts one bit of
//                                         %n into a remainder and subtracts %d if it fits
//
// The execution units divide 32-bit integers. Signed operands are divided by their absolute
// values; the quotient is negative when their signs differ, the remainder when the dividend is.
// A division by 0 has a quotient of all ones and the dividend as remainder.
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

void expand(BinaryOperator &I) {
  constexpr unsigned Bits = 64;
  Type *T = I.getType();
  bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  bool Quotient = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::UDiv;
  Constant *Zero = Constant::getNullValue(T), *One = ConstantInt::get(T, 1), *Top = ConstantInt::get(T, Bits - 1);
  BasicBlock *Before = I.getParent(), *After = SplitBlock(Before, &I);
  BasicBlock *Loop = BasicBlock::Create(I.getContext(), "divide", I.getFunction(), After);
  Before->getTerminator()->eraseFromParent();

  IRBuilder<> B(Before);
  Value *N = I.getOperand(0), *D = I.getOperand(1), *Sign = nullptr;
  if (Signed) {
    Value *SignN = B.CreateAShr(N, Top), *SignD = B.CreateAShr(D, Top); // 0 or -1
    N = B.CreateSub(B.CreateXor(N, SignN), SignN);
    D = B.CreateSub(B.CreateXor(D, SignD), SignD);
    Sign = Quotient ? B.CreateXor(SignN, SignD) : SignN;
  }
  B.CreateBr(Loop);

  B.SetInsertPoint(Loop);
  PHINode *Left = B.CreatePHI(B.getInt32Ty(), 2), *Rest = B.CreatePHI(T, 2), *Digits = B.CreatePHI(T, 2);
  Value *Out = B.CreateICmpSLT(Rest, Zero); // the bit that the shift loses: larger than any divisor
  Value *Next = B.CreateOr(B.CreateShl(Rest, One), B.CreateLShr(Digits, Top));
  Value *Fits = B.CreateOr(Out, B.CreateICmpUGE(Next, D));
  Value *NewRest = B.CreateSelect(Fits, B.CreateSub(Next, D), Next);
  Value *NewDigits = B.CreateOr(B.CreateShl(Digits, One), B.CreateSelect(Fits, One, Zero));
  Value *NewLeft = B.CreateSub(Left, B.getInt32(1));
  B.CreateCondBr(B.CreateICmpEQ(NewLeft, B.getInt32(0)), After, Loop);
  Left->addIncoming(B.getInt32(Bits), Before);
  Left->addIncoming(NewLeft, Loop);
  Rest->addIncoming(Zero, Before);
  Rest->addIncoming(NewRest, Loop);
  Digits->addIncoming(N, Before);
  Digits->addIncoming(NewDigits, Loop);

  B.SetInsertPoint(&I);
  Value *Result = Quotient ? NewDigits : NewRest;
  if (Sign)
    Result = B.CreateSub(B.CreateXor(Result, Sign), Sign);
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

} // namespace

bool expandDivision(Module &M, const GenTarget &) {
  SmallVector<BinaryOperator *, 8> Divisions;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Division = dyn_cast<BinaryOperator>(&I);
          Division && Division->isIntDivRem() && I.getType()->getScalarSizeInBits() == 64)
        Divisions.push_back(Division);
  for (BinaryOperator *Division : Divisions)
    expand(*Division);
  return !Divisions.empty();
}

} // namespace pocm::gen
