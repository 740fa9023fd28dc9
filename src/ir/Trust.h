//===- Trust.h - CM IR from files ---------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <string>

namespace pocm {

/// The largest program that is read, in bytes of bitcode.
constexpr std::size_t MostBitcode = 64u << 20;

/// Why LLVM's reader should not see bitcode: it would take all memory for attributes of parameters that no function
/// has. Empty when it may; what is not bitcode at all is left to the reader.
std::string distrust(llvm::StringRef Bitcode);

/// Why passes and code generators should not see a module that came from a file; empty when they may: it holds nothing
/// but what programs of ours hold. docs/security.md says what that promises.
std::string distrust(const llvm::Module &M);

/// Whether a declaration is an operation of CM IR (Intrinsics.cpp).
bool isOperation(const llvm::Function &F);
/// Whether the name of the operation that is called names the types that it has (Intrinsics.cpp).
bool spellsItsTypes(const llvm::CallInst &Call);

} // namespace pocm
