//===- Deduction.cpp - Template arguments from every kind of object ---------------------===//
//
// In CM a function template deduces the size of a vector_ref from a vector, and that of
// a vector from a select or a row. C++ deduces a class template's arguments from that
// class and its bases only, and neither class can be the other's base. So each function
// template gets another form as soon as it is declared:
//
//     template <class T, int N> T last(vector_ref<T, N> v) { ... }
//
//     template <class T, int N, class Self>                                       // added
//     inline T last(const vector_source<T[N], Self> &v) { return last<T, N>(v.reference()); }
//
// Vectors and their references have the base vector_source<array, themselves>. The
// added form only forwards, and dissolves when it is inlined.
//
// With template arguments written out the first form takes every kind of object, too, by
// conversions: of f<8>(v, r), with a vector for a vector_ref and a reference for a vector,
// neither form would be the better match. So there is an added form for each choice of
// parameters: the one for those whose arguments are of the other kind is the best of all.
//
// And `v.select<4, 1>(0)` in a template needs no `template` before the name.
//
//===----------------------------------------------------------------------===//
#include "frontend/Deduction.h"
#include "frontend/Kernels.h"
#include "frontend/Objects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/Template.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// Whether a type speaks of a function's parameters, as decltype(v + w) does.
class NamesParameters : public DynamicRecursiveASTVisitor {
public:
  static bool in(QualType T) {
    NamesParameters Visitor;
    Visitor.TraverseType(T);
    return Visitor.Found;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    Found |= isa<ParmVarDecl>(E->getDecl());
    return true;
  }

private:
  bool Found = false;
};

/// The added forms of one function template.
class AddedForms {
public:
  AddedForms(Sema &S, FunctionTemplateDecl &First)
      : S(S), Context(S.Context), First(First), Function(*First.getTemplatedDecl()),
        Method(dyn_cast<CXXMethodDecl>(&Function)), Where(Function.getLocation()) {}

  SmallVector<FunctionTemplateDecl *, 4> make() {
    const auto *Proto = Function.getType()->getAs<FunctionProtoType>();
    if (!Proto || Proto->isVariadic())
      return {};
    SmallVector<unsigned, 8> Objects;
    for (unsigned I = 0; I < Function.getNumParams(); ++I)
      if (!Function.getParamDecl(I)->isParameterPack() && objectType(Function.getParamDecl(I)->getType()))
        Objects.push_back(I);
    constexpr unsigned Most = 6; // with more, the form for all of them alone
    unsigned Choices = Objects.empty() ? 1 : 1u << std::min<unsigned>(unsigned(Objects.size()), Most);
    SmallVector<FunctionTemplateDecl *, 4> Forms;
    for (unsigned Choice = Objects.size() > Most ? Choices - 1 : 1; Choice < Choices; ++Choice) {
      llvm::SmallBitVector Chosen(Function.getNumParams(), false);
      for (unsigned K = 0; K < Objects.size(); ++K)
        if (K >= Most || Choice >> K & 1)
          Chosen.set(Objects[K]);
      if (FunctionTemplateDecl *Form = form(*Proto, Chosen))
        Forms.push_back(Form);
    }
    return Forms;
  }

private:
  /// The one that takes these parameters from every kind of object.
  FunctionTemplateDecl *form(const FunctionProtoType &Proto, const llvm::SmallBitVector &Chosen) {
    TemplateParameterList *Old = First.getTemplateParameters();
    SmallVector<NamedDecl *, 8> TemplateParameters(Old->begin(), Old->end());
    SmallVector<QualType, 8> Types;
    SmallVector<bool, 8> Taken;
    for (unsigned I = 0; I < Function.getNumParams(); ++I) {
      const ParmVarDecl &P = *Function.getParamDecl(I);
      QualType T = Chosen[I] ? sourceType(P, TemplateParameters) : QualType();
      if (T.isNull() && Chosen[I])
        return nullptr;
      Taken.push_back(Chosen[I]);
      Types.push_back(Chosen[I] ? T : P.getType());
    }

    QualType Result = NamesParameters::in(Proto.getReturnType()) ? Context.getAutoDeductType() : Proto.getReturnType();
    FunctionProtoType::ExtProtoInfo Info;
    Info.TypeQuals = Proto.getMethodQuals();
    Info.RefQualifier = Proto.getRefQualifier();
    QualType Type = Context.getFunctionType(Result, Types, Info);
    TypeSourceInfo *Written = Context.getTrivialTypeSourceInfo(Type, Where);
    FunctionDecl *Added = declare(Type, Written);
    Added->setImplicit();
    Added->setAccess(Function.getAccess());
    Added->addAttr(AlwaysInlineAttr::CreateImplicit(Context, SourceRange(Where)));
    Added->addAttr(NoDebugAttr::CreateImplicit(Context, SourceRange(Where)));
    setParameters(*Added, *Written, Types);

    auto *List = TemplateParameterList::Create(Context, Old->getTemplateLoc(), Old->getLAngleLoc(), TemplateParameters,
                                               Old->getRAngleLoc(), Old->getRequiresClause());
    auto *Template =
        FunctionTemplateDecl::Create(Context, First.getDeclContext(), Where, Function.getDeclName(), List, Added);
    for (NamedDecl *P : *Old) // that made them the added function's
      P->setDeclContext(&Function);
    Template->setImplicit();
    Template->setAccess(First.getAccess());
    Added->setDescribedFunctionTemplate(Template);
    Expr *Call = forward(*Added, Taken);
    if (!Call)
      return nullptr;
    Stmt *Return = ReturnStmt::Create(Context, Where, Call, nullptr);
    Added->setBody(CompoundStmt::Create(Context, Return, FPOptionsOverride(), Where, Where));
    return Template;
  }

