//===- Unwritten.h - Variables that have no value yet, as a value ----------------------===//
//
// LLVM may make what it likes of undef, and often makes a mistake disappear. A program that
// is compiled for the check device (CompileOptions::keepUnwritten) has an operation there,
// which optimisation leaves alone; its number finds the variable:
//
//     %v = call <16 x i32> @cm.unwritten.v16i32(i32 2)
//     !pocm.unwritten = !{!0, !1, !2}
//     !2 = !{!"v", !"k.cpp", i32 7}
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <string>

namespace pocm {

/// A module flag: variables begin their lives with Op::Unwritten instead of undef.
constexpr const char *KeepUnwrittenFlag = "pocm.keep-unwritten";

/// Of a file-scope variable that the source gives no value.
constexpr const char *UninitializedMetadata = "pocm.uninitialized";
/// A module flag: file-scope variables may have initialisers.
constexpr const char *InitializedGlobalsFlag = "pocm.initialized-globals";

/// Of an Op::Bounds: what an element is chosen of, in words.
constexpr const char *BoundsMetadata = "pocm.bounds";

/// A variable of the source.
struct UnwrittenVariable {
  std::string Name, File;
  unsigned Line = 0;
};

/// What a variable holds when its life begins, for a type that operations have; `Variable` may have debug information.
llvm::Value *createUnwritten(llvm::IRBuilderBase &B, llvm::Type *T, llvm::AllocaInst &Variable);
/// One without a variable.
llvm::Value *createUnwritten(llvm::IRBuilderBase &B, llvm::Type *T);
/// The variable of an Op::Unwritten, when it is known.
std::optional<UnwrittenVariable> variableOf(const llvm::CallInst &Unwritten);

/// Undef again, for devices that do not look; what is for debuggers goes, too (passes/MirrorVariables.cpp).
void forgetUnwritten(llvm::Module &M);

} // namespace pocm
