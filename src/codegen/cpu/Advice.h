//===- Advice.h - What costs time in a kernel's loops ------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace pocm::cpu {

/// Says what costs time in loops, to those who listen (ir/Remarks.h). Before anything is lowered. `FlushesHalves`:
/// denormals of halves count as zero, which takes instructions.
void advise(llvm::Function &F, bool FlushesHalves);

} // namespace pocm::cpu