  FunctionDecl *declare(QualType Type, TypeSourceInfo *Written) {
    if (Method)
      return CXXMethodDecl::Create(Context, Method->getParent(), Where, Function.getNameInfo(), Type, Written,
                                   Function.getStorageClass(), /*UsesFPIntrin=*/false, /*isInline=*/true,
                                   ConstexprSpecKind::Unspecified, Where, Function.getTrailingRequiresClause());
    return FunctionDecl::Create(Context, First.getDeclContext(), Where, Function.getNameInfo(), Type, Written,
                                Function.getStorageClass(), /*UsesFPIntrin=*/false, /*isInlineSpecified=*/true,
                                /*hasWrittenPrototype=*/true, ConstexprSpecKind::Unspecified,
                                Function.getTrailingRequiresClause());
  }

  /// The first form by its name, with these arguments: f<T, N> or this->f<T, N>.
  Expr *named(const TemplateArgumentListInfo &Arguments) {
    UnresolvedSet<1> Named;
    Named.addDecl(&First, First.getAccess());
    if (!Method || Method->isStatic())
      return UnresolvedLookupExpr::Create(Context, Method ? Method->getParent() : nullptr, NestedNameSpecifierLoc(),
                                          SourceLocation(), Function.getNameInfo(), /*RequiresADL=*/false, &Arguments,
                                          Named.begin(), Named.end(), /*KnownDependent=*/true,
                                          /*KnownInstantiationDependent=*/true);
    QualType ThisType = Method->getThisType();
    Expr *This = CXXThisExpr::Create(Context, Where, ThisType, /*IsImplicit=*/true);
    return UnresolvedMemberExpr::Create(Context, /*HasUnresolvedUsing=*/false, This, ThisType, /*IsArrow=*/true, Where,
                                        NestedNameSpecifierLoc(), SourceLocation(), Function.getNameInfo(), &Arguments,
                                        Named.begin(), Named.end());
  }

  /// vector_of<T[N]> behind aliases, const and const &, when it depends on the template's own parameters.
  const TemplateSpecializationType *objectType(QualType T) const {
    if (T->isRValueReferenceType() || (T->isLValueReferenceType() && !T->getPointeeType().isConstQualified()))
      return nullptr;
    T = T.getNonReferenceType();
    if (!T->isDependentType())
      return nullptr;
    const auto *Class = T->getAs<TemplateSpecializationType>();
    while (Class && Class->isTypeAlias())
      Class = Class->getAliasedType()->getAs<TemplateSpecializationType>();
    const TemplateDecl *Template = Class ? Class->getTemplateName().getAsTemplateDecl() : nullptr;
    return Template && objectNamed(Template->getName()) && Class->template_arguments().size() == 1 ? Class : nullptr;
  }

  /// const vector_source<T[N], Self> & with a new template parameter, of an object's type.
  QualType sourceType(const ParmVarDecl &P, SmallVectorImpl<NamedDecl *> &TemplateParameters) {
    const TemplateSpecializationType *Class = objectType(P.getType());
    const TemplateDecl *Template = Class->getTemplateName().getAsTemplateDecl();
    StringRef Name = objectNamed(Template->getName())->Matrix ? "matrix_source" : "vector_source";
    auto Sources = Template->getDeclContext()->lookup(&Context.Idents.get(Name));
    auto *Source = Sources.empty() ? nullptr : dyn_cast<ClassTemplateDecl>(Sources.front());
    if (!Source)
      return QualType();
    auto *Self = TemplateTypeParmDecl::Create(Context, First.getDeclContext(), Where, Where,
                                              First.getTemplateParameters()->getDepth(),
                                              unsigned(TemplateParameters.size()), &Context.Idents.get("Self"),
                                              /*Typename=*/false, /*ParameterPack=*/false);
    TemplateParameters.push_back(Self);
    TemplateArgumentListInfo Arguments(Where, Where);
    for (const TemplateArgument &A : {Class->template_arguments()[0], TemplateArgument(Context.getTypeDeclType(Self))})
      Arguments.addArgument(S.getTrivialTemplateArgumentLoc(A, QualType(), Where));
    QualType T = S.CheckTemplateIdType(ElaboratedTypeKeyword::None, TemplateName(Source), Where, Arguments, nullptr,
                                       /*ForNestedNameSpecifier=*/false);
    return T.isNull() ? T : Context.getLValueReferenceType(T.withConst());
  }

