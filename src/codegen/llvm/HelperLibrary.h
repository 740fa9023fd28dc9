//===- HelperLibrary.h - The helpers of kernels, as bitcode -----------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <vector>

namespace pocm {

/// What compiled kernels call (codegen/helpers/Helpers.def).
enum class Helper {
#define HELPER(id, symbol, use) id,
#include "codegen/helpers/Helpers.def"
};
enum class HelperUse { Rare, Called, Inlined };

const char *symbolOf(Helper H);
HelperUse useOf(Helper H);

/// The library, with the layout of a target.
std::unique_ptr<llvm::Module> helperLibrary(llvm::LLVMContext &C, const llvm::Module &For);

/// Gives the module the bodies of those helpers that it calls and that `Links` wants, and what these call, as functions
/// of its own. Returns them all; they have no attributes of a target yet.
std::vector<llvm::Function *> linkHelpers(llvm::Module &M, llvm::function_ref<bool(Helper)> Links);

} // namespace pocm
