//===- Bfloat.cpp - bfloat16 on machines that only store it -------------------------------===//
//
// Arithmetic on bfloat is arithmetic on float, rounded to the nearest bfloat, which gives
// the correctly rounded result. In memory and in selects and shuffles it is 16 bits.
//
//     %s = fadd <8 x bfloat> %a, %b      ->   %s = bfloat(fadd <8 x float> float(%a), float(%b))
//     float(%x)                          ->   bitcast (zext (bitcast %x to i16) to i32) << 16
//     bfloat(%f)                         ->   the upper half of the bits, rounded to even; NaN stays NaN
//
// Needs:    nothing.
// Leaves:   bfloat as bits in memory, selects and shuffles, without arithmetic on it.
//
//===----------------------------------------------------------------------===//
#include "ir/Replace.h"
#include "passes/Passes.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

Type *shaped(Type *Like, Type *Element) {
  auto *V = dyn_cast<FixedVectorType>(Like);
  return V ? FixedVectorType::get(Element, V->getNumElements()) : Element;
}
bool isBfloat(const Value *V) { return V->getType()->getScalarType()->isBFloatTy(); }

Value *widened(IRBuilder<> &B, Value *V) {
  Type *I16 = shaped(V->getType(), B.getInt16Ty()), *I32 = shaped(V->getType(), B.getInt32Ty());
  Value *Bits = B.CreateShl(B.CreateZExt(B.CreateBitCast(V, I16), I32), ConstantInt::get(I32, 16));
  return B.CreateBitCast(Bits, shaped(V->getType(), B.getFloatTy()));
}

Value *rounded(IRBuilder<> &B, Value *Float) {
  constexpr unsigned Shift = 16;
  Type *I32 = shaped(Float->getType(), B.getInt32Ty());
  auto Number = [&](unsigned N) { return ConstantInt::get(I32, N); };
  Value *Bits = B.CreateBitCast(Float, I32);
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, Number(Shift)), Number(1));
  Value *Even = B.CreateAdd(Bits, B.CreateAdd(Odd, Number(0x7FFF)));
  Value *Quiet = B.CreateOr(Bits, Number(0x400000));
  Value *Result = B.CreateSelect(B.CreateFCmpUNO(Float, Float), Quiet, Even);
  Value *High = B.CreateTrunc(B.CreateLShr(Result, Number(Shift)), shaped(Float->getType(), B.getInt16Ty()));
  return B.CreateBitCast(High, shaped(Float->getType(), B.getBFloatTy()));
}

/// The same instruction on float; null for one that only moves bits.
Value *computed(IRBuilder<> &B, Instruction &I) {
  Type *Float = shaped(I.getType(), B.getFloatTy());
  auto Operand = [&](unsigned N) {
    Value *V = I.getOperand(N);
    return isBfloat(V) ? widened(B, V) : V;
  };
  if (auto *Operation = dyn_cast<BinaryOperator>(&I))
    return B.CreateBinOp(Operation->getOpcode(), Operand(0), Operand(1));
  if (isa<UnaryOperator>(I))
    return B.CreateFNeg(Operand(0));
  if (auto *Compare = dyn_cast<FCmpInst>(&I))
    return B.CreateFCmp(Compare->getPredicate(), Operand(0), Operand(1));
  switch (I.getOpcode()) {
  case Instruction::FPExt:
    return I.getType() == shaped(I.getType(), B.getFloatTy()) ? Operand(0) : B.CreateFPExt(Operand(0), I.getType());
  case Instruction::FPTrunc:
    return B.CreateFPCast(Operand(0), Float);
  case Instruction::SIToFP:
    return B.CreateSIToFP(Operand(0), Float);
  case Instruction::UIToFP:
    return B.CreateUIToFP(Operand(0), Float);
  case Instruction::FPToSI:
    return B.CreateFPToSI(Operand(0), I.getType());
  case Instruction::FPToUI:
    return B.CreateFPToUI(Operand(0), I.getType());
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || (!isTriviallyVectorizable(Call->getIntrinsicID()) && !I.getType()->isFloatingPointTy()))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (unsigned N = 0; N < Call->arg_size(); ++N)
    Operands.push_back(Operand(N));
  return B.CreateIntrinsic(isBfloat(&I) ? Float : I.getType(), Call->getIntrinsicID(), Operands);
}

} // namespace

bool widenBfloat(Function &F) {
  return replaceEach(F, [](Instruction &I) -> Value * {
    if (!isBfloat(&I) && none_of(I.operands(), [](Value *Operand) { return isBfloat(Operand); }))
      return nullptr;
    IRBuilder<> B(&I);
    Value *New = computed(B, I);
    return New && isBfloat(&I) ? rounded(B, New) : New;
  });
}

} // namespace pocm