  void setParameters(FunctionDecl &Added, TypeSourceInfo &Written, ArrayRef<QualType> Types) {
    auto Location = Written.getTypeLoc().castAs<FunctionProtoTypeLoc>();
    SmallVector<ParmVarDecl *, 8> Parameters;
    for (unsigned I = 0; I < Types.size(); ++I) {
      ParmVarDecl *Of = Function.getParamDecl(I);
      auto *P = ParmVarDecl::Create(Context, &Added, Where, Where, Of->getIdentifier(), Types[I],
                                    Context.getTrivialTypeSourceInfo(Types[I], Where), SC_None, nullptr);
      P->setScopeInfo(0, I);
      if (Of->hasDefaultArg() && !Of->hasUnparsedDefaultArg() && !Of->hasUninstantiatedDefaultArg())
        P->setDefaultArg(Of->getDefaultArg());
      Location.setParam(I, P);
      Parameters.push_back(P);
    }
    Added.setParams(Parameters);
  }

  /// f<T, N>(v.reference(), w.object(), (A &&)a, ...)
  Expr *forward(FunctionDecl &Added, ArrayRef<bool> Taken) {
    SmallVector<Expr *, 8> Values;
    for (unsigned I = 0; I < Taken.size(); ++I) {
      ParmVarDecl *P = Added.getParamDecl(I);
      QualType T = P->getType();
      if (const auto *Pack = T->getAs<PackExpansionType>())
        T = Pack->getPattern();
      Expr *Value = DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(), P, false, Where,
                                        T.getNonReferenceType(), VK_LValue);
      ExprResult Passed = Value;
      if (Taken[I]) {
        const TemplateSpecializationType *Class = objectType(Function.getParamDecl(I)->getType());
        bool Reference = objectNamed(Class->getTemplateName().getAsTemplateDecl()->getName())->Reference;
        DeclarationNameInfo Kind(&Context.Idents.get(Reference ? "reference" : "object"), Where);
        Expr *Member =
            CXXDependentScopeMemberExpr::Create(Context, Value, Value->getType(), /*IsArrow=*/false, Where,
                                                NestedNameSpecifierLoc(), SourceLocation(), nullptr, Kind, nullptr);
        Passed = S.BuildCallExpr(nullptr, Member, Where, {}, Where);
      } else if (T->isRValueReferenceType()) {
        Passed = S.BuildCStyleCastExpr(Where, Context.getTrivialTypeSourceInfo(T, Where), Where, Value);
      }
      if (!Passed.isInvalid() && P->isParameterPack())
        Passed = S.CheckPackExpansion(Passed.get(), Where, std::nullopt);
      if (Passed.isInvalid())
        return nullptr;
      Values.push_back(Passed.get());
    }
    TemplateArgumentListInfo Arguments(Where, Where);
    TemplateParameterList *List = First.getTemplateParameters();
    for (auto [P, A] : llvm::zip(*List, List->getInjectedTemplateArgs(Context))) {
      if (P->isParameterPack() && P != List->asArray().back())
        break; // it would swallow what follows, which is deduced
      Arguments.addArgument(S.getTrivialTemplateArgumentLoc(A, QualType(), Where));
    }
    ExprResult Call = S.BuildCallExpr(nullptr, named(Arguments), Where, Values, Where);
    return Call.isInvalid() ? nullptr : Call.get();
  }

  Sema &S;
  ASTContext &Context;
  FunctionTemplateDecl &First;
  FunctionDecl &Function;
  CXXMethodDecl *Method; ///< The same, in a class.
  SourceLocation Where;
};

/// Sees every function template as it is declared.
class Overloads : public SemaConsumer, public ASTMutationListener {
public:
  void InitializeSema(Sema &Now) override { S = &Now; }
  void ForgetSema() override { S = nullptr; }
  ASTMutationListener *GetASTMutationListener() override { return this; }

