//===- Length.h - Expressions that nobody wrote --------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pocm::frontend {

/// An error that names the file and the line where an expression, or a chain of statements without braces, has more
/// tokens than a compiler can work on in seconds; empty when there is none.
std::string tooLong(llvm::StringRef Source, llvm::StringRef Name);

} // namespace pocm::frontend
