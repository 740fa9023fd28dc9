//===- Names.h - Every public name of the language ----------------------------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"

namespace clang {
class Preprocessor;
}

namespace pocm::frontend {

/// Appends a line for each to `Text` (Names.cpp).
std::unique_ptr<clang::ASTConsumer> listNames(clang::Preprocessor &PP, std::string &Text);

} // namespace pocm::frontend
