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
#include "frontend/SourceFiles.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// The functions with bodies that a function calls by name; whether it calls some that may get theirs later.
class Callees : public DynamicRecursiveASTVisitor {
public:
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (F && F->hasBody(F))
      Found.push_back(F);
    else if (F && F->isConstexpr())
      AreAll = false;
    return true;
  }
  SmallVector<const FunctionDecl *, 4> Found;
  bool AreAll = true;
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
  /// The language's headers have no such calls, and most of the functions.
  bool TraverseDecl(Decl *D) override {
    return !D || isOurs(D->getLocation()) || DynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool isOurs(SourceLocation Place) {
    const SourceManager &Sources = Context->getSourceManager();
    const SourceLocation At = Sources.getExpansionLoc(Place);
    auto [Known, New] = Ours.try_emplace(Sources.getFileID(At), false);
    if (New)
      Known->second = isInHeaders(Sources, At);
    return Known->second;
  }
  bool VisitStmt(Stmt *S) override {
    if (isa<ConstantExpr>(S))
      return true;
    for (Stmt *&Child : S->children())
      if (Expr *Value = valueOf(Child))
        Child = Value;
    return true;
  }
  // What is written at a parameter or a member is no child of what uses it.
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *E) override { return visitOnce(E->getExpr()); }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *E) override { return visitOnce(E->getExpr()); }
  /// Members that a list leaves out are in what is made of it only.
  bool VisitInitListExpr(InitListExpr *List) override {
    InitListExpr *Emitted = List->isSemanticForm() ? List : List->getSemanticForm();
    if (!Emitted || !Seen.insert(Emitted).second)
      return true;
    for (unsigned I = 0; I < Emitted->getNumInits(); ++I)
      if (Expr *Value = valueOf(Emitted->getInit(I)))
        Emitted->setInit(I, Value);
      else
        TraverseStmt(Emitted->getInit(I));
    return true;
  }
  bool VisitCXXConstructorDecl(CXXConstructorDecl *C) override {
    foldInitializers(*C);
    return true;
  }
  /// Constructors that nobody wrote are visited where they are used.
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    if (CXXConstructorDecl *C = E->getConstructor(); !C->isUserProvided() && Seen.insert(C).second)
      foldInitializers(*C);
    return true;
  }

  bool visitOnce(Expr *E) { return !E || !Seen.insert(E).second || TraverseStmt(E); }

  void foldInitializers(CXXConstructorDecl &C) {
    for (CXXCtorInitializer *&I : C.inits())
      if (Expr *Value = valueOf(I->getInit()))
        I = withValue(*I, Value);
      else
        TraverseStmt(I->getInit());
  }

  CXXCtorInitializer *withValue(const CXXCtorInitializer &I, Expr *Value) const {
    auto *New = I.isIndirectMemberInitializer()
                    ? new (*Context) CXXCtorInitializer(*Context, I.getIndirectMember(), I.getMemberLocation(),
                                                        I.getLParenLoc(), Value, I.getRParenLoc())
                    : new (*Context) CXXCtorInitializer(*Context, I.getMember(), I.getMemberLocation(),
                                                        I.getLParenLoc(), Value, I.getRParenLoc());
    if (I.isWritten())
      New->setSourceOrder(I.getSourceOrder());
    return New;
  }

  /// The value of a call, or of one that is written at a parameter or a member; null for all else.
  Expr *valueOf(Stmt *S) {
    if (auto *Default = dyn_cast_or_null<CXXDefaultArgExpr>(S))
      S = Default->getExpr();
    else if (auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(S))
      S = Default->getExpr();
    auto *Call = dyn_cast_or_null<CallExpr>(S);
    if (!Call)
      return nullptr;
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !F->isConstexpr() || Call->isValueDependent() || !Call->isPRValue() ||
        !Call->getType()->isArithmeticType() || !isRecursive(*F))
      return nullptr;
    const APValue Value = computed(*Call, *F);
    return Value.hasValue() ? ConstantExpr::Create(*Context, Call, Value) : nullptr;
  }

  /// None where there is no value, or where it depends on whether C++ asks for a constant: functions may ask that.
  APValue computed(const CallExpr &Call, const FunctionDecl &F) {
    constexpr unsigned MostTooLong = 4; // each takes about a second
    if (TooLong == MostTooLong)
      return {};
    SmallVector<PartialDiagnosticAt, 4> Notes;
    Expr::EvalResult AsCall, AsConstant;
    AsCall.Diag = &Notes;
    if (!Call.EvaluateAsRValue(AsCall, *Context, /*InConstantContext=*/false)) {
      for (const PartialDiagnosticAt &Note : Notes)
        if (Note.second.getDiagID() == diag::note_constexpr_step_limit_exceeded ||
            Note.second.getDiagID() == diag::note_constexpr_depth_limit_exceeded) {
          ++TooLong;
          reportWarning(Context->getDiagnostics(), diag::Group::InfiniteRecursion, Call.getExprLoc(),
                        "this call of '%0' is not computed when the kernel is compiled: that takes more than %1 steps, "
                        "or more than %2 calls inside each other",
                        F.getNameAsString(), Context->getLangOpts().ConstexprStepLimit,
                        Context->getLangOpts().ConstexprCallDepth);
          break;
        }
      return {};
    }
    if (AsCall.HasSideEffects || AsCall.HasUndefinedBehavior || !Call.EvaluateAsConstantExpr(AsConstant, *Context) ||
        AsConstant.HasSideEffects)
      return {};
    llvm::FoldingSetNodeID One, Other;
    AsCall.Val.Profile(One);
    AsConstant.Val.Profile(Other);
    return One == Other ? AsCall.Val : APValue();
  }

  bool isRecursive(const FunctionDecl &F) {
    if (auto Known = Recursive.find(F.getCanonicalDecl()); Known != Recursive.end())
      return Known->second;
    llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
    SmallVector<const FunctionDecl *, 8> Left{&F};
    bool Found = false, AreAll = true;
    while (!Left.empty() && !Found) {
      const FunctionDecl *At = Left.pop_back_val();
      if (!At->hasBody(At)) {
        AreAll = false;
        continue;
      }
      if (!Visited.insert(At->getCanonicalDecl()).second)
        continue;
      Callees Called;
      Called.TraverseStmt(At->getBody());
      AreAll &= Called.AreAll;
      Found = llvm::any_of(Called.Found,
                           [&](const FunctionDecl *C) { return C->getCanonicalDecl() == F.getCanonicalDecl(); });
      Left.append(Called.Found);
    }
    if (Found || AreAll) // what has no body yet may call it
      Recursive[F.getCanonicalDecl()] = Found;
    return Found;
  }

  ASTContext *Context = nullptr;
  llvm::DenseMap<const FunctionDecl *, bool> Recursive;
  llvm::DenseMap<FileID, bool> Ours;        // files, asked for once
  llvm::SmallPtrSet<const void *, 16> Seen; // of what is visited where it is used
  unsigned TooLong = 0;                     // calls so far that were not computed to their end
};

} // namespace

std::unique_ptr<ASTConsumer> foldConstantCalls() { return std::make_unique<Folder>(); }

} // namespace pocm::frontend
