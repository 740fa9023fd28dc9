//===- Instrument.h - CM IR with checks in it -----------------------------------===//
#pragma once

namespace llvm {
class Function;
}

namespace pocm::check {

/// Puts calls of the check device's helpers (Abi.h) in front of what a kernel does to surfaces, memory, elements of
/// objects and its group. The result has one parameter more behind the others, the address of the launch's Checker.
llvm::Function *instrument(llvm::Function &kernel);

/// The same, and counts operations, for launches that count what they do.
llvm::Function *instrumentToCount(llvm::Function &kernel);

/// Sites get the lines that the debug information of the module names, so this runs before that goes.

} // namespace pocm::check
