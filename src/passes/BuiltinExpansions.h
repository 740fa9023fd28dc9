//===- BuiltinExpansions.h - Builtins that are a few LLVM instructions ----------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace pocm {

/// What a call of the header builtin `Name` means in plain LLVM or CM IR, or null when it is not one of these.
llvm::Value *expandBuiltin(llvm::StringRef Name, llvm::CallInst &Call, llvm::IRBuilder<> &B);

} // namespace pocm
