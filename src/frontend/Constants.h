//===- Constants.h - Constants that elements of integers cannot hold -------------------===//
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace pocm::frontend {

/// Warns of them, once at each place, where control can come.
class Constants {
public:
  explicit Constants(clang::ASTContext &Context) : Context(Context) {}

  /// A value that a vector or matrix of the first type is given, in a function or outside of all.
  void check(clang::QualType To, const clang::Expr &From, const clang::FunctionDecl *In);

private:
  bool isBitPattern(const clang::Expr &From) const;
  bool runs(const clang::Expr &E, const clang::FunctionDecl *In);

  clang::ASTContext &Context;
  llvm::DenseSet<unsigned> Warned; ///< Places in templates, which have several instances.
  /// What never runs in functions that were asked about.
  llvm::DenseMap<const clang::FunctionDecl *, llvm::DenseSet<const clang::Stmt *>> Dead;
};

} // namespace pocm::frontend
