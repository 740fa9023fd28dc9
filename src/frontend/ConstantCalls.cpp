//===- ConstantCalls.cpp - Calls of recursive functions whose values are known -------------===//
//
// Kernels have no recursion, but constexpr functions with constant arguments need none at run
// time. Where C++ asks for no constant, Clang would call them all the same:
//
//     constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
//     vector<int, 8> v(factorial(5));        -> v(120)
//
//===----------------------------------------------------------------------------------------===//
#include "frontend/Kernels.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// The functions with bodies that a function calls by name.
class Callees : public DynamicRecursiveASTVisitor {
public:
  bool VisitCallExpr(CallExpr *Call) override {
    if (const FunctionDecl *F = Call->getDirectCallee(); F && F->hasBody(F))
      Found.push_back(F);
    return true;
  }
  SmallVector<const FunctionDecl *, 4> Found;
};

class Folder : public ASTConsumer, DynamicRecursiveASTVisitor {
public:
  Folder() { ShouldVisitTemplateInstantiations = true; }

  void Initialize(ASTContext &C) override { Context = &C; }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      TraverseDecl(D);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override { TraverseDecl(F); }

private:
  bool VisitStmt(Stmt *S) override {
    if (isa<ConstantExpr>(S))
      return true;
    for (Stmt *&Child : S->children())
      if (auto *Call = dyn_cast_or_null<CallExpr>(Child))
        if (Expr *Value = valueOf(*Call))
          Child = Value;
    return true;
  }

  Expr *valueOf(CallExpr &Call) {
    const FunctionDecl *F = Call.getDirectCallee();
    Expr::EvalResult Result;
    if (!F || !F->isConstexpr() || Call.isValueDependent() || !Call.getType()->isArithmeticType() || !isRecursive(*F) ||
        !Call.EvaluateAsConstantExpr(Result, *Context) || Result.HasSideEffects)
      return nullptr;
    return ConstantExpr::Create(*Context, &Call, Result.Val);
  }

  bool isRecursive(const FunctionDecl &F) {
    if (auto Known = Recursive.find(F.getCanonicalDecl()); Known != Recursive.end())
      return Known->second;
    llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
    SmallVector<const FunctionDecl *, 8> Left{&F};
    bool Found = false;
    while (!Left.empty() && !Found) {
      const FunctionDecl *At = Left.pop_back_val();
      if (!At->hasBody(At) || !Seen.insert(At->getCanonicalDecl()).second)
        continue;
      Callees Called;
      Called.TraverseStmt(At->getBody());
      Found = llvm::any_of(Called.Found,
                           [&](const FunctionDecl *C) { return C->getCanonicalDecl() == F.getCanonicalDecl(); });
      Left.append(Called.Found);
    }
    return Recursive[F.getCanonicalDecl()] = Found;
  }

  ASTContext *Context = nullptr;
  llvm::DenseMap<const FunctionDecl *, bool> Recursive;
};

} // namespace

std::unique_ptr<ASTConsumer> foldConstantCalls() { return std::make_unique<Folder>(); }

} // namespace pocm::frontend
