//===- Lifetimes.h - What a variable holds when its life begins ---------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"

namespace pocm {

/// In front of `Before` the variable gets the value of one that nobody has written; false when that cannot be said.
bool beginLife(llvm::AllocaInst &Variable, llvm::Instruction &Before);

} // namespace pocm
