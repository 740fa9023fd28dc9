//===- Length.h - Programs that nobody wrote ------------------------------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <string>

namespace clang {
class Preprocessor;
}

namespace pocm::frontend {

/// Ends the source, with an error, where it has more tokens than a compiler can work on in a minute: all together, in
/// one expression, or in statements that lie in each other. Macros count as what they expand to. `over` is true then;
/// where it becomes true elsewhere, the source ends as well.
void limitTokens(clang::Preprocessor &PP, std::shared_ptr<bool> over);

/// Reports templates that instantiate too many others, of which no more are made then, and classes that lie too deeply
/// in each other, behind which the source is `over`.
std::unique_ptr<clang::ASTConsumer> limitInstances(std::shared_ptr<bool> over);

/// An error that names a kernel which is too large once all that it calls is part of it; empty when there is none.
std::string tooLarge(const llvm::Module &M);

} // namespace pocm::frontend
