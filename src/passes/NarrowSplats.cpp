//===- NarrowSplats.cpp - A scalar is as narrow as the vector that it meets --------------------------===//
//
//     %w = zext <64 x i8> %v to <64 x i32>
//     %s = splat (zext i8 %c to i32)                    %n = splat %c
//     %m = icmp eq <64 x i32> %w, %s              ->    %m = icmp eq <64 x i8> %v, %n
//
// The languages' integers have 32 bits, so `v == c` widens bytes on both sides. LLVM compares, adds and cuts off what
// both sides have been widened from, but only where it sees that of both: not behind a splat, nor of a scalar of which
// only the bits say that it is small. Such a scalar becomes one that is widened as a vector.
//
// Needs:    whole vectors (promote-storage).
// Leaves:   extensions of splats beside extensions of the same type, which LLVM narrows.
//
//===------------------------------------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm {
namespace {

/// Whether an operation on two widened integers may be one on the narrow ones, perhaps with what follows.
bool mayBeNarrow(const Instruction &I) {
  if (isa<ICmpInst, MinMaxIntrinsic>(I))
    return true;
  return is_contained({Instruction::Add, Instruction::Sub, Instruction::And, Instruction::Or, Instruction::Xor},
                      I.getOpcode());
}

/// Whether a scalar is a widened one of so many bits.
bool fits(Value *Scalar, unsigned Bits, bool Signed, const DataLayout &Layout) {
  if (!Signed)
    return computeKnownBits(Scalar, Layout).countMaxActiveBits() <= Bits;
  return Scalar->getType()->getIntegerBitWidth() - ComputeNumSignBits(Scalar, Layout) < Bits;
}

bool narrowOperand(Instruction &I, unsigned Index, const DataLayout &Layout) {
  auto *Wide = dyn_cast<CastInst>(I.getOperand(1 - Index));
  Value *Splat = I.getOperand(Index);
  if (!Wide || !isa<ZExtInst, SExtInst>(Wide) || !Wide->getType()->isVectorTy() || isa<Constant>(Splat))
    return false;
  Value *Scalar = getSplatValue(Splat);
  auto *From = cast<FixedVectorType>(Wide->getSrcTy());
  const bool Signed = isa<SExtInst>(Wide);
  const unsigned Bits = From->getScalarSizeInBits();
  constexpr unsigned Byte = 8; // masks are no numbers
  if (!Scalar || Bits < Byte || !fits(Scalar, Bits, Signed, Layout))
    return false;
  IRBuilder<> B(&I);
  Value *Narrow = B.CreateVectorSplat(From->getElementCount(), B.CreateTrunc(Scalar, From->getElementType()));
  I.setOperand(Index, B.CreateIntCast(Narrow, Wide->getType(), Signed));
  return true;
}

} // namespace

bool narrowSplats(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (mayBeNarrow(I))
        Changed |= narrowOperand(I, 0, M.getDataLayout()) || narrowOperand(I, 1, M.getDataLayout());
  return Changed;
}

} // namespace pocm
