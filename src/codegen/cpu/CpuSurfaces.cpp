//===- CpuSurfaces.cpp - Where kernels of CPUs find surfaces ----------------------------===//
#include "codegen/cpu/CpuSurfaces.h"
#include "codegen/cpu/Abi.h"
#include "codegen/llvm/SurfaceAccess.h"
#include <cstddef>

using namespace llvm;

namespace pocm::cpu {

bool CpuSurfaces::isAlone(Value *Surface) const {
  auto *Index = dyn_cast<ConstantInt>(Surface);
  return Index && Index->getZExtValue() == SlmSurface;
}

Value *CpuSurfaces::viewOf(IRBuilder<> &B, Value *Surface) const {
  if (isAlone(Surface))
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Thread.getArg(1), offsetof(Group, slm));
  Value *Slot = B.CreateAnd(Surface, B.getInt32(SurfaceSlots - 1));
  Value *Offset = B.CreateMul(B.CreateZExt(Slot, B.getInt64Ty()), B.getInt64(sizeof(SurfaceView)));
  return B.CreateInBoundsGEP(B.getInt8Ty(), Thread.getArg(0), Offset);
}

unsigned CpuSurfaces::readSlack() const { return ReadSlack; }

Value *CpuSurfaces::mayStream(IRBuilder<> &B, Value *View) const {
  return B.CreateIsNotNull(viewField(B, View, B.getInt32Ty(), offsetof(SurfaceView, streams)));
}

} // namespace pocm::cpu
