//===- SurfacePolicy.h - What a back end says of surfaces --------------------------------===//
//
// MediaBlocks, LscAccess and BufferAccess turn messages into plain memory accesses and calls of
// helpers, in the same way for all LLVM back ends. What differs between targets they ask here.
// docs/architecture.md lists what a back end does itself.
//
// All addresses are pointers of address space 0, which reaches all memory; where a target's does not,
// viewOf() and the views give addresses that do. Constants hold no addresses of the host.
//
//===-------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace pocm {

class SurfacePolicy {
public:
  virtual ~SurfacePolicy() = default;

  /// The address of the SurfaceView (codegen/helpers/Surface.h) of a surface index, which holds its base, size, pitch
  /// and format. Shared local memory, what kernels print into, the program's variables and the table of samplers have
  /// numbers like surfaces (program/KernelInterface.h). Nothing in a view changes while a launch runs.
  virtual llvm::Value *viewOf(llvm::IRBuilder<> &B, llvm::Value *Surface) const = 0;

  /// Loads may touch so many bytes behind the last one of a row, up to the view's end, and behind the variables in
  /// which blocks over an edge are put together.
  virtual unsigned readSlack() const = 0;

  /// Whether whole cache lines of a surface may be written around the cache, as i1. Asked for the blocks that the back
  /// end has marked (Streaming.h).
  virtual llvm::Value *mayStream(llvm::IRBuilder<> &B, llvm::Value *View) const { return B.getFalse(); }

  /// Whether a surface is memory in which messages work one after the other, each undivided.
  virtual bool isAlone(llvm::Value *Surface) const { return false; }
};

} // namespace pocm
