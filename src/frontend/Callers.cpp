//===- Callers.cpp - From where a template was instantiated ----------------------------===//
//
// Clang notes the callers of a template's instance while it makes it. Checks that walk the
// finished tree look for them afterwards:
//
//     error: element 9 of a vector of 8; elements are 0 to 7
//     note: in instantiation of function template specialization 'set<9>' requested here
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Callers.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include <map>

using namespace clang;

namespace pocm::frontend {
namespace {

/// Where each instance of a template is named first, and in which function.
class Uses : public InFunctions {
public:
  struct Use {
    SourceLocation Where;
    const FunctionDecl *In;
  };
  using InFunctions::InFunctions;

  bool TraverseFunctionDecl(FunctionDecl *F) override {
    return within(F, [&] { return InFunctions::TraverseFunctionDecl(F); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) override {
    return within(F, [&] { return InFunctions::TraverseCXXMethodDecl(F); });
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
    if (!F || !F->isTemplateInstantiation())
      return true;
    const SourceLocation Where = Through.isValid() ? Through : E->getLocation();
    First.try_emplace(F->getCanonicalDecl(), Use{Where, In});
    const FunctionTemplateDecl *Pattern = F->getPrimaryTemplate();
    if (!Pattern || !Pattern->isImplicit() || !F->getBody())
      return true;
    const SourceLocation Outer = std::exchange(Through, Where); // a form that was added only calls the program's own
    const bool Result = TraverseStmt(F->getBody());
    Through = Outer;
    return Result;
  }

  std::map<const FunctionDecl *, Use> First;

private:
  template <class Action> bool within(const FunctionDecl *F, Action Do) {
    const FunctionDecl *Outer = std::exchange(In, F);
    bool Result = Do();
    In = Outer;
    return Result;
  }
  const FunctionDecl *In = nullptr;
  SourceLocation Through; ///< The call of the added form that is being looked into.
};

} // namespace

bool InFunctions::TraverseFunctionDecl(FunctionDecl *F) {
  const FunctionDecl *Outer = std::exchange(Here, F);
  bool Result = DynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
  Here = Outer;
  return Result;
}
bool InFunctions::TraverseCXXMethodDecl(CXXMethodDecl *F) {
  const FunctionDecl *Outer = std::exchange(Here, F);
  bool Result = DynamicRecursiveASTVisitor::TraverseCXXMethodDecl(F);
  Here = Outer;
  return Result;
}

void InFunctions::nameCallers() const {
  const FunctionDecl *Instance = Here;
  if (const FunctionTemplateDecl *Pattern = Here ? Here->getDescribedFunctionTemplate() : nullptr)
    Instance = Pattern->spec_begin() == Pattern->spec_end() ? nullptr : *Pattern->spec_begin();
  if (!Instance || !Instance->isTemplateInstantiation())
    return;
  Uses Found(Context, All);
  for (Decl *D : All)
    Found.TraverseDecl(D);
  DiagnosticsEngine &Diags = Context.getDiagnostics();
  unsigned Note = Diags.getCustomDiagID(DiagnosticsEngine::Note,
                                        "in instantiation of function template specialization %0 requested here");
  llvm::SmallPtrSet<const FunctionDecl *, 8> Named;
  for (const FunctionDecl *F = Instance;
       F && F->isTemplateInstantiation() && Named.insert(F->getCanonicalDecl()).second;) {
    auto Use = Found.First.find(F->getCanonicalDecl());
    if (Use == Found.First.end())
      return;
    std::string Name;
    llvm::raw_string_ostream Stream(Name);
    F->getNameForDiagnostic(Stream, Context.getPrintingPolicy(), /*Qualified=*/true);
    Diags.Report(Use->second.Where, Note) << ("'" + Name + "'");
    F = Use->second.In;
  }
}

} // namespace pocm::frontend
