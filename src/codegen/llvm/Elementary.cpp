//===- Elementary.cpp - Operations on elements that LLVM IR lacks ------------------------===//
//
// 1 / sqrt(x) in float may be off by a few units in the last place, so a back end may take
// the CPU's estimate and one Newton step, which costs a fifth of the exact root and quotient:
//
//     %r = call <16 x float> @llvm.genx.rsqrt.v16f32(<16 x float> %x)
//  -> %r = fdiv arcp reassoc afn 1, (sqrt %x)      for codegen/cpu/Estimates.cpp
//
// Other types are computed exactly. Products wider than their factors are products of the
// factors made as wide:
//
//     %p = call <8 x i64> @llvm.genx.uumul.v8i64.v8i32(%x, %y)   ->   mul (zext %x), (zext %y)
//     %s = call <8 x float> @llvm.genx.sat.v8f32(%x)             ->   selections, maxps and minps on x86
//     %q = call <8 x float> @llvm.genx.ieee.div.v8f32(%x, %y)    ->   fdiv %x, %y
//
// Needs:    nothing.
// Leaves:   LLVM's operations, roots and quotients marked as approximate.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Replace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

Value *reciprocalSqrt(IRBuilder<> &B, Value *X) {
  Type *T = X->getType();
  Constant *One = ConstantFP::get(T, 1.0);
  if (!T->getScalarType()->isFloatTy())
    return B.CreateFDiv(One, B.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
  FastMathFlags Rough;
  Rough.setAllowReciprocal();
  Rough.setAllowReassoc();
  Rough.setApproxFunc();
  B.setFastMathFlags(Rough);
  return B.CreateFDiv(One, B.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
}

/// Comparisons and selections by them, in which NaN and -0 are not above 0, and which are minimum and maximum on x86.
Value *saturate(IRBuilder<> &B, Value *X) {
  Value *Zero = Constant::getNullValue(X->getType()), *One = ConstantFP::get(X->getType(), 1.0);
  X = B.CreateSelect(B.CreateFCmpOGT(X, Zero), X, Zero);
  return B.CreateSelect(B.CreateFCmpOLT(X, One), X, One);
}

Value *product(IRBuilder<> &B, CallInst &Call, bool Signed) {
  auto Wide = [&](Role K) { return B.CreateIntCast(operandOf(Call, K), Call.getType(), Signed); };
  return B.CreateMul(Wide(Role::Source), Wide(Role::Second));
}

Value *replacement(CallInst &Call) {
  IRBuilder<> B(&Call);
  switch (operationOf(&Call)) {
  case Op::ReciprocalSqrt:
    return reciprocalSqrt(B, operandOf(Call, Role::Source));
  case Op::ExactQuotient:
    return B.CreateFDiv(operandOf(Call, Role::Source), operandOf(Call, Role::Second));
  case Op::ExactRoot:
    return B.CreateUnaryIntrinsic(Intrinsic::sqrt, operandOf(Call, Role::Source));
  case Op::Saturate:
    return saturate(B, operandOf(Call, Role::Source));
  case Op::SignedProduct:
    return product(B, Call, true);
  case Op::UnsignedProduct:
    return product(B, Call, false);
  case Op::RotateLeft:
    return B.CreateIntrinsic(
        Call.getType(), Intrinsic::fshl,
        {operandOf(Call, Role::Source), operandOf(Call, Role::Source), operandOf(Call, Role::Second)});
  default:
    return nullptr;
  }
}

} // namespace

bool expandElementary(Function &F) { return replaceEach<CallInst>(F, replacement); }

} // namespace pocm
