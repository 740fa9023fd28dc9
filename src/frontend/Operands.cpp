//===- Operands.cpp - What C++ would convert or leave unsaid ----------------------------===//
//
// An index or offset in floating point, an assignment to a part of a const object, a
// scalar mask with fewer bits than there are elements, printf with another number of
// arguments than conversions, a result that nobody takes.
//
//     v(f) = 1;                    error: an index is an integer; convert 'float' first
//     v.select<4, 1>(0);           warning: expression result unused
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Callers.h"
#include "frontend/Kernels.h"
#include "frontend/Objects.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace clang;

namespace pocm::frontend {
namespace {

/// Members of objects by what they make.
enum class Member { Other, Region, Value };
Member memberNamed(StringRef Name) {
  return llvm::StringSwitch<Member>(Name)
      .Cases({"select", "select_all", "row", "column", "format"}, Member::Region)
      .Cases({"any", "all", "replicate", "iselect"}, Member::Value)
      .Default(Member::Other);
}

class Operands : public InFunctions {
public:
  Operands(ASTContext &Context, ArrayRef<Decl *> All) : InFunctions(Context, All), Files(Context.getSourceManager()) {}

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) override {
    if (isElement(*Call))
      for (const Expr *Index : llvm::drop_begin(Call->arguments()))
        refuseFloat(*Index, "an index");
    if (Call->isAssignmentOp())
      refuseConst(*Call->getArg(0), Call->getOperatorLoc());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) override {
    if (E->isAssignmentOp())
      refuseConst(*E->getLHS(), E->getOperatorLoc());
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) override {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    std::optional<Object> Of = objectOf(Call->getImplicitObjectArgument()->IgnoreParenImpCasts()->getType());
    if (!Method || !Method->getDeclName().isIdentifier() || !Of)
      return true;
    StringRef Name = Method->getName();
    if (Name == "merge")
      warnOfShortMask(*Call->getArg(Call->getNumArgs() - 1), Of->count());
    if (memberNamed(Name) != Member::Other && Name != "iselect")
      for (const Expr *Offset : Call->arguments())
        refuseFloat(*Offset, "an offset");
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getDeclName().isIdentifier() || !isOfHeaders(*Callee))
      return true;
    for (unsigned I = 0; I < std::min(Call->getNumArgs(), Callee->getNumParams()); ++I)
      if (Callee->getParamDecl(I)->getName() == "Offsets")
        refuseFloat(*Call->getArg(I), "offsets");
    if (Callee->getName() == "printf" || Callee->getName() == "cm_printf")
      checkFormat(*Call);
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *Block) override {
    for (const Stmt *S : Block->body())
      if (const auto *E = dyn_cast<Expr>(S))
        warnOfUnused(*E->IgnoreImplicit());
    return true;
  }

private:
  bool isOfHeaders(const FunctionDecl &F) const { return headerOf(F).contains("cm/detail/"); }
  StringRef headerOf(const FunctionDecl &F) const { return Files.getFilename(Files.getExpansionLoc(F.getLocation())); }

  /// v(i), m(i, j), m[i]
  static bool isElement(const CXXOperatorCallExpr &Call) {
    return (Call.getOperator() == OO_Call || Call.getOperator() == OO_Subscript) &&
           objectOf(Call.getArg(0)->IgnoreParenImpCasts()->getType());
  }

  /// Whether this is the first instance of a template to be told of.
  bool isNew(SourceLocation Where) { return Told.insert(Where.getRawEncoding()).second; }

  void refuseFloat(const Expr &Given, StringRef What) {
    if (isa<CXXDefaultArgExpr>(Given))
      return;
    const Expr *Index = Given.IgnoreParenImpCasts();
    std::optional<Object> Found = objectOf(Index->getType());
    QualType T = Found ? Found->Element : Index->getType();
    if (Index->isTypeDependent() || !T->isFloatingType() || !isNew(Index->getExprLoc()))
      return;
    bool Several = What.ends_with("s");
    reportError(Context, Index->getExprLoc(), "%0 %1; convert '%2' first", What,
                StringRef(Several ? "are integers" : "is an integer"), T.getAsString(Context.getPrintingPolicy()));
    nameCallers();
  }

