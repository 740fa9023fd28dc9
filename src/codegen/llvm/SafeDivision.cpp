//===- SafeDivision.cpp - Integer divisions that cannot trap --------------------===//
//
// CM leaves a division by zero unspecified, a CPU stops the process. The divisor becomes
// 1 where it is 0, and where the quotient does not exist (INT_MIN / -1):
//
//     %q = sdiv <8 x i32> %x, %y
//  -> %q = sdiv <8 x i32> %x, (select (%y == 0 or (%x == INT_MIN and %y == -1)), 1, %y)
//
// so x / 0 is x, x % 0 is 0, and INT_MIN / -1 wraps to INT_MIN.
// Needs:    all divisions that there will be: LLVM makes no others.
// Leaves:   divisions by constants that are not 0 or -1.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

bool cannotTrap(Value *Divisor) {
  auto *C = dyn_cast<Constant>(Divisor);
  auto *Splat = dyn_cast_or_null<ConstantInt>(C && C->getType()->isVectorTy() ? C->getSplatValue() : C);
  return Splat && !Splat->isZero() && !Splat->isMinusOne();
}

} // namespace

bool makeDivisionsSafe(Function &F) {
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto *Division = dyn_cast<BinaryOperator>(&I);
    if (!Division || !Division->isIntDivRem() || cannotTrap(Division->getOperand(1)))
      continue;
    IRBuilder<> B(Division);
    Type *T = Division->getType();
    Value *Divisor = B.CreateFreeze(Division->getOperand(1));
    Value *Bad = B.CreateICmpEQ(Divisor, Constant::getNullValue(T));
    if (Division->getOpcode() == Instruction::SDiv || Division->getOpcode() == Instruction::SRem) {
      Value *Dividend = B.CreateFreeze(Division->getOperand(0));
      Division->setOperand(0, Dividend);
      Constant *Lowest = ConstantInt::get(T, APInt::getSignedMinValue(T->getScalarSizeInBits()));
      Bad = B.CreateOr(
          Bad, B.CreateAnd(B.CreateICmpEQ(Dividend, Lowest), B.CreateICmpEQ(Divisor, Constant::getAllOnesValue(T))));
    }
    Division->setOperand(1, B.CreateSelect(Bad, ConstantInt::get(T, 1), Divisor));
    Changed = true;
  }
  return Changed;
}

} // namespace pocm
