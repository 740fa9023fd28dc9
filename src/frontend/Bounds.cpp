//===- Bounds.cpp - Constant indices outside of their object --------------------------===//
//
// An element out of range is an error; a region that reaches out of its object a warning,
// for its lanes outside are "don't care"; a negative offset an error. The messages give
// the numbers, which is why the headers cannot do it.
//
//     vector<int, 8> v;  v(8)                error: element 8 of a vector of 8; elements are 0 to 7
//     v.select<4, 1>(5)                      warning: select: 4 elements from 5 on reach element 8 of 8; ...
//
//===----------------------------------------------------------------------===//
#include "frontend/Callers.h"
#include "frontend/Kernels.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include <set>

using namespace clang;

namespace pocm::frontend {
namespace {

class Bounds : public InFunctions {
public:
  using InFunctions::InFunctions;

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) override {
    if (Call->getOperator() == OO_Call || Call->getOperator() == OO_Subscript)
      check(*Call, ArrayRef(Call->getArgs(), Call->getNumArgs()).drop_front());
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) override {
    check(*Call, ArrayRef(Call->getArgs(), Call->getNumArgs()));
    return true;
  }

private:
  using Number = std::optional<int64_t>;

  Number constant(const Expr *E) const {
    if (auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      E = Default->getExpr();
    E = E->IgnoreParenImpCasts(); // indices are converted to ushort, which hides a sign
    Expr::EvalResult Value;
    if (E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType() || !E->EvaluateAsInt(Value, Context))
      return std::nullopt;
    return Value.Val.getInt().getExtValue();
  }

  static std::vector<int64_t> integers(ArrayRef<TemplateArgument> Args) {
    std::vector<int64_t> All;
    for (const TemplateArgument &A : Args)
      if (A.getKind() == TemplateArgument::Integral)
        All.push_back(A.getAsIntegral().getExtValue());
    return All;
  }

  void report(const Expr &At, unsigned Id, const Twine &Message) {
    if (here() && here()->isDependentContext())
      return; // it is said of the instances that have this statement
    SourceLocation Where = At.getExprLoc();
    DiagnosticsEngine &Diags = Context.getDiagnostics();
    if (Diags.isIgnored(Id, Where) || !Reported.insert({Where.getRawEncoding(), Message.str()}).second)
      return; // the program does not want to hear it, or it was said of another instance of the same template
    Diags.Report(Where, Id) << Message.str();
    nameCallers();
  }
  void error(const Expr &At, const Twine &Message) {
    report(At, Context.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error, "%0"), Message);
  }
  /// One of -Warray-bounds.
  void warn(const Expr &At, const Twine &Message) {
    DiagnosticIDs::CustomDiagDesc Any(diag::Severity::Warning, "%0", DiagnosticIDs::CLASS_WARNING,
                                      /*ShowInSystemHeader=*/false, /*ShowInSystemMacro=*/false,
                                      diag::Group::ArrayBounds);
    report(At, Context.getDiagnostics().getDiagnosticIDs()->getCustomDiagID(Any), Message);
  }

  /// One index of an element.
  void checkIndex(const Expr *At, const char *What, const char *Object, int64_t Size) {
    Number I = constant(At);
    if (I && (*I < 0 || *I >= Size))
      error(*At, Twine(What) + " " + Twine(*I) + " of " + Object + " of " + Twine(Size) + "; " + What + "s are 0 to " +
                     Twine(Size - 1));
  }

  /// `Count` things, `Stride` apart, from an offset on, along a dimension of this size.
  void checkWalk(const Expr *At, const char *Member, const char *What, int64_t Count, int64_t Stride, int64_t Size) {
    Number I = constant(At);
    if (!I)
      return;
    int64_t Last = *I + (Count - 1) * Stride;
    if (*I < 0)
      error(*At, Twine(Member) + ": the offset " + Twine(*I) + " is negative");
    else if (Last >= Size)
      warn(*At, Twine(Member) + ": " + Twine(Count) + " " + What + (Count == 1 ? "" : "s") + " from " + Twine(*I) +
                    " on reach " + What + " " + Twine(Last) + " of " + Twine(Size) +
                    "; the lanes outside are undefined: start lower or take fewer");
  }

