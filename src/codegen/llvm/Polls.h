//===- Polls.h - Loops that wait for what other threads write -----------------------------------===//
//
//     do { read(flags, n, v); } while (v(0) == 0);          what `v` is the next time, another thread decides
//
//===--------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace pocm {

/// The blocks of loops whose end depends on what they read from memory that others may write: by messages, atomics,
/// pointers.
llvm::SmallPtrSet<const llvm::BasicBlock *, 16> pollingBlocks(const llvm::Function &F);

/// What such loops read at the same place each time is read each time: loads become volatile, others stand behind
/// fences for the thread itself. Once messages are loads.
bool keepPolling(llvm::Module &M);

} // namespace pocm