  /// Left of an assignment: a part of an object that is const.
  void refuseConst(const Expr &Left, SourceLocation Where) {
    const Expr *E = Left.IgnoreParenImpCasts();
    for (bool IsPart = false;; IsPart = true) {
      if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
        const CXXMethodDecl *Method = Call->getMethodDecl();
        if (!Method || !Method->getDeclName().isIdentifier() || memberNamed(Method->getName()) != Member::Region)
          return;
        E = Call->getImplicitObjectArgument()->IgnoreParenImpCasts();
      } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E)) {
        if (!isElement(*Call))
          return;
        E = Call->getArg(0)->IgnoreParenImpCasts();
      } else {
        const auto *Name = dyn_cast<DeclRefExpr>(E);
        QualType T = Name ? Name->getDecl()->getType().getNonReferenceType() : QualType();
        std::optional<Object> Found = Name && IsPart ? objectOf(T) : std::nullopt;
        if (!Found || Found->Reference || !T.isConstQualified() || !isNew(Where))
          return;
        reportError(Context, Where, "'%0' is const; its parts cannot be assigned to",
                    Name->getDecl()->getNameAsString());
        return nameCallers();
      }
    }
  }

  /// Scalars have bits for 32 elements at most.
  void warnOfShortMask(const Expr &Mask, unsigned Count) {
    QualType T = Mask.IgnoreParenImpCasts()->getType();
    if (!T->isIntegerType())
      return;
    auto Bits = T->isBooleanType() ? 1u : unsigned(Context.getTypeSize(T));
    Bits = std::min(Bits, 32u);
    if (Bits >= Count || !isNew(Mask.getExprLoc()))
      return;
    reportWarning(Context.getDiagnostics(), diag::Group::Conversion, Mask.getExprLoc(),
                  "merge: a scalar mask of %0 bit%plural{1:|:s}0 for %1 elements; the others count as 0", Bits, Count);
  }

  void checkFormat(const CallExpr &Call) {
    const auto *Text = Call.getNumArgs() ? dyn_cast<StringLiteral>(Call.getArg(0)->IgnoreParenImpCasts()) : nullptr;
    if (!Text || !Text->isOrdinary() || !isNew(Call.getExprLoc()))
      return;
    unsigned Conversions = 0;
    StringRef Format = Text->getString();
    for (size_t I = 0; I + 1 < Format.size(); ++I)
      if (Format[I] == '%')
        Conversions += Format[++I] != '%';
    unsigned Given = Call.getNumArgs() - 1;
    if (Format.contains('*') || Conversions == Given)
      return;
    reportWarning(Context.getDiagnostics(), diag::Group::Format, Call.getExprLoc(),
                  "printf: the format has %0 conversion%plural{1:|:s}0 for %1 argument%plural{1:|:s}1", Conversions,
                  Given);
  }

  void warnOfUnused(const Expr &E) {
    const auto *Call = dyn_cast<CallExpr>(&E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Callee->getDeclName().isIdentifier() || !isOfHeaders(*Callee) || E.getType()->isVoidType())
      return;
    if ((isa<CXXMemberCallExpr>(Call) ? memberNamed(Callee->getName()) != Member::Other : onlyComputes(*Callee)) &&
        isNew(E.getExprLoc()))
      Context.getDiagnostics().Report(E.getExprLoc(), diag::warn_unused_expr) << E.getSourceRange();
  }

  /// Functions of some chapters, without a reference for a second result.
  bool onlyComputes(const FunctionDecl &F) const {
    StringRef Header = headerOf(F).rsplit('/').second;
    return llvm::is_contained({"arithmetic.h", "bits.h", "elementary.h", "low_precision.h"}, Header) &&
           llvm::none_of(F.parameters(), [](const ParmVarDecl *P) {
             QualType T = P->getType();
             return (T->isReferenceType() && !T.getNonReferenceType().isConstQualified()) ||
                    (objectOf(T) && objectOf(T)->Reference);
           });
  }

  const SourceManager &Files;
  std::set<unsigned> Told;
};

} // namespace

void checkOperands(ASTContext &Context, ArrayRef<Decl *> Declarations) {
  Operands Check(Context, Declarations);
  for (Decl *D : Declarations)
    Check.TraverseDecl(D);
}

} // namespace pocm::frontend
