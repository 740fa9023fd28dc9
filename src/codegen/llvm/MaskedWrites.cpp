//===- MaskedWrites.cpp - Writes of some channels of a region --------------------------===//
//
//     wrregion(%old, %new, R, %mask)  ->  wrregion(%old, select %mask, %new, rdregion(%old, R)), R)
//
// Needs:    CM IR; from other compilers, or as the Gen middle end leaves it.
// Leaves:   writes of regions without masks.
//
//===------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {

bool expandMaskedWrites(Function &F) {
  return replaceEach(F, [](Instruction &I) -> Value * {
    auto W = RegionWrite::matchMasked(&I);
    if (!W || !W->mask())
      return nullptr;
    IRBuilder<> B(&I);
    return W->unmasked(B);
  });
}

} // namespace pocm
