//===- Deduction.h - Template arguments from every kind of object -----------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Sema/ExternalSemaSource.h"

namespace pocm::frontend {

/// Adds to every function template that takes vectors, matrices or references a form that deduces their sizes from any
/// of these kinds (Deduction.cpp).
std::unique_ptr<clang::ASTConsumer> completeOverloads();

/// Makes v.select<4, 1>(0) mean the member template in templates, without `template` before it.
llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> memberTemplates();

} // namespace pocm::frontend
