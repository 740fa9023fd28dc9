//===- ScatteredBlocks.h - Scattered accesses to elements at equal distances --------------------===//
//
//     at = first + <0, 1, 2, ..>;     read(b, 0, at, v);                            the block that begins at `first`
//     at = first + <0, 4, 8, ..>;     read(b, 0, at, x); read(b, 0, at + 1, y);     two of every four of a block
//     at = first + <0, 2, 4, ..>;     write(b, 0, at, x); write(b, 0, at + 1, y);   a block of x and y in turns
//     at = first - <0, 1, 2, ..>;     read(b, 0, at, v);                            one whose last is the first lane's
//
//===--------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace pocm {

/// Start + Step * lane, where Start is a number and a sum of scalars with factors. All of it wraps in as many bits as
/// places have.
struct Progression {
  struct Term {
    llvm::Value *Whole; ///< The element `Lane` of it; a scalar has none.
    int Lane;
    std::uint64_t Factor;
    bool Signed = false; ///< When it is widened.
    bool operator==(const Term &) const = default;
  };
  llvm::SmallVector<Term, 4> Terms;
  std::uint64_t Start = 0, Step = 0;

  /// Adds a vector of places, or a scalar that is added to all; false where it is not known to have a step.
  bool add(llvm::Value *V, std::uint64_t Factor, unsigned Depth = 0);
  void addScalar(llvm::Value *V) { Terms.push_back({V, -1, 1}); }
  /// The place `More` behind that of the first lane.
  llvm::Value *first(llvm::IRBuilder<> &B, llvm::Type *T, std::uint64_t More = 0) const;

private:
  bool addElements(llvm::Value *V, std::uint64_t Factor);
  bool addNumbers(const llvm::Constant &C, std::uint64_t Factor);
};

/// Gathers or scatters of one block, between which no memory changes, and of scatters none is read.
struct ScatteredBlock {
  struct Access {
    llvm::CallInst *Call;
    std::int64_t Start; ///< In elements, of the block's.
  };
  llvm::SmallVector<Access, 4> Accesses; ///< In order.
  Progression Places;                    ///< Of the first access.
  llvm::Value *Wanted;                   ///< Lanes of all accesses; null for all lanes.
  unsigned UnitBytes;                    ///< Of places.
  unsigned ElementBytes, Lanes, Stride;  ///< In elements.
  bool Reversed;                         ///< The last lane's element is the block's first.
  std::int64_t Before; ///< So many elements the block's first is in front of the first access's first lane's.
  unsigned Elements;   ///< Of the block.

  bool writes() const { return Accesses[0].Call->getType()->isVoidTy(); }
  /// Where it begins, in bytes, or an address.
  llvm::Value *begin(llvm::IRBuilder<> &B) const;
  /// So many units the places of an access are behind those of the first.
  std::uint64_t unitsTo(const Access &A) const {
    return std::uint64_t(A.Start - Accesses[0].Start) * ElementBytes / UnitBytes;
  }
};

/// Those of a function. Any order.
std::vector<ScatteredBlock> scatteredBlocks(llvm::Function &F);

/// Whether a gather or scatter has addresses, not offsets in a surface.
bool isByAddress(const llvm::CallInst &Call);

} // namespace pocm
