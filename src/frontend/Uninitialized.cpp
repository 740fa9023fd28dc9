//===- Uninitialized.cpp - Vectors and matrices read before anything is written ---------===//
//
// Clang's own analysis knows variables that are not of classes. Here a local vector or
// matrix without an initial value is followed through the function's control flow:
//
//     vector<int, 8> v, w;
//     w.select<4, 1>(0) = n;       a write of a part counts as a write
//     read(surface, 0, w);         so does whatever could write: a reference to w is passed
//     w += v;                      warning: variable 'v' is uninitialized when used here
//
// Warned is of a read that nothing on any path to it could have written before. Said is
// -Wuninitialized, as Clang's.
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Kernels.h"
#include "frontend/Objects.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMap.h"
#include "clang/Analysis/CFG.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/BitVector.h"
#include <set>

using namespace clang;

namespace pocm::frontend {
namespace {

enum class Use { None, Read, Write, ReadThenWrite };

/// What happens to a variable when control passes a statement.
struct Event {
  unsigned Variable;
  enum { Reads, Written } What;
};

bool holdsObject(QualType T) {
  std::optional<Object> Found = T->isReferenceType() ? std::nullopt : objectOf(T);
  return Found && !Found->Reference;
}

bool startsEmpty(const VarDecl &V) {
  const auto *Construct = V.getInit() ? dyn_cast<CXXConstructExpr>(V.getInit()->IgnoreImplicit()) : nullptr;
  return V.hasLocalStorage() && !isa<ParmVarDecl>(V) && holdsObject(V.getType()) &&
         (!V.getInit() || (Construct && Construct->getNumArgs() == 0));
}

/// The variables of a function that begin without a value, and what its statements do with them.
class Variables : public DynamicRecursiveASTVisitor {
public:
  explicit Variables(Stmt &Body) : Parents(&Body) {
    ShouldVisitImplicitCode = true;
    TraverseStmt(&Body);
  }

  bool empty() const { return All.empty(); }
  unsigned size() const { return unsigned(All.size()); }
  const VarDecl &operator[](unsigned I) const { return *All[I]; }
  ArrayRef<Event> eventsAt(const Stmt *S) const {
    auto Found = Events.find(S);
    return Found == Events.end() ? ArrayRef<Event>() : ArrayRef<Event>(Found->second);
  }
  /// The variables that begin at a statement: the graph has one for each of a declaration's.
  SmallVector<unsigned, 1> beginningAt(const Stmt *S) const {
    SmallVector<unsigned, 1> Found;
    if (auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declaration->decls())
        if (auto Number = Numbers.find(dyn_cast<ValueDecl>(D)); Number != Numbers.end())
          Found.push_back(Number->second);
    return Found;
  }
  const llvm::BitVector &captured() const { return Captured; }

  bool VisitDeclStmt(DeclStmt *S) override {
    for (Decl *D : S->decls())
      if (auto *V = dyn_cast<VarDecl>(D); V && startsEmpty(*V) && !InLambda) {
        Numbers[V] = size();
        All.push_back(V);
        Captured.resize(size());
      }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    auto Found = Numbers.find(E->getDecl());
    if (Found == Numbers.end())
      return true;
    if (InLambda) {
      Captured.set(Found->second);
      return true;
    }
    const Stmt *Consumer = E;
    Use How = useOf(E, Consumer);
    if (How == Use::Read || How == Use::ReadThenWrite)
      Events[E].push_back({Found->second, Event::Reads});
    if (How == Use::Write || How == Use::ReadThenWrite)
      Events[Consumer].push_back({Found->second, Event::Written});
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    ++InLambda;
    bool Result = DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    --InLambda;
    return Result;
  }

private:
  /// How a variable, a part of it or an element is used; Consumer is the statement after which that has happened.
  Use useOf(const Expr *Part, const Stmt *&Consumer) const {
    while (true) {
      const Stmt *Parent = Parents.getParent(Part);
      if (isa_and_nonnull<ParenExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr, FullExpr>(Parent)) {
        Part = cast<Expr>(Parent);
        continue;
      }
      // Of a declaration of several variables the graph has one of its own for each.
      if (Parent && !isa<DeclStmt>(Parent))
        Consumer = Parent;
      if (auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Parent)) {
        if (Cast->getCastKind() == CK_LValueToRValue)
          return Use::Read;
        if (!Cast->isGLValue() && Cast->getCastKind() != CK_NoOp)
          return Use::Write;
        Part = Cast;
        continue;
      }
      if (auto *Member = dyn_cast_or_null<MemberExpr>(Parent)) {
        const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(Parents.getParent(Member));
        if (!Call || !Member->getMemberDecl()->getDeclName().isIdentifier())
          return Use::Write;
        Consumer = Call;
        StringRef Name = Member->getMemberDecl()->getName();
        if (Name == "n_elems" || Name == "n_rows" || Name == "n_cols")
          return Use::None;
        if (Name == "any" || Name == "all" || Name == "replicate" || Name == "iselect")
          return Use::Read;
        if (Name != "select" && Name != "select_all" && Name != "row" && Name != "column" && Name != "format")
          return Use::Write; // merge among them
        Part = Call;
        continue;
      }
      if (auto *Call = dyn_cast_or_null<CXXOperatorCallExpr>(Parent)) {
        bool First = Call->getNumArgs() && Call->getArg(0) == Part;
        OverloadedOperatorKind Operator = Call->getOperator();
        if (First && (Operator == OO_Call || Operator == OO_Subscript)) {
          if (!objectOf(Part->IgnoreParenImpCasts()->getType()))
            return Use::Write; // somebody's function object
          Part = Call;
          continue;
        }
        if (First && Operator == OO_Equal)
          return Use::Write;
        if (First && Call->isAssignmentOp())
          return Use::ReadThenWrite;
        return Operator == OO_Call || Operator == OO_PlusPlus || Operator == OO_MinusMinus ? Use::Write : Use::Read;
      }
      return useBy(Parent, *Part);
    }
  }

