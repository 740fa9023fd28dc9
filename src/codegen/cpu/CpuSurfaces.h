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

#include "codegen/llvm/HelperLibrary.h"
#include "codegen/llvm/SurfacePolicy.h"

namespace pocm::cpu {

class CpuSurfaces : public SurfacePolicy {
public:
  explicit CpuSurfaces(llvm::Function &Thread) : Thread(Thread) {}

  llvm::Value *viewOf(llvm::IRBuilder<> &B, llvm::Value *Surface) const override;
  unsigned readSlack() const override;
  llvm::Value *mayStream(llvm::IRBuilder<> &B, llvm::Value *View) const override;
  bool isAlone(llvm::Value *Surface) const override; ///< Shared local memory is: a group has one host thread.

  /// Helpers that are part of the kernel. Those that are called rarely stay native code, whose address the device's
  /// linker knows (devices/cpu/Jit.cpp): they would take longer to compile than they ever run.
  static bool links(Helper H) { return useOf(H) != HelperUse::Rare; }

private:
  llvm::Function &Thread;
};

} // namespace pocm::cpu
