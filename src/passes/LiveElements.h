//===- LiveElements.h - Which elements of vectors are ever read ------------------===//
//
// Follows uses backwards, through regions, element-wise operations and phis:
//
//     %a = oword.ld(...)             elements 4 to 7 of %a are live
//     %b = rdregion(%a, 4 at 4)
//     oword.st(%b)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "ir/Region.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace pocm {

class LiveElements {
public:
  explicit LiveElements(llvm::Function &F);

  /// Of the vectors that somebody reads a part of; null for others.
  const llvm::BitVector *find(llvm::Value *V) const {
    auto Found = Live.find(V);
    return Found == Live.end() ? nullptr : &Found->second;
  }
  bool anyLive(llvm::Value *V, const Region &R, int Count) const;
  /// Whether every live element of V lies in the region.
  bool allLiveInside(llvm::Value *V, const Region &R, int Count) const;

  /// Of an element that an instruction inserts or extracts.
  static std::optional<unsigned> constantIndex(const llvm::Instruction &I);

private:
  void demand(llvm::Value *V, const llvm::BitVector &Elements);
  void demandAll(llvm::Value *V);
  void visit(llvm::Instruction &I, bool First);

  llvm::DenseMap<llvm::Value *, llvm::BitVector> Live;
  llvm::SetVector<llvm::Instruction *> Work;
};

} // namespace pocm
