//===- Region.h - Which elements of a vector a region names -----------------===//
//
// Element k of a region is element  offset + (k / width) * vstride + (k % width) * hstride
// of its parent: the Gen ISA's region, in elements. rdregion reads one, wrregion
// replaces one in a copy of the parent.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "ir/Intrinsics.h"
#include <optional>

namespace pocm {

/// A region of constant strides. `Offset` is in elements of the parent; when `Dynamic` is set, the offset is that
/// run-time value in bytes instead; a vector of offsets gives every element its own.
struct Region {
  int VStride = 0, Width = 1, HStride = 1, Offset = 0;
  llvm::Value *Dynamic = nullptr;

  bool isConstant() const { return !Dynamic; }
  int element(int K) const { return Offset + (K / Width) * VStride + (K % Width) * HStride; }
  /// Whether the first `Count` elements are among the parent's, which are so many; but for a run-time offset.
  bool isInside(int Count, int Parents) const;
  /// Whether the first `Count` elements are element 0, 1, 2, ... of the parent.
  bool isIdentity(int Count) const;
  bool operator==(const Region &) const = default;

  /// One row of `Count` consecutive elements.
  static Region contiguous(int Count, int Offset = 0) { return {0, Count, 1, Offset, nullptr}; }
  /// The region that picks these elements, when there is one.
  static std::optional<Region> through(llvm::ArrayRef<int> Elements);
};

/// Number of elements of a vector type; 1 for a scalar.
int countOf(llvm::Type *T);
/// A vector of so many elements like those of T.
llvm::Type *ofCount(llvm::Type *T, int Count);
/// Elements of another type, as many as Shape has; a scalar for a scalar.
llvm::Type *vectorLike(llvm::Type *Element, llvm::Type *Shape);
/// Size in bytes of an element of a vector, or of a scalar.
int elementBytes(llvm::Type *T);

/// Whether element k of the result depends on element k of each vector operand and on scalars, and on nothing else.
bool isElementWise(const llvm::Instruction &I);

/// A call of rdregion, taken apart.
struct RegionRead {
  llvm::CallInst *Call = nullptr;
  Region Where;

  static std::optional<RegionRead> match(llvm::Value *V);
  llvm::Value *source() const { return Call->getArgOperand(0); }
  int count() const { return countOf(Call->getType()); }
  static llvm::Value *create(llvm::IRBuilderBase &B, llvm::Type *Result, llvm::Value *Source, const Region &Where);
};

/// A call of wrregion, taken apart.
struct RegionWrite {
  llvm::CallInst *Call = nullptr;
  Region Where;

  /// One without a mask.
  static std::optional<RegionWrite> match(llvm::Value *V);
  /// One with a mask or without.
  static std::optional<RegionWrite> matchMasked(llvm::Value *V);
  llvm::Value *old() const { return Call->getArgOperand(0); }
  llvm::Value *value() const { return Call->getArgOperand(1); }
  int count() const { return countOf(value()->getType()); }
  /// Which channels are written: a vector of i1, or null for all.
  llvm::Value *mask() const;
  static llvm::Value *create(llvm::IRBuilderBase &B, llvm::Value *Old, llvm::Value *Value, const Region &Where,
                             llvm::Value *Mask = nullptr);
  /// The same without a mask: what stays is written over itself.
  llvm::Value *unmasked(llvm::IRBuilderBase &B) const;
};

/// A scalar in every element of a vector with as many elements as Shape: a region of one element, free in an operand.
llvm::Value *splat(llvm::IRBuilderBase &B, llvm::Value *Scalar, llvm::Type *Shape);

} // namespace pocm
