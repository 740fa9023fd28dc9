//===- Magnitudes.h - How small numbers of a vector can be ----------------------------------===//
#pragma once

#include "llvm/IR/Value.h"

namespace pocm::cpu {

/// Whether a vector's or scalar's numbers, sums, products, quotients or conversions of others, are 0 or at least the
/// smallest normal number of their type, where no operand has denormals.
bool staysNormal(llvm::Value *V);

} // namespace pocm::cpu
