//===- Estimates.cpp - Reciprocal square roots by estimate ---------------------------------===//
//
// LLVM takes the CPU's estimate for 1 / sqrt(x) only when root and quotient end up in one
// block. Here every quotient that may be approximate (Elementary.cpp) takes it, one Newton
// step behind it:
//
//     %q = fdiv arcp <16 x float> 1, (sqrt %x)
//  -> %y = rsqrt14(%x); %e = 1 - (%x * %y) * %y; %q = %y + (%y / 2) * min(%e, 1/2)
//     min, as %e is NaN where %y is 0 or infinite, and %q is to be the same
//
// Needs:    vectors of a register's size (splitVectors).
// Leaves:   other sizes, and CPUs that are not x86: those quotients become exact, for LLVM's
//           own estimates make NaN of 0.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

Value *estimate(IRBuilder<> &B, Value *X, unsigned Lanes, bool Avx512) {
  if (Avx512) {
    Intrinsic::ID Id = Lanes == 16  ? Intrinsic::x86_avx512_rsqrt14_ps_512
                       : Lanes == 8 ? Intrinsic::x86_avx512_rsqrt14_ps_256
                                    : Intrinsic::x86_avx512_rsqrt14_ps_128;
    Type *Mask = B.getIntNTy(std::max(8u, Lanes));
    return B.CreateIntrinsic(Id, {}, {X, Constant::getNullValue(X->getType()), Constant::getAllOnesValue(Mask)});
  }
  return B.CreateIntrinsic(Lanes == 8 ? Intrinsic::x86_avx_rsqrt_ps_256 : Intrinsic::x86_sse_rsqrt_ps, {}, {X});
}

} // namespace

bool takeEstimates(Function &F, const EstimateFeatures &Has) {
  SmallVector<std::pair<Instruction *, Value *>, 8> Quotients;
  for (Instruction &I : instructions(F)) {
    Value *X;
    if (match(&I, m_FDiv(m_FPOne(), m_Sqrt(m_Value(X)))) && I.hasAllowReciprocal())
      Quotients.emplace_back(&I, X);
  }
  bool Changed = false;
  for (auto [Quotient, X] : Quotients) {
    auto *T = dyn_cast<FixedVectorType>(X->getType());
    unsigned Lanes = T ? T->getNumElements() : 1;
    if ((Lanes != 4 && Lanes != 8 && Lanes != 16) || Lanes * 32 > Has.vectorBits) {
      Quotient->copyFastMathFlags(FastMathFlags());
      cast<Instruction>(Quotient->getOperand(1))->copyFastMathFlags(FastMathFlags());
      continue;
    }
    IRBuilder<> B(Quotient);
    Value *One = ConstantFP::get(X->getType(), 1.0), *Half = ConstantFP::get(X->getType(), 0.5);
    Value *Y = estimate(B, X, Lanes, Has.avx512);
    auto MultiplyAdd = [&](Value *P, Value *Q, Value *R) {
      return Has.fma ? B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {P, Q, R})
                     : B.CreateFAdd(B.CreateFMul(P, Q), R);
    };
    Value *Error = MultiplyAdd(B.CreateFNeg(B.CreateFMul(X, Y)), Y, One);
    // Zero and infinity make NaN of the error; with any number in its place they stay what they are. Else it is tiny.
    Value *Number = B.CreateSelect(B.CreateFCmpOLT(Error, Half), Error, Half);
    Quotient->replaceAllUsesWith(MultiplyAdd(B.CreateFMul(Y, Half), Number, Y));
    Quotient->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
