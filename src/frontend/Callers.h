//===- Callers.h - From where a template was instantiated -----------------------------===//
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace pocm::frontend {

/// A visitor that knows in which function it is, and names those that led to its instance behind a complaint.
class InFunctions : public clang::DynamicRecursiveASTVisitor {
public:
  InFunctions(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> All) : Context(Context), All(All) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool TraverseFunctionDecl(clang::FunctionDecl *F) override;
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl *F) override;

protected:
  /// Notes, innermost first, that say where the instance that is being visited, and those around it, are asked for.
  void nameCallers() const;
  const clang::FunctionDecl *here() const { return Here; }

  clang::ASTContext &Context;

private:
  llvm::ArrayRef<clang::Decl *> All; ///< What the program declares.
  const clang::FunctionDecl *Here = nullptr;
};

} // namespace pocm::frontend
