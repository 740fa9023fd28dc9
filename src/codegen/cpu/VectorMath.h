//===- VectorMath.h - Names of the C library's vector functions -------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pocm::cpu {

/// glibc's name of function `Stem` on `Lanes` floats (4, 8 or 16).
std::string vectorMathName(llvm::StringRef Stem, unsigned Lanes, unsigned Operands);

} // namespace pocm::cpu
