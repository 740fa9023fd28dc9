//===- GenRegion.h - Regions as the Gen ISA can name them -------------------------------===//
//
// Source operands are <v;w,h>: element i is at  offset + (i / w) * v + (i % w) * h  with
// v of 0 1 2 4 8 16 32, w of 1 2 4 8 16 and h of 0 1 2 4; destinations have a stride of
// 1, 2 or 4. Either may touch two registers at most.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace pocm::gen {

/// A region with legal strides, in elements; `Offset` is the first element.
struct GenRegion {
  int V = 0, W = 1, H = 0, Offset = 0;
};

/// What is known of the place of a region.
struct Placement {
  int ElementBytes = 4;
  unsigned GrfBytes = 32;
  bool Aligned = true; ///< Element 0 begins a register; false: somewhere, unknown.
};

/// The region that reads these elements, in order; none when no single instruction can.
std::optional<GenRegion> sourceRegion(llvm::ArrayRef<int> Elements, const Placement &P);
/// The region that writes these elements: V and W unused, H the stride.
std::optional<GenRegion> destinationRegion(llvm::ArrayRef<int> Elements, const Placement &P);

} // namespace pocm::gen
