//===- HeaderLines.h - The language's own functions have no lines ----------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace pocm::frontend {

/// Sees to it while the source is parsed, in front of the consumer that emits functions; and while the headers are,
/// where they are kept in parsed form.
std::unique_ptr<clang::ASTConsumer> leaveOutHeaderLines();

} // namespace pocm::frontend
