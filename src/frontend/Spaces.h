//===- Spaces.h - Variables of the named address spaces --------------------------------===//
#pragma once

#include "clang/AST/Decl.h"

namespace pocm::frontend {

/// Where a variable was declared to lie.
enum class Space { None, Local, Global, Constant };
Space spaceOf(const clang::VarDecl &V);

/// Whether __private is written before a parameter.
bool isMarkedPrivate(const clang::ParmVarDecl &P);

} // namespace pocm::frontend
