//===- PlainVariables.h - Where variables are, without an address space -----------------===//
#pragma once

namespace llvm {
class Module;
}

namespace pocm::frontend {

/// Debug information of variables that passes can follow.
void forgetAddressSpacesOfVariables(llvm::Module &M);

} // namespace pocm::frontend
