//===- LanguageRules.cpp - What CM forbids and C++ allows ---------------------------===//
//
// Walks the user's declarations after parsing. References to regions are no values to
// keep: not in structures, not as results. Kernels are started by hosts. File-scope
// variables have no initialisers unless -mCM_init_global says so.
//
//===----------------------------------------------------------------------===//
#include "frontend/Kernels.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// Name of the class template that a type is an instance of, "vector_ref" for vector_ref<int, 8>; else empty.
StringRef templateName(QualType T) {
  const auto *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  const auto *Instance = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Class);
  return Instance ? Instance->getName() : "";
}
bool isReference(QualType T) {
  StringRef Name = templateName(T);
  return Name == "vector_ref" || Name == "matrix_ref";
}

class Rules : public RecursiveASTVisitor<Rules> {
public:
  Rules(ASTContext &Context, bool InitializedGlobals) : Context(Context), InitializedGlobals(InitializedGlobals) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFieldDecl(FieldDecl *Field) {
    if (isReference(Field->getType()))
      error(Field->getLocation(), "field '%0' is a reference to a region; keep the vector or matrix itself",
            Field->getNameAsString());
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (isReference(F->getReturnType()))
      error(F->getLocation(), "function '%0' returns a reference to a region; return a vector or matrix",
            F->getNameAsString());
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) {
    if (const FunctionDecl *Callee = Call->getDirectCallee(); Callee && isKernel(*Callee))
      error(Call->getBeginLoc(), "kernel '%0' is called; only a host starts kernels: move what both need to a function",
            Callee->getNameAsString());
    return true;
  }

  bool VisitAsmStmt(AsmStmt *Text) {
    if (!Text->generateAsmString(Context).empty())
      error(Text->getAsmLoc(),
            "inline assembly is vISA text for the Gen hardware and has no meaning here; write it in CM");
    return true;
  }

  bool VisitVarDecl(VarDecl *V) {
    bool Global = V->isFileVarDecl() && !V->isConstexpr() && !V->getType().isConstQualified();
    if (!Global || InitializedGlobals || V->getType()->isArrayType() || !hasInitializer(*V))
      return true;
    error(V->getLocation(),
          "file-scope variable '%0' is initialized; assign to it in the kernel, or compile with -mCM_init_global",
          V->getNameAsString());
    return true;
  }

private:
  static bool hasInitializer(const VarDecl &V) {
    const Expr *Init = V.getInit();
    if (!Init)
      return false;
    const auto *Construct = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
    return !Construct || Construct->getNumArgs() > 0;
  }
  template <unsigned N, class... Args> void error(SourceLocation Where, const char (&Text)[N], Args... Arguments) {
    reportError(Context, Where, Text, Arguments...);
  }

  ASTContext &Context;
  bool InitializedGlobals;
};

class Checker : public ASTConsumer {
public:
  Checker(std::string HeaderFolder, bool InitializedGlobals)
      : HeaderFolder(std::move(HeaderFolder)), InitializedGlobals(InitializedGlobals) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Declarations.push_back(D);
    return true;
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    Rules Check(Context, InitializedGlobals);
    SourceManager &Files = Context.getSourceManager();
    for (Decl *D : Declarations)
      if (!Files.getFilename(Files.getExpansionLoc(D->getLocation())).starts_with(HeaderFolder))
        Check.TraverseDecl(D);
  }

private:
  std::string HeaderFolder;
  bool InitializedGlobals;
  std::vector<Decl *> Declarations;
};

} // namespace

std::unique_ptr<ASTConsumer> checkLanguageRules(std::string HeaderFolder, bool InitializedGlobals) {
  return std::make_unique<Checker>(std::move(HeaderFolder), InitializedGlobals);
}

} // namespace pocm::frontend
