//===- ElementAccess.h - What a loop over elements reads and writes -----------------------------===//
//
//     for (int j = 0; j < 16; ++j)
//       m(i, j) -= m(k, j);            two accesses of 16 elements, 64 * (i - k) bytes apart
//
//===--------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

namespace pocm {

/// A load or store of a loop: in iteration n at `First` + n * `Stride` bytes of `Variable`, which has `Size`.
struct ElementAccess {
  llvm::Instruction *I;
  const llvm::AllocaInst *Variable;
  const llvm::SCEV *First;
  std::int64_t Stride, Bytes, Size;
  bool isStore() const { return llvm::isa<llvm::StoreInst>(I); }
};

/// Bytes from one access of a loop to another one, and where they may be.
struct Distance {
  const llvm::SCEV *Bytes;
  std::int64_t AtLeast, AtMost; ///< One of both,
  bool OrNone;                  ///< or at the same place.
};

/// What makes all iterations of each access follow all iterations of the one before it: nothing, where that is known.
/// None when that cannot be, or there is no telling.
std::optional<llvm::SmallVector<Distance, 2>> whenInOrder(llvm::ArrayRef<ElementAccess> All, std::int64_t Times,
                                                          llvm::ScalarEvolution &SE);

/// Whether a distance is as it must be.
llvm::Value *holds(const Distance &D, llvm::IRBuilderBase &B, llvm::SCEVExpander &Expander);

} // namespace pocm
