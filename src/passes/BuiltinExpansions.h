//===- BuiltinExpansions.h - Builtins that are a few LLVM instructions ----------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace pocm {

/// What a call of the header builtin `Name` means in plain LLVM or CM IR, or null when it is not one of these.
llvm::Value *expandBuiltin(llvm::StringRef Name, llvm::CallInst &Call, llvm::IRBuilder<> &B);

/// Lanes whose mask element is not 0 and whose channel is active.
llvm::Value *wantedLanes(llvm::IRBuilder<> &B, llvm::Value *Mask);

/// The same as expandBuiltin for messages to the load/store cache (LscBuiltins.cpp).
llvm::Value *expandLscBuiltin(llvm::StringRef Name, llvm::CallInst &Call, llvm::IRBuilder<> &B);

} // namespace pocm
