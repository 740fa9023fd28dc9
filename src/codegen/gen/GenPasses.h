//===- GenPasses.h - From CM IR to what Gen instructions can do -------------------------===//
//
// One function per pass of GenPasses.def. What they leave is still CM IR and can be run
// on any device; codegen/gen/Emitter.h then prints a bale as an instruction.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/GenTarget.h"
#include "passes/Passes.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace pocm::gen {

#define GEN_PASS(name, function, description) bool function(llvm::Module &M, const GenTarget &Target);
#define LLVM_PASS(name, pipeline, description)
#define EMISSION(name, description)
#include "codegen/gen/GenPasses.def"

/// Elements that a shuffle of numbers picks, by regions; a part of gen-regions.
bool pickElements(llvm::Module &M);

/// Whether threads with these functions are dispatched in groups.
bool usesGroups(llvm::ArrayRef<llvm::Function *> Functions);

/// The passes, in order.
std::vector<PassDescription> genPassDescriptions();
/// Runs one pass, of GenPasses.def or any that runPasses knows. Returns an error message, empty on success.
std::string runGenPass(llvm::Module &M, const GenTarget &Target, const std::string &Name, const PassWatch &Watch);
/// Runs the passes up to and including `Last` (all when it is empty), without those that are disabled, and checks what
/// the last one leaves. Returns an error message, empty on success.
std::string runGenPasses(llvm::Module &M, const GenTarget &Target, llvm::StringRef Last = {},
                         const std::vector<std::string> &Disabled = {}, const PassWatch &Watch = {});

} // namespace pocm::gen
