//===- HalfOverflow.cpp - Integers that are infinite as halves -------------------------------===//
//
//     %h = uitofp i32 %i to half                    ->   %f = uitofp i32 %i to float
//                                                        %h = fptrunc (llvm.arithmetic.fence %f) to half
//     %h = fptrunc (uitofp i32 %i to float) to half ->   the same
//
// Why:      LLVM takes an integer of at most 11 digits for exact in half, whatever zeros stand behind them:
//           float(half(%i & 0xFF000000)) becomes float(%i & 0xFF000000), which is finite. It does not look
//           through the fence. By way of float or double nothing is rounded twice: what float rounds is infinite
//           as half.
// Needs:    to run before each of LLVM's instcombine passes (Pipeline.cpp).
// Leaves:   integers of 16 bits, whose halves are right.
//
//===----------------------------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned ExactBits = 16;

bool isOfWideInteger(const Value *V) {
  return isa<UIToFPInst, SIToFPInst>(V) && cast<CastInst>(V)->getSrcTy()->getScalarSizeInBits() > ExactBits;
}

/// Whether an element may be such an integer, as far as LLVM moves conversions.
bool mayBeWideInteger(const Value *V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 6;
  if (isOfWideInteger(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  return I && Depth < MostDepth &&
         (isa<FPExtInst, FPTruncInst, SelectInst, PHINode, ShuffleVectorInst, InsertElementInst, ExtractElementInst,
              FreezeInst, UnaryOperator>(I)) &&
         any_of(I->operands(), [&](const Value *From) { return mayBeWideInteger(From, Depth + 1); });
}

/// The number, rounded at most to float, that a conversion makes a half of; null where nothing is to be kept apart.
Value *wideNumber(IRBuilderBase &B, CastInst &Cast) {
  if (!Cast.getDestTy()->getScalarType()->isHalfTy())
    return nullptr;
  if (isOfWideInteger(&Cast))
    return B.CreateCast(Cast.getOpcode(), Cast.getOperand(0), Cast.getDestTy()->getWithNewType(B.getFloatTy()));
  return isa<FPTruncInst>(Cast) && mayBeWideInteger(Cast.getOperand(0)) ? Cast.getOperand(0) : nullptr;
}

} // namespace

bool keepHalfOverflow(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Cast = dyn_cast<CastInst>(&I)) {
      IRBuilder<> B(Cast);
      Value *Number = wideNumber(B, *Cast);
      if (!Number)
        continue;
      Value *Fence = B.CreateIntrinsic(Intrinsic::arithmetic_fence, {Number->getType()}, {Number});
      Cast->replaceAllUsesWith(B.CreateFPTrunc(Fence, Cast->getDestTy()));
      Cast->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace pocm
