//===- Forms.h - How functions are called ------------------------------------------------===//
#pragma once

#include "clang/AST/DeclTemplate.h"
#include <string>

namespace pocm::frontend {

/// "name<what must be said>(parameters[, those that need not be given])" of a function.
std::string formOf(const clang::FunctionDecl &F);

/// Whether a function takes whatever comes and passes it on: a form that repeats the others.
bool isForwarder(const clang::FunctionDecl &F);

} // namespace pocm::frontend
