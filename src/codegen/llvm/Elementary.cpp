//===- Elementary.cpp - Approximate functions --------------------------------------------===//
//
// 1 / sqrt(x) in float may be off by a few units in the last place, so a back end may take
// the CPU's estimate and one Newton step, which costs a fifth of the exact root and quotient:
//
//     %r = call <16 x float> @llvm.genx.rsqrt.v16f32(<16 x float> %x)
//  -> %r = fdiv arcp reassoc afn 1, (sqrt %x)      for codegen/cpu/Estimates.cpp
//
// Other types are computed exactly.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Intrinsics.h"
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

} // namespace

bool expandElementary(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (CallInst *Call = asOperation(&I, Op::ReciprocalSqrt))
      Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    IRBuilder<> B(Call);
    Call->replaceAllUsesWith(reciprocalSqrt(B, Call->getArgOperand(0)));
    Call->eraseFromParent();
  }
  return !Calls.empty();
}

} // namespace pocm