  void check(const CallExpr &Call, ArrayRef<const Expr *> Args) {
    auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
    auto *Class = Method ? dyn_cast<ClassTemplateSpecializationDecl>(Method->getParent()) : nullptr;
    const StringRef Of = Class ? Class->getName() : "";
    const bool Matrix = Of == "matrix_regions" || Of == "surface_matrix";
    if (!Matrix && Of != "vector_regions" && Of != "surface_vector")
      return;
    std::vector<int64_t> Shape = integers(Class->getTemplateArgs().asArray());
    if (Shape.size() != (Matrix ? 2u : 1u) || Args.empty())
      return;
    int64_t Rows = Matrix ? Shape[0] : 1, Columns = Shape.back();
    if (Method->getOverloadedOperator() != OO_None) {
      if (!Matrix)
        checkIndex(Args[0], "element", "a vector", Columns);
      else
        checkIndex(Args[0], "row", "a matrix", Rows);
      if (Matrix && Args.size() > 1)
        checkIndex(Args[1], "column", "a matrix", Columns);
      return;
    }
    std::vector<int64_t> Values;
    if (const TemplateArgumentList *Given = Method->getTemplateSpecializationArgs())
      Values = integers(Given->asArray());
    StringRef Name = Method->getDeclName().isIdentifier() ? Method->getName() : "";
    if (Name == "row" && Matrix)
      checkWalk(Args[0], "row", "row", 1, 1, Rows);
    else if (Name == "column" && Matrix)
      checkWalk(Args[0], "column", "column", 1, 1, Columns);
    else if (Name == "select" && !Matrix && Values.size() == 2)
      checkWalk(Args[0], "select", "element", Values[0], Values[1], Columns);
    else if (Name == "select" && Matrix && Values.size() == 4 && Args.size() == 2) {
      checkWalk(Args[0], "select", "row", Values[0], Values[1], Rows);
      checkWalk(Args[1], "select", "column", Values[2], Values[3], Columns);
    } else if (Name == "replicate" && Values.size() >= 2) {
      checkReplicate(Args, Values, Rows, Columns);
    }
  }

  /// replicate<REP, W>, <REP, VS, W> or <REP, VS, W, HS>.
  void checkReplicate(ArrayRef<const Expr *> Args, ArrayRef<int64_t> Values, int64_t Rows, int64_t Columns) {
    Number I = constant(Args[0]), J = Args.size() > 1 ? constant(Args[1]) : 0;
    if (!I || !J)
      return;
    int64_t Repeat = Values[0], VStride = Values.size() > 2 ? Values[1] : 0, Width = Values[Values.size() > 2 ? 2 : 1];
    int64_t HStride = Values.size() > 3 ? Values[3] : 1;
    int64_t Offset = Args.size() > 1 ? *I * Columns + *J : *I;
    int64_t Last = Offset + (Repeat - 1) * VStride + (Width - 1) * HStride;
    if (*I < 0 || *J < 0)
      error(*Args[*I < 0 ? 0 : 1], "replicate: the offset " + Twine(*I < 0 ? *I : *J) + " is negative");
    else if (Last >= Rows * Columns)
      warn(*Args[0], "replicate reaches element " + Twine(Last) + " of " + Twine(Rows * Columns) +
                         "; the lanes outside are undefined: start lower or take fewer");
  }

  std::set<std::pair<unsigned, std::string>> Reported;
};

} // namespace

void checkBounds(ASTContext &Context, ArrayRef<Decl *> Declarations) {
  Bounds Check(Context, Declarations);
  for (Decl *D : Declarations)
    Check.TraverseDecl(D);
}

} // namespace pocm::frontend
