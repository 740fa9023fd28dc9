//===- MaskedWrites.cpp - Writes of some channels of a region --------------------------===//
//
//     wrregion(%old, %new, R, %mask)  ->  wrregion(%old, select %mask, %new, rdregion(%old, R)), R)
//
// Needs:    CM IR; from other compilers, or as the Gen middle end leaves it.
//
//===------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Region.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {

bool expandMaskedWrites(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto W = RegionWrite::matchMasked(&I); W && W->mask()) {
      IRBuilder<> B(&I);
      I.replaceAllUsesWith(W->unmasked(B));
      I.eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace pocm
