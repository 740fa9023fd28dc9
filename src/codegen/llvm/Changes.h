//===- Changes.h - Parts of values that are read or changed, where known and where chosen --------===//
//
//     %w = insertelement <256 x i32> %h, i32 %x, %i       a Change of %h, chosen
//     %r = rdregion <256 x i32> %w, 0, 8, 1, 64           a Part of %w, known
//
// Whether an element is put into a vector or a region written, what matters where values live is the same: what it was
// before, what is new, and whether its place is known when code is made.
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Region.h"
#include "llvm/IR/Instructions.h"

namespace pocm {

/// Whether the value can have a place in memory, in whole bytes.
bool canBeInMemory(const llvm::Value *V);

/// A write that changes a part of a value: a region or an element. `Where` has a run-time offset for one that is
/// chosen.
struct Change {
  llvm::Instruction *Self;
  llvm::Value *Old, *New;
  Region Where;
  llvm::Value *Index = nullptr; ///< Of an element, when it is chosen.
  bool chosen() const { return Index || Where.Dynamic; }

  static std::optional<Change> match(llvm::Value *V);
};

/// A read of a part of a value.
struct Part {
  llvm::Instruction *Self;
  llvm::Value *From;
  Region Where;
  llvm::Value *Index = nullptr;
  bool Splat = false; ///< One element in all places.
  bool chosen() const { return Index || Where.Dynamic; }

  static std::optional<Part> match(llvm::Value *V);
};

/// What a value shares its slot with: the values that it is made of by changing, choosing on entry to a block, or
/// reading the bytes as another type.
llvm::SmallVector<llvm::Use *, 4> tiesOf(llvm::Value *V);

/// Whether a value that V is made of is changed at a place known at run time only.
bool changedByChoice(llvm::Value *V);

} // namespace pocm
