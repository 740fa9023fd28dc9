//===- HalfFunctions.cpp - Functions of halves in float ------------------------------------------===//
//
// Where a CPU computes halves in float, LLVM does so for sums and products of whole vectors, but takes rounding, roots
// and minima apart, lane by lane, some through the C library. In float they are instructions, and give what the half
// would: its root has less than half of a float's digits, and of the others no digit is lost.
//
//     %r = call <32 x half> @llvm.sqrt.v32f16(%x)         %f = fpext <32 x half> %x to <32 x float>
//                                                  ->     %s = call <32 x float> @llvm.sqrt.v32f32(%f)
//                                                         %r = fptrunc <32 x float> %s to <32 x half>
//
// Sums, products and quotients with bytes are taken in float, too: LLVM would make halves of the bytes first, which
// lose nothing, and floats of those.
//
// Needs:    no pass of LLVM's behind it, which would make functions of halves of what it leaves; denormals are flushed
//           where they count as 0.
// Leaves:   other products, sums and quotients, which LLVM computes in float; functions of the C library
//           (VectorMath.cpp).
//
//===---------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Replace.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

Value *inFloat(IntrinsicInst &Call) {
  if (!choosesRoundsOrTakesRoot(Call.getIntrinsicID()) || !Call.getType()->getScalarType()->isHalfTy())
    return nullptr;
  IRBuilder<> B(&Call);
  auto InFloat = [&](Type *T) { return T->getWithNewType(B.getFloatTy()); };
  SmallVector<Value *, 2> Operands;
  for (Value *V : Call.args())
    Operands.push_back(B.CreateFPExt(V, InFloat(V->getType())));
  Value *Result = B.CreateIntrinsic(InFloat(Call.getType()), Call.getIntrinsicID(), Operands);
  return B.CreateFPTrunc(Result, Call.getType());
}

/// A half that is a small integer, in float; null for others.
Value *smallInFloat(IRBuilder<> &B, Value *Half) {
  constexpr unsigned Most = 8; // bits
  auto *Cast = dyn_cast<CastInst>(Half);
  if (!Cast || !isa<SIToFPInst, UIToFPInst>(Cast) || Cast->getSrcTy()->getScalarSizeInBits() > Most)
    return nullptr;
  return B.CreateCast(Cast->getOpcode(), Cast->getOperand(0), Half->getType()->getWithNewType(B.getFloatTy()));
}

Value *withBytesInFloat(BinaryOperator &I) {
  if (!I.getType()->getScalarType()->isHalfTy() || I.getOpcode() == Instruction::FRem)
    return nullptr;
  IRBuilder<> B(&I);
  Value *Small[2], *Floats[2];
  for (unsigned K = 0; K < 2; ++K)
    Small[K] = smallInFloat(B, I.getOperand(K));
  if (!Small[0] && !Small[1])
    return nullptr;
  for (unsigned K = 0; K < 2; ++K)
    Floats[K] = Small[K] ? Small[K] : B.CreateFPExt(I.getOperand(K), I.getType()->getWithNewType(B.getFloatTy()));
  return B.CreateFPTrunc(B.CreateBinOp(I.getOpcode(), Floats[0], Floats[1]), I.getType());
}

} // namespace

bool computeHalvesInFloat(Module &M) {
  const bool Bytes = replaceEach<BinaryOperator>(M, withBytesInFloat);
  return replaceEach<IntrinsicInst>(M, inFloat) || Bytes;
}

} // namespace pocm::cpu
