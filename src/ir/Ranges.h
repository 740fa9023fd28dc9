//===- Ranges.h - What values a vector's elements can have --------------------===//
//
// Small bottom-up interval analysis that sees through CM IR's regions, which LLVM's own
// analyses cannot: the elements of a region have the range of their source.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Value.h"
#include <optional>

namespace pocm {

/// Range of every element of an integer scalar or vector.
llvm::ConstantRange integerRange(llvm::Value *V);

/// How many of the lowest bits of every element of an integer scalar or vector are known to be zero.
unsigned trailingZeros(llvm::Value *V);

/// A closed interval of reals, known to hold no NaN.
struct FloatRange {
  double Low, High;
};
/// Range of every element of a float scalar or vector made of integers by exact or monotone steps, if known.
std::optional<FloatRange> floatRange(llvm::Value *V);

} // namespace pocm
