//===- ShortFloats.cpp - Conversions between half and bfloat16 -------------------------===//
//
// In CM a half is assigned to a bfloat16 like any number, and the other way round. Clang
// has no conversion between the two, and no place where one could be added; but it says
// which expression has the wrong type:
//
//     bfloat16 b = h + 1;
//     error: cannot initialize a variable of type 'bfloat16' with an rvalue of type 'half'
//
// Then the source is read again with the expression in a call that makes a float of it,
// and of nothing else, for in a template it may have any type. Lines stay what they are; columns
// behind the expression move. In the body of a macro the call is in the body, and an argument
// that is the expression is called where the body names it, for the macro may write to it elsewhere.
//
// Of an argument it says the parameter only. But a call that nothing fits stays in the syntax tree with its arguments:
// one that is a half, where a candidate has a bfloat16, is converted in the same way.
//
//     float f(bfloat16 b, int n);     f(h, 1);   ->   f(::cm::detail::through_float(h), 1);
//
// What references that are not const are bound to stays an error.
//
//===----------------------------------------------------------------------===//
#include "frontend/ShortFloats.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pocm::frontend {

bool isBetweenShortFloats(StringRef Message) {
  constexpr StringRef Beginnings[] = {"assigning to '",     "cannot initialize ",  "cannot convert '",
                                      "static_cast from '", "C-style cast from '", "functional-style cast from '",
                                      "reference to type '"};
  bool Conversion = llvm::any_of(Beginnings, [&](StringRef Beginning) { return Message.starts_with(Beginning); }) ||
                    Message.contains("no known conversion from '");
  return Conversion && Message.contains("__bf16'") && (Message.contains("half'") || Message.contains("_Float16'"));
}

/// Where the expression of a range is written, in a file; invalid when it comes from several macros.
static CharSourceRange placeOf(SourceRange Tokens, const SourceManager &Sources, const LangOptions &Language) {
  SourceLocation Begin = Tokens.getBegin(), End = Tokens.getEnd();
  auto IsArgument = [&] {
    if (!Sources.isMacroArgExpansion(Begin) || Sources.getFileID(Begin) != Sources.getFileID(End))
      return false;
    unsigned Length = Lexer::MeasureTokenLength(Sources.getSpellingLoc(End), Sources, Language);
    return Sources.isAtStartOfImmediateMacroExpansion(Begin) &&
           Sources.isAtEndOfImmediateMacroExpansion(End.getLocWithOffset(int(Length)));
  };
  while (IsArgument()) {
    CharSourceRange Named = Sources.getImmediateExpansionRange(Begin);
    Begin = Named.getBegin();
    End = Named.getEnd();
  }
  if (!Sources.isMacroBodyExpansion(Begin) || !Sources.isMacroBodyExpansion(End))
    return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Begin, End), Sources, Language);
  if (Sources.getFileID(Begin) != Sources.getFileID(End))
    return {};
  return CharSourceRange::getCharRange(Sources.getSpellingLoc(Begin),
                                       Lexer::getLocForEndOfToken(Sources.getSpellingLoc(End), 0, Sources, Language));
}

bool ShortFloats::look(const Diagnostic &Info, StringRef Message) {
  bool IsArgument = Message.contains("no known conversion"); // the range is the parameter's
  if (Now == Mode::Stopped || !isBetweenShortFloats(Message) || IsArgument || !Info.hasSourceManager() ||
      Info.getNumRanges() == 0)
    return false;
  return keep(Info.getRange(Info.getNumRanges() - 1).getAsRange(), Info.getSourceManager());
}

bool ShortFloats::keep(SourceRange Expression, const SourceManager &Sources) {
  CharSourceRange Range = placeOf(Expression, Sources, LangOptions());
  OptionalFileEntryRef File =
      Range.isValid() ? Sources.getFileEntryRefForID(Sources.getFileID(Range.getBegin())) : std::nullopt;
  if (!File)
    return false;
  SmallString<128> Path(File->getName());
  Sources.getFileManager().makeAbsolutePath(Path);
  std::string Name = Path.str().str();
  Seen[Name] = Sources.getBufferData(Sources.getFileID(Range.getBegin())).str();
  Found.insert({Name, Sources.getFileOffset(Range.getBegin()), Sources.getFileOffset(Range.getEnd())});
  return true;
}

