//===- Trust.h - CM IR from files ---------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <string>

namespace pocm {

/// The largest program that is read, in bytes of bitcode.
constexpr std::size_t MostBitcode = 64u << 20;
constexpr std::uint64_t MostElements = 1u << 16;     ///< Of a vector.
constexpr unsigned MostIntegerBits = 1u << 12;       ///< LLVM merges variables to wide integers.
constexpr std::uint64_t MostVariables = 64u << 20;   ///< Bytes of a function's variables, and of a module's globals.
constexpr std::uint64_t MostInstructions = 1u << 20; ///< Of a module.
constexpr std::uint64_t MostExpanded = 4'000'000; ///< Of a function, with those that it calls, each time that it does.
constexpr std::uint64_t MostAlign = 1u << 16;     ///< Bytes: what a vector may take is aligned to.
constexpr unsigned MostAddressSpace = 8;          ///< CM has fewer; some of those above are LLVM's for processors.

/// Why LLVM's reader should not see bitcode: it is none, or announces more than it can hold, for which the reader would
/// take all memory. Empty when it may. (TrustBitcode.cpp)
std::string distrust(llvm::StringRef Bitcode);

/// Why passes and code generators should not see a module that came from a file; empty when they may: it holds nothing
/// but what programs of ours hold. docs/security.md says what that promises.
std::string distrust(const llvm::Module &M);

/// Whether programs may say that of functions, parameters, results and calls.
bool isKnownAttribute(llvm::Attribute A);

/// Whether a declaration is an operation of CM IR (Intrinsics.cpp).
bool isOperation(const llvm::Function &F);
/// Whether the name of the operation that is called names the types that it has (Intrinsics.cpp).
bool spellsItsTypes(const llvm::CallInst &Call);

} // namespace pocm
