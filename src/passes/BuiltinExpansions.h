//===- BuiltinExpansions.h - Builtins that are a few LLVM instructions ----------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace pocm {

/// Attribute of the variable that holds the state of SIMD control flow (include/cm/detail/simd_control_flow.h). A
/// module whose kernels use none has no such variable.
constexpr const char *ExecutionAttribute = "genx_execution";

/// What a call of the header builtin `Name` means in plain LLVM or CM IR, or null when it is not one of these.
llvm::Value *expandBuiltin(llvm::StringRef Name, llvm::CallInst &Call, llvm::IRBuilder<> &B);

/// Lanes whose mask element is not 0 and whose channel is active.
llvm::Value *wantedLanes(llvm::IRBuilder<> &B, llvm::Value *Mask);

/// The same as expandBuiltin for messages to the load/store cache (LscBuiltins.cpp).
llvm::Value *expandLscBuiltin(llvm::StringRef Name, llvm::CallInst &Call, llvm::IRBuilder<> &B);

} // namespace pocm
