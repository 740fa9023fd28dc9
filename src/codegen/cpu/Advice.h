//===- Advice.h - What costs time in a kernel's loops ------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace pocm::cpu {

/// Says what costs time in loops, to those who listen (ir/Remarks.h). Before anything is lowered.
void advise(llvm::Function &F);

} // namespace pocm::cpu
