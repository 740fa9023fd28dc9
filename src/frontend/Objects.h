//===- Objects.h - Vectors, matrices and references among Clang's types -----------------===//
#pragma once

#include "clang/AST/Type.h"

namespace pocm::frontend {

/// A vector, a matrix, or a reference to a region of one, by its type.
struct Object {
  bool Matrix = false, Reference = false;
  clang::QualType Element;
  unsigned Rows = 1, Columns = 0;
  unsigned count() const { return Rows * Columns; }
};

/// What object values of a type are; the type may be a C++ reference. Nothing for other and for dependent types.
std::optional<Object> objectOf(clang::QualType T);

/// An object's kind by the name of its class template, vector_of and the like, without sizes.
std::optional<Object> objectNamed(llvm::StringRef ClassTemplate);

} // namespace pocm::frontend
