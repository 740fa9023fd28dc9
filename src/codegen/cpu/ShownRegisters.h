//===- ShownRegisters.h - What debuggers can read of registers ------------------------===//
#pragma once

#include "llvm/IR/LegacyPassManager.h"
#include <memory>

namespace pocm::cpu {

/// An empty list of passes: what TargetMachine::addPassesToEmitFile adds to it holds one that says of variables in
/// registers what debuggers can read.
std::unique_ptr<llvm::legacy::PassManager> showRegisters();

} // namespace pocm::cpu
