//===- Goto.h - Blocks that only some channels execute ------------------------------------===//
//
//     br (any of %p), block, after           (!P1) goto (M1, 16) after      channels that are not in %p wait there
//     block:                                 max (M1_NM, 16) V40 ...        for all channels
//       %m = max(...)                  ->    mul (M1, 16) V41 V40 ...       for those of %p
//       wrregion(..., mask %p)               min (M1, 16) V42 ...
//       wrregion(..., mask %p)             after:                           `join`, which the finalizer puts there
//
// An instruction that takes no predicate (minima, bytes, what the finalizer makes several of) is computed beside its
// result and moved there under the predicate. Where `goto` has turned the other channels off, the execution mask does
// that for nothing. It is the step gen-goto of emission, for it depends on what shares variables.
//
// Needs:    blocks in order (gen-order), results written under masks (gen-predication).
// Leaves:   blocks with fewer than two such results, which goto and join would cost more than they spare; blocks with
//           branches or calls of their own; those that a phi takes a copy to go around.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Layout.h"

namespace pocm::gen {

/// The predicate of 8 or 16 channels that a block is gone around for when none of them is on; null for other blocks.
/// if (any(%p)) block; goes on behind it
llvm::Value *maskOf(const llvm::BasicBlock &Block);

/// How many results that take no predicate a block has to have for `goto` to pay: it and its `join` are an instruction
/// more than a jump.
constexpr unsigned FewestForGoto = 2;

/// The block that a branch should enter by `goto`: it comes next, what follows comes right behind it, and enough in it
/// is done under the mask. Null for other branches.
llvm::BasicBlock *enteredByGoto(const llvm::BranchInst &Branch, const Layout &Blocks);

} // namespace pocm::gen
