//===- Streaming.h - Stores around the cache -------------------------------------===//
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

namespace pocm {

/// Marks an operation that writes memory: whole cache lines, around the cache.
inline void setStreaming(llvm::Instruction &I) { I.setMetadata("cm.streaming", llvm::MDNode::get(I.getContext(), {})); }
inline bool isStreaming(const llvm::Instruction &I) { return I.hasMetadata("cm.streaming"); }

} // namespace pocm
