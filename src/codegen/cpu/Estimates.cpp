//===- Estimates.cpp - Reciprocal square roots by estimate ---------------------------------===//
//
// LLVM takes the CPU's estimate for 1 / sqrt(x) only when root and quotient end up in one
// block. Here every quotient that may be approximate (Elementary.cpp) takes it, one Newton
// step behind it:
//
//     %q = fdiv arcp <16 x float> 1, (sqrt %x)
//  -> %y = rsqrt14(%x); %e = (%x * %y) * %y - 1; %q = %y - (%y / 2) * min(%e, -1/2)
//     min, as %e is NaN where %y is 0 or infinite, and %q is to be the same
//
// Such code is full of multiplications, and where a CPU adds elsewhere than it multiplies, so are the other steps done:
// min compares the bits (those of all errors, below zero or not, are smaller than -1/2's, those of the CPU's NaN are
// larger), and %y / 2 is the exponent less one. Bodies that attract each other: 12 multiplications of 13 are left
// beside the estimate.
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
    Value *Y = estimate(B, X, Lanes, Has.avx512);
    auto MultiplyAdd = [&](Value *P, Value *Q, Value *R) {
      return Has.fma ? B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {P, Q, R})
                     : B.CreateFAdd(B.CreateFMul(P, Q), R);
    };
    Value *Error = MultiplyAdd(B.CreateFMul(X, Y), Y, ConstantFP::get(X->getType(), -1.0));
    // Zero and infinity make NaN of the error; with any number in its place they stay what they are. Else it is tiny.
    Constant *MinusHalf = ConstantFP::get(X->getType(), -0.5);
    Value *Number, *HalfOfY;
    if (Has.addsElsewhere) {
      Type *Bits = X->getType()->getWithNewType(B.getInt32Ty());
      auto AsBits = [&](Value *V) { return B.CreateBitCast(V, Bits); };
      auto AsFloats = [&](Value *V) { return B.CreateBitCast(V, X->getType()); };
      Constant *OneLess = ConstantInt::get(Bits, 1u << 23);
      Number = AsFloats(B.CreateBinaryIntrinsic(Intrinsic::umin, AsBits(Error), AsBits(MinusHalf)));
      // Zero stays zero.
      Value *NotLess = B.CreateBinaryIntrinsic(Intrinsic::umax, AsBits(Y), OneLess);
      HalfOfY = AsFloats(B.CreateSub(NotLess, OneLess));
    } else {
      Number = B.CreateSelect(B.CreateFCmpOGT(Error, MinusHalf), Error, MinusHalf);
      HalfOfY = B.CreateFMul(Y, ConstantFP::get(X->getType(), 0.5));
    }
    Quotient->replaceAllUsesWith(MultiplyAdd(B.CreateFNeg(HalfOfY), Number, Y));
    Quotient->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
