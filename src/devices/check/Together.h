//===- Together.h - Checks that stand together, and blocks that are checked as one ----------===//
//
// A call in the middle of a computation makes all vectors that live across it go to memory and
// back. What a message is told is mostly known long before its data, so its check stands where
// the last operand is known, behind whatever else has effects; checks of messages that come one
// after the other meet there:
//
//     call @pocm_check_block(%r, @site.1, %out, %a)
//     call @pocm_check_block(%r, @site.2, %out, %b)
//     %sum = fadd ...                                       ; nothing lives across a call
//     oword.st(%out, ..., %sum)
//     oword.st(%out, ..., %product)
//
// Media blocks that one place of the source, a loop that was unrolled, writes one below the other
// are one check:
//
//     media.write(%out, %x, %y, 4 rows)            call @pocm_check_media(%r, @site, %out, %x, %y)
//     media.write(%out, %x, %y + 4, 4 rows)   ->   ; @site: 2 blocks of 4 rows
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace pocm::check {

/// The first place of its block from which on these values are known and nothing comes before I that has effects.
llvm::Instruction *earliest(llvm::Instruction &I, llvm::ArrayRef<llvm::Value *> Known);

/// How many blocks are checked where the first of them is written; 0 for those behind it. Only of media writes.
llvm::DenseMap<llvm::Instruction *, unsigned> blocksBelow(llvm::ArrayRef<llvm::Instruction *> All);

} // namespace pocm::check