  void AddedVisibleDecl(const DeclContext *, const Decl *D) override {
    auto *Template = const_cast<FunctionTemplateDecl *>(dyn_cast<FunctionTemplateDecl>(D));
    if (!S || !Template || Template->isImplicit() || Template->getPreviousDecl() || Template->isInvalidDecl() ||
        isKernel(*Template->getTemplatedDecl()) || !Template->getDeclContext()->Equals(S->CurContext))
      return;
    Scope *Around = S->getScopeForContext(Template->getDeclContext());
    if (!Around)
      return;
    for (FunctionTemplateDecl *Added : AddedForms(*S, *Template).make())
      S->PushOnScopeChains(Added, Around);
  }

  /// Members have their added forms before the bodies of the class are read; an instance of a class template gets
  /// those of its pattern.
  void CompletedTagDefinition(const TagDecl *D) override {
    auto *Class = const_cast<CXXRecordDecl *>(dyn_cast<CXXRecordDecl>(D));
    if (!S || !Class || Class->getTemplateInstantiationPattern() || Class->isInvalidDecl())
      return;
    SmallVector<FunctionTemplateDecl *, 8> Added;
    for (Decl *Member : Class->decls())
      if (auto *Template = dyn_cast<FunctionTemplateDecl>(Member);
          Template && !Template->isInvalidDecl() && Template->getDeclName().isIdentifier())
        Added.append(AddedForms(*S, *Template).make());
    for (FunctionTemplateDecl *Template : Added)
      Class->addDecl(Template);
  }

private:
  Sema *S = nullptr;
};

/// Finds the names of the language's member templates where a template says v.select<4, 1>(0) of a v that depends on
/// its parameters: C++ looks the name up around the expression then, and takes `<` for "less than" when there is
/// nothing.
class MemberTemplates : public ExternalSemaSource {
public:
  void InitializeSema(Sema &Now) override { S = &Now; }
  void ForgetSema() override { S = nullptr; }

  bool LookupUnqualified(LookupResult &Result, Scope *) override {
    if (!S || !Result.isTemplateNameLookup() || !Result.getLookupName().isIdentifier())
      return false;
    const DeclContext *Names = S->Context.getTranslationUnitDecl();
    for (const char *Part : {"cm", "detail", "members"}) {
      auto Found = Names->lookup(&S->Context.Idents.get(Part));
      Names = Found.empty() ? nullptr : dyn_cast<NamespaceDecl>(Found.front());
      if (!Names)
        return false;
    }
    DeclContext::lookup_result Members = Names->lookup(Result.getLookupName());
    if (Members.empty() || !argumentsFollow(Result.getNameLoc()))
      return false;
    for (NamedDecl *D : Members)
      Result.addDecl(D);
    Result.resolveKind();
    return !Result.empty();
  }

private:
  /// Whether `< ... > (` stands behind a name, rather than a comparison with a member of that name. The end of the file
  /// may have been read by now, behind which the preprocessor has nothing to give: then the text is looked at.
  bool argumentsFollow(SourceLocation Name) const {
    if (S->PP.getCurrentFileLexer()) { // the name or `<` is the parser's current token
      unsigned Next = S->PP.LookAhead(0).is(tok::less) ? 1 : 0;
      return isArgumentList([&]() -> Token { return S->PP.LookAhead(Next++); });
    }
    const SourceManager &Sources = S->getSourceManager();
    std::optional<Token> Last;
    auto Read = [&]() -> Token {
      Last = Lexer::findNextToken(Last ? Last->getLocation() : Sources.getExpansionRange(Name).getEnd(), Sources,
                                  S->getLangOpts());
      if (Last)
        return *Last;
      Token End;
      End.startToken();
      End.setKind(tok::eof);
      return End;
    };
    return Read().is(tok::less) && isArgumentList(Read);
  }

  /// Whether these tokens, from the one behind a `<` on, are `... > (`.
  static bool isArgumentList(llvm::function_ref<Token()> Read) {
    constexpr int Most = 64;
    int Depth = 0, Angles = 1;
    for (int I = 0; I < Most; ++I) {
      const Token T = Read();
      if (T.isOneOf(tok::l_paren, tok::l_square))
        ++Depth;
      else if (T.isOneOf(tok::semi, tok::l_brace, tok::eof) || (T.isOneOf(tok::r_paren, tok::r_square) && --Depth < 0))
        return false;
      else if (Depth == 0 && T.is(tok::less))
        ++Angles;
      else if (Depth == 0 && T.isOneOf(tok::greater, tok::greatergreater) &&
               (Angles -= T.is(tok::greater) ? 1 : 2) <= 0)
        return Read().is(tok::l_paren);
    }
    return false;
  }

  Sema *S = nullptr;
};

} // namespace

llvm::IntrusiveRefCntPtr<ExternalSemaSource> memberTemplates() { return llvm::makeIntrusiveRefCnt<MemberTemplates>(); }

std::unique_ptr<ASTConsumer> completeOverloads() { return std::make_unique<Overloads>(); }

} // namespace pocm::frontend
