//===- PlainVariables.h - Where variables are, without an address space -----------------===//
#pragma once

namespace llvm {
class Module;
}

namespace pocm::frontend {

/// Debug information of variables that passes can follow.
void forgetAddressSpacesOfVariables(llvm::Module &M);
/// Debug information of variables that the user did not write goes.
void forgetVariablesOfHeaders(llvm::Module &M);

/// Makes what says whether a static variable has its first value a variable of each thread.
void giveEachThreadGuards(llvm::Module &M);

} // namespace pocm::frontend
