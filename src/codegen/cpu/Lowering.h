//===- Lowering.h - CM IR to what LLVM's CPU back ends compile ----------------===//
#pragma once

#include "ir/Kernel.h"
#include "llvm/IR/Function.h"
#include <string>

namespace pocm::cpu {

/// Gives a kernel two leading parameters, the surface table and the thread's position (MediaBlocks.cpp relies on the
/// first), and replaces the thread identity operations. Returns the new function (Walker.cpp).
llvm::Function *bindThread(llvm::Function &Kernel);

/// Media block operations become memory regions (MediaBlocks.cpp). Returns what is not supported, empty on success.
std::string lowerMediaBlocks(llvm::Function &F);

/// OWord blocks and scattered reads and writes become memory accesses (BufferAccess.cpp).
void lowerBufferAccess(llvm::Function &F);

/// Builds the walker around a bound kernel: a function of type Walk (Walker.cpp).
llvm::Function *buildWalker(llvm::Function &Bound, llvm::StringRef Name);

} // namespace pocm::cpu
