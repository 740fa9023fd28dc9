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
// Needs:    no pass of LLVM's behind it, which would make functions of halves of what it leaves; denormals are flushed
// where
//           they count as 0.
// Leaves:   products, sums and quotients, which LLVM computes in float; functions of the C library (VectorMath.cpp).
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

} // namespace

bool computeHalvesInFloat(Module &M) { return replaceEach<IntrinsicInst>(M, inFloat); }

} // namespace pocm::cpu