bool ShortFloats::rewrite() {
  if (Now != Mode::Looks)
    return false;
  std::map<std::string, std::multimap<unsigned, const char *>> Insertions;
  for (const auto &[Name, Begin, End] : Found) {
    Insertions[Name].insert({Begin, "::cm::detail::through_float("});
    Insertions[Name].insert({End, ")"});
  }
  for (auto &[Name, Places] : Insertions) {
    std::string &Text = Texts[Name];
    Text = Seen[Name];
    for (const auto &[Place, Inserted] : llvm::reverse(Places))
      Text.insert(Place, Inserted);
  }
  Found.clear();
  Seen.clear();
  return !Insertions.empty();
}

//===- Arguments ------------------------------------------------------------------------===//

namespace {

/// Whether one type is half and the other bfloat16.
bool areBoth(const ASTContext &Context, QualType A, QualType B) {
  A = Context.getCanonicalType(A.getNonReferenceType()).getUnqualifiedType();
  B = Context.getCanonicalType(B.getNonReferenceType()).getUnqualifiedType();
  auto IsHalf = [](QualType T) { return T->isFloat16Type() || T->isHalfType(); };
  return (IsHalf(A) && B->isBFloat16Type()) || (A->isBFloat16Type() && IsHalf(B));
}

class ShortArguments : public ASTConsumer, DynamicRecursiveASTVisitor {
public:
  explicit ShortArguments(ShortFloats &Conversions) : Conversions(Conversions) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    Declarations.append(Group.begin(), Group.end());
    return true;
  }
  void HandleTranslationUnit(ASTContext &Of) override {
    Context = &Of;
    if (!Of.getDiagnostics().hasErrorOccurred())
      return;
    const SmallVector<Decl *, 0> All(Declarations.begin(), Declarations.end()); // reading the headers' adds to them
    for (Decl *D : All)
      TraverseDecl(D);
  }

private:
  /// A variable that no constructor fits.
  bool VisitVarDecl(VarDecl *Variable) override {
    auto *Arguments = dyn_cast_or_null<RecoveryExpr>(Variable->getInit());
    auto *Class = Arguments ? Variable->getType()->getAsCXXRecordDecl() : nullptr;
    if (Class && Class->hasDefinition())
      convert(SmallVector<const FunctionDecl *>(Class->ctors()), Arguments->subExpressions());
    return true;
  }
  /// A call that nothing fits: what is called and the arguments.
  bool VisitRecoveryExpr(RecoveryExpr *Call) override {
    if (ArrayRef<Expr *> Parts = Call->subExpressions(); !Parts.empty() && Parts[0])
      convert(namedBy(*Parts[0]), Parts.drop_front());
    return true;
  }

  void convert(ArrayRef<const FunctionDecl *> Candidates, ArrayRef<Expr *> Arguments) {
    for (auto [At, Argument] : llvm::enumerate(Arguments)) {
      if (!Argument || Argument->getType().isNull()) // such as a list in parentheses, which has no type
        continue;
      if (llvm::any_of(Candidates, [&](const FunctionDecl *F) { return takesOther(*F, unsigned(At), *Argument); }))
        Conversions.keep(Argument->getSourceRange(), Context->getSourceManager());
    }
  }

  static SmallVector<const FunctionDecl *, 8> namedBy(const Expr &Callee) {
    SmallVector<const FunctionDecl *, 8> All;
    auto Add = [&](const NamedDecl *D) {
      D = D->getUnderlyingDecl();
      if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
        D = Template->getTemplatedDecl();
      if (const auto *F = dyn_cast<FunctionDecl>(D))
        All.push_back(F);
    };
    const Expr *E = Callee.IgnoreParens();
    if (const auto *Named = dyn_cast<OverloadExpr>(E))
      llvm::for_each(Named->decls(), Add);
    else if (const auto *Known = dyn_cast<DeclRefExpr>(E))
      Add(Known->getDecl());
    else if (const auto *Member = dyn_cast<MemberExpr>(E))
      Add(Member->getMemberDecl());
    return All;
  }

  bool takesOther(const FunctionDecl &F, unsigned At, const Expr &Argument) const {
    return At < F.getNumParams() && areBoth(*Context, F.getParamDecl(At)->getType(), Argument.getType());
  }

  ShortFloats &Conversions;
  ASTContext *Context = nullptr;
  SmallVector<Decl *, 64> Declarations;
};

} // namespace

std::unique_ptr<ASTConsumer> findShortArguments(ShortFloats &Conversions) {
  return std::make_unique<ShortArguments>(Conversions);
}

} // namespace pocm::frontend
