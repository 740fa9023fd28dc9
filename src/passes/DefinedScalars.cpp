//===- DefinedScalars.cpp - Scalars convert and shift as vectors do -----------------------===//
//
// C++ does not say what an integer is that cannot hold a float, nor what a shift by more bits than there are gives. The
// language does, of vectors, and their elements are scalars (docs/numerics.md):
//
//     %i = fptosi float %x to i32          ->   %i = llvm.fptosi.sat.i32.f32(%x)
//     %s = shl i32 %a, %n                  ->   %s = shl i32 %a, (and i32 %n, 31)
//
// Needs:    what the front end emits: LLVM takes what is not defined for anything.
// Leaves:   vectors, whose builtins and operators say it themselves; constants, of which the front end refuses what is
//           outside.
//
//===--------------------------------------------------------------------------------------===//
#include "ir/Replace.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace pocm {
namespace {

Value *saturating(CastInst &Conversion) {
  const bool Signed = isa<FPToSIInst>(Conversion);
  if ((!Signed && !isa<FPToUIInst>(Conversion)) || Conversion.getType()->isVectorTy())
    return nullptr;
  IRBuilder<> B(&Conversion);
  Value *X = Conversion.getOperand(0);
  if (X->getType()->isBFloatTy())
    X = B.CreateFPExt(X, B.getFloatTy());
  return B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {Conversion.getType(), X->getType()},
                           {X});
}

bool boundCount(BinaryOperator &Shift) {
  if (!Shift.isShift() || Shift.getType()->isVectorTy())
    return false;
  Value *Count = Shift.getOperand(1);
  const unsigned Bits = Shift.getType()->getIntegerBitWidth();
  if (auto *C = dyn_cast<ConstantInt>(Count); (C && C->getValue().ult(Bits)) || !isPowerOf2_32(Bits))
    return false;
  IRBuilder<> B(&Shift);
  Shift.setOperand(1, B.CreateAnd(Count, Bits - 1));
  return true;
}

} // namespace

bool defineScalars(Module &M) {
  bool Changed = replaceEach<CastInst>(M, saturating);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Shift = dyn_cast<BinaryOperator>(&I))
        Changed |= boundCount(*Shift);
  return Changed;
}

} // namespace pocm
