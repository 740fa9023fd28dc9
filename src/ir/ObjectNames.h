//===- ObjectNames.h - The language's objects by the names that users know --------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pocm {

/// `Text` with "vector<float, 8>" for each "cm::detail::vector_of<float[8]>", and likewise for matrices and references.
/// Functions are named without cache hints and what is deduced behind them. "'T' (aka 'T')", which that leaves of a
/// name and its explanation, becomes "'T'".
std::string withObjectNames(llvm::StringRef Text);

} // namespace pocm