  static Use useBy(const Stmt *Parent, const Expr &Part) {
    if (auto *Construct = dyn_cast_or_null<CXXConstructExpr>(Parent))
      return holdsObject(Construct->getType()) ? Use::Read : Use::Write;
    if (auto *Binary = dyn_cast_or_null<BinaryOperator>(Parent); Binary && Binary->getLHS() == &Part)
      return Binary->isCompoundAssignmentOp() ? Use::ReadThenWrite : Use::Write;
    if (auto *Call = dyn_cast_or_null<CallExpr>(Parent)) // const vector<int, 8> &, which only reads
      if (const FunctionDecl *Callee = Call->getDirectCallee())
        for (unsigned I = 0; I < std::min(Call->getNumArgs(), Callee->getNumParams()); ++I) {
          QualType T = Callee->getParamDecl(I)->getType();
          if (Call->getArg(I) == &Part && T->isLValueReferenceType() && T.getNonReferenceType().isConstQualified() &&
              holdsObject(T.getNonReferenceType()))
            return Use::Read;
        }
    return Use::Write;
  }

  ParentMap Parents;
  std::vector<const VarDecl *> All;
  llvm::DenseMap<const ValueDecl *, unsigned> Numbers;
  llvm::DenseMap<const Stmt *, llvm::SmallVector<Event, 2>> Events;
  llvm::BitVector Captured;
  unsigned InLambda = 0;
};

/// The first reads in a function of what nothing can have written.
class Reads {
public:
  Reads(const CFG &Graph, const Variables &All) : Graph(Graph), All(All), AtEnd(Graph.getNumBlockIDs()) {}

  std::vector<std::pair<unsigned, const Expr *>> find() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const CFGBlock *Block : llvm::reverse(Graph.const_nodes())) {
        if (!isReached(*Block))
          continue;
        llvm::BitVector State = through(*Block, nullptr);
        std::optional<llvm::BitVector> &Old = AtEnd[Block->getBlockID()];
        Changed |= !Old || *Old != State;
        Old = std::move(State);
      }
    }
    std::vector<std::pair<unsigned, const Expr *>> Found;
    for (const CFGBlock *Block : llvm::reverse(Graph.const_nodes()))
      if (AtEnd[Block->getBlockID()])
        through(*Block, &Found);
    return Found;
  }

private:
  bool isReached(const CFGBlock &Block) const {
    return &Block == &Graph.getEntry() ||
           llvm::any_of(Block.preds(), [&](const CFGBlock::AdjacentBlock &P) { return P && AtEnd[P->getBlockID()]; });
  }

  /// The variables that something may have written at the block's end.
  llvm::BitVector through(const CFGBlock &Block, std::vector<std::pair<unsigned, const Expr *>> *Found) const {
    llvm::BitVector Written(All.size());
    for (const CFGBlock::AdjacentBlock &P : Block.preds())
      if (P && AtEnd[P->getBlockID()])
        Written |= *AtEnd[P->getBlockID()];
    for (const CFGElement &Element : Block) {
      std::optional<CFGStmt> S = Element.getAs<CFGStmt>();
      if (!S)
        continue;
      for (unsigned Variable : All.beginningAt(S->getStmt()))
        Written.reset(Variable);
      for (const Event &E : All.eventsAt(S->getStmt()))
        if (E.What == Event::Written)
          Written.set(E.Variable);
        else if (Found && !Written.test(E.Variable))
          Found->push_back({E.Variable, cast<Expr>(S->getStmt())});
    }
    return Written;
  }

  const CFG &Graph;
  const Variables &All;
  std::vector<std::optional<llvm::BitVector>> AtEnd;
};

class Functions : public DynamicRecursiveASTVisitor {
public:
  explicit Functions(ASTContext &Context) : Context(Context) { ShouldVisitTemplateInstantiations = true; }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    Stmt *Body = F->isThisDeclarationADefinition() && !F->isDependentContext() ? F->getBody() : nullptr;
    if (Body)
      check(*F, *Body);
    return true;
  }

private:
  void check(const FunctionDecl &F, Stmt &Body) {
    Variables All(Body);
    if (All.empty())
      return;
    CFG::BuildOptions Options;
    Options.setAllAlwaysAdd();
    std::unique_ptr<CFG> Graph = CFG::buildCFG(&F, &Body, &Context, Options);
    if (!Graph)
      return;
    llvm::BitVector Told = All.captured();
    for (auto [Variable, Where] : Reads(*Graph, All).find()) {
      if (Told.test(Variable))
        continue;
      Told.set(Variable);
      if (Places.insert(Where->getExprLoc().getRawEncoding()).second)
        Context.getDiagnostics().Report(Where->getExprLoc(), diag::warn_uninit_var)
            << All[Variable].getDeclName() << 0 << Where->getSourceRange();
    }
  }

  ASTContext &Context;
  std::set<unsigned> Places; ///< In templates, which have several instances.
};

} // namespace

void checkUninitialized(ASTContext &Context, ArrayRef<Decl *> Declarations) {
  Functions Check(Context);
  for (Decl *D : Declarations)
    Check.TraverseDecl(D);
}

} // namespace pocm::frontend
