//===- Hints.h - The way out of common mistakes ---------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pocm::frontend {

/// What helps whoever reads this message of Clang's, for a note behind it; empty when it says enough.
std::string hintFor(llvm::StringRef Message);

/// The block of SIMD control flow that this source begins and never ends, for a note; empty when each has its end.
std::string unendedBlock(llvm::StringRef Source);

} // namespace pocm::frontend
