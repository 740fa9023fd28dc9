//===- CpuSurfaces.h - Where kernels of CPUs find surfaces ------------------------------===//
//
//     surface 8                   ->   %table + 8 * sizeof(SurfaceView)
//     shared local memory         ->   the view in the Group
//
// A bound kernel's first two parameters are the table and the group (Walker.cpp). Memory that the device
// allocates has some bytes behind it that may be read, and large surfaces may be written around the cache.
//
//===------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/llvm/SurfacePolicy.h"

namespace pocm::cpu {

class CpuSurfaces : public SurfacePolicy {
public:
  explicit CpuSurfaces(llvm::Function &Thread) : Thread(Thread) {}

  llvm::Value *viewOf(llvm::IRBuilder<> &B, llvm::Value *Surface) const override;
  unsigned readSlack() const override;
  llvm::Value *mayStream(llvm::IRBuilder<> &B, llvm::Value *View) const override;

private:
  llvm::Function &Thread;
};

} // namespace pocm::cpu
