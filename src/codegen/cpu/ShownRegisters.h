//===- ShownRegisters.h - What debuggers can read of registers ------------------------===//
#pragma once

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace pocm::cpu {

/// LLVM's passes from IR to a file, as TargetMachine::addPassesToEmitFile adds them, and behind them one that says of
/// variables in registers what debuggers can read. False where the target cannot be written.
bool addPassesWithVariables(llvm::TargetMachine &Machine, llvm::legacy::PassManager &Passes,
                            llvm::raw_pwrite_stream &Stream, llvm::CodeGenFileType Kind);

} // namespace pocm::cpu
