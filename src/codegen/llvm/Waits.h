//===- Waits.h - Where threads wait for others --------------------------------------------------===//
#pragma once

#include "ir/Intrinsics.h"

namespace pocm {

/// Whether a thread may wait there for others: what it needs afterwards is kept meanwhile.
inline bool isWait(const llvm::Instruction &I) {
  return llvm::is_contained({Op::Barrier, Op::SplitBarrier, Op::NamedWait, Op::PairExchange, Op::DpasPair},
                            operationOf(&I));
}

} // namespace pocm
