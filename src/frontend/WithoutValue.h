//===- WithoutValue.h - File-scope variables that the source gives no value ------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace llvm {
class Module;
}

namespace pocm::frontend {

/// Marks them while the source is parsed, in front of the consumer that emits them.
std::unique_ptr<clang::ASTConsumer> markWithoutValue();
/// Gives the module's variables with the mark UninitializedMetadata (ir/Unwritten.h).
void noteWithoutValue(llvm::Module &M);

} // namespace pocm::frontend
