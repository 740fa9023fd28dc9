//===- LanguageRules.cpp - What CM forbids and C++ allows ---------------------------===//
//
// Inside SIMD control flow nothing may jump out of the block, statements have the block's
// width or one element, and some built-ins have no meaning.
//
// Walks the user's declarations after parsing. References to regions are no values to
// keep: not in structures, not as results. Kernels are started by hosts. File-scope
// variables have no initialisers unless -mCM_init_global says so.
//
//===----------------------------------------------------------------------===//
#include "frontend/Callers.h"
#include "frontend/Constants.h"
#include "frontend/Diagnostics.h"
#include "frontend/Kernels.h"
#include "frontend/Objects.h"
#include "frontend/Spaces.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clang;

namespace pocm::frontend {
namespace {

bool isReference(QualType T) {
  std::optional<Object> Found = objectOf(T);
  return Found && Found->Reference;
}

/// What the compiler defines of the target.
class TargetMacros {
public:
  explicit TargetMacros(Preprocessor &Macros) : Macros(Macros) {}
  bool has(StringRef Feature) const { return Macros.isMacroDefined(Feature); }
  std::string name() const { return StringRef(value("POCM_TARGET")).trim('"').str(); }
  /// Bytes of a thread's registers; named objects are smaller.
  std::int64_t registerFile() const {
    std::int64_t Bytes = 0;
    StringRef(value("POCM_REGISTER_FILE")).getAsInteger(0, Bytes);
    return Bytes;
  }

private:
  std::string value(StringRef Macro) const {
    const MacroInfo *Info = Macros.getMacroInfo(Macros.getIdentifierInfo(Macro));
    return Info && Info->getNumTokens() == 1 ? Macros.getSpelling(Info->getReplacementToken(0)) : std::string();
  }
  Preprocessor &Macros;
};

class Rules : public InFunctions {
public:
  Rules(ASTContext &Context, ArrayRef<Decl *> All, bool InitializedGlobals, const TargetMacros &Target)
      : InFunctions(Context, All), Losses(Context), InitializedGlobals(InitializedGlobals), Target(Target) {}

  bool VisitFieldDecl(FieldDecl *Field) override {
    checkFits(*Field);
    if (isReference(Field->getType()))
      error(Field->getLocation(), "field '%0' is a reference to a region; keep the vector or matrix itself",
            Field->getNameAsString());
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    refuseOwnCalls(*F);
    if (const auto *Class = F->getReturnType()->getAsCXXRecordDecl();
        Class && llvm::is_contained({"SurfaceIndex", "SamplerIndex", "VmeIndex"}, Class->getName()) && !F->isImplicit())
      error(F->getLocation(), "function '%0' returns a %1; only parameters have this type", F->getNameAsString(),
            Class->getNameAsString());
    if (!isKernel(*F) && isMarked(*F, "genx_float_control"))
      error(
          F->getLocation(),
          "function '%0' has a mode of rounding or of denormal numbers; only kernels have one, with all that they call",
          F->getNameAsString());
    if (auto *Body = F->isThisDeclarationADefinition() && isKernel(*F) ? dyn_cast<CompoundStmt>(F->getBody()) : nullptr)
      for (Stmt *S : Body->body())
        if (auto *Declarations = dyn_cast<DeclStmt>(S))
          OfKernels.insert(Declarations->decl_begin(), Declarations->decl_end());
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && !Blocks.empty() && Callee->getDeclName().isIdentifier())
      refuseInSimd(*Call, *Callee);
    if (Callee)
      warnOfOverlap(*Call, *Callee);
    if (Callee && isKernel(*Callee) && !Callee->getDefinition())
      error(Call->getBeginLoc(),
            "kernel '%0' is called and defined elsewhere; put what is called and its callers into one file",
            Callee->getNameAsString());
    return true;
  }

  /// The block that a SIMD macro opens begins with a variable of class simd_if or simd_loop.
  bool TraverseCompoundStmt(CompoundStmt *Block) override {
    std::optional<unsigned> Width = simdWidth(*Block);
    if (Width)
      Blocks.push_back({*Width ? *Width : Blocks.empty() ? 0 : Blocks.back().Width, 0});
    bool Result = DynamicRecursiveASTVisitor::TraverseCompoundStmt(Block);
    if (Width)
      Blocks.pop_back();
    return Result;
  }
#define SCALAR_LOOP(Kind)                                                                                              \
  bool Traverse##Kind(Kind *Loop) override {                                                                           \
    bool Inside = !Blocks.empty() && !isOfMacros(Loop->getBeginLoc());                                                 \
    Inside ? void(++Blocks.back().Loops) : void();                                                                     \
    bool Result = DynamicRecursiveASTVisitor::Traverse##Kind(Loop);                                                    \
    Inside ? void(--Blocks.back().Loops) : void();                                                                     \
    return Result;                                                                                                     \
  }
  SCALAR_LOOP(ForStmt)
  SCALAR_LOOP(WhileStmt)
  SCALAR_LOOP(DoStmt)
  SCALAR_LOOP(SwitchStmt)
#undef SCALAR_LOOP
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override { // a function of its own
    std::vector<SimdBlock> Outer;
    std::swap(Outer, Blocks);
    const FunctionDecl *Around = std::exchange(InLambda, Lambda->getCallOperator());
    bool Result = DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    InLambda = Around;
    std::swap(Outer, Blocks);
    return Result;
  }
  bool VisitReturnStmt(ReturnStmt *S) override {
    refuseDangling(*S);
    return refuseJump(S->getBeginLoc(), "return", true);
  }
  bool VisitGotoStmt(GotoStmt *S) override { return refuseJump(S->getBeginLoc(), "goto", true); }
  bool VisitBreakStmt(BreakStmt *S) override { return refuseJump(S->getBeginLoc(), "break", false); }
  bool VisitContinueStmt(ContinueStmt *S) override { return refuseJump(S->getBeginLoc(), "continue", false); }

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) override {
    if (Call->getOperator() == OO_Equal)
      Losses.check(Call->getArg(0)->getType(), *Call->getArg(1), function());
    if (Blocks.empty() || Blocks.back().Width == 0 || !Call->isAssignmentOp())
      return true;
    unsigned Count = elementsOf(Call->getArg(0)->getType());
    if (Count > 1 && Count != Blocks.back().Width)
      error(
          Call->getOperatorLoc(),
          "a statement of %0 elements in SIMD control flow of %1 channels; it has as many elements as channels, or one",
          Count, Blocks.back().Width);
    return true;
  }

  /// vector<int, 8> v = 2.5f
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    if (E->getNumArgs() >= 1 && E->getConstructor()->getNumParams() == 1)
      Losses.check(E->getType(), *E->getArg(0), function());
    refuseShortList(*E);
    return true;
  }

  /// Constant memory is no other memory: neither is a pointer to it one to the rest, nor the other way round.
  bool VisitExplicitCastExpr(ExplicitCastExpr *Cast) override {
    QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
    if (From->isPointerType() && To->isPointerType() && isConstantMemory(From) != isConstantMemory(To))
      error(Cast->getBeginLoc(), "a cast between '%0' and '%1': constant memory is no other memory; copy the value",
            From.getAsString(), To.getAsString());
    return true;
  }

  /// What no integer of the type is C++ leaves open, and Clang computes nothing of: at run time the nearest is taken.
  bool VisitCastExpr(CastExpr *Cast) override {
    Expr::EvalResult Number;
    if (LeftOut || Cast->getCastKind() != CK_FloatingToIntegral || Cast->isValueDependent() ||
        !Cast->getSubExpr()->EvaluateAsRValue(Number, Context) || !Number.Val.isFloat())
      return true;
    llvm::APSInt Integer(unsigned(Context.getTypeSize(Cast->getType())), Cast->getType()->isUnsignedIntegerType());
    bool Exact;
    if (Number.Val.getFloat().convertToInteger(Integer, llvm::APFloat::rmTowardZero, &Exact) &
        llvm::APFloat::opInvalidOp)
      error(Cast->getBeginLoc(), "%0 is outside of %1; write the number that is meant",
            Number.Val.getAsString(Context, Cast->getSubExpr()->getType()), Cast->getType().getAsString());
    return true;
  }

  /// What a constant condition leaves out need not be defined: often the condition asks for that.
  bool TraverseConditionalOperator(ConditionalOperator *Choice) override {
    return TraverseStmt(Choice->getCond()) &&
           traverseArms(*Choice->getCond(), Choice->getTrueExpr(), Choice->getFalseExpr());
  }
  bool TraverseIfStmt(IfStmt *If) override {
    return TraverseStmt(If->getInit()) && (!If->getConditionVariable() || TraverseDecl(If->getConditionVariable())) &&
           TraverseStmt(If->getCond()) && traverseArms(*If->getCond(), If->getThen(), If->getElse());
  }

  /// A constant shifted by a count that its promoted type does not have is nothing, too; a variable is shifted modulo.
  bool VisitBinaryOperator(BinaryOperator *Shift) override {
    Expr::EvalResult Count;
    if (LeftOut || (Shift->getOpcode() != BO_Shl && Shift->getOpcode() != BO_Shr) || Shift->isValueDependent() ||
        !Shift->getType()->isIntegerType() || !Shift->getLHS()->isEvaluatable(Context) ||
        !Shift->getRHS()->EvaluateAsInt(Count, Context))
      return true;
    if (const unsigned Bits = unsigned(Context.getTypeSize(Shift->getType())); Count.Val.getInt().uge(Bits))
      error(Shift->getOperatorLoc(), "a shift by %0 bits of %1, which has %2; write the number that is meant",
            toString(Count.Val.getInt(), 10), Shift->getType().getAsString(), std::to_string(Bits));
    return true;
  }

  bool VisitAsmStmt(AsmStmt *Text) override {
    if (!Text->generateAsmString(Context).empty())
      error(Text->getAsmLoc(), AssemblyRefused);
    return true;
  }

  bool VisitAddrLabelExpr(AddrLabelExpr *Label) override {
    error(Label->getAmpAmpLoc(), "the address of a label: there are no jumps to addresses; use a switch");
    return true;
  }

  bool VisitVarDecl(VarDecl *V) override {
    checkFits(*V);
    if (V->getType()->isBFloat16Type() && !Target.has("CM_HAS_BF16"))
      error(V->getLocation(), "bfloat16 needs CM_HAS_BF16, which the target does not have");
    constexpr std::int64_t MostBytes = 16 << 20; // arrays of this size would take minutes
    if (QualType T = V->getType().getNonReferenceType(); !T->isDependentType() && !T->isUndeducedType() &&
                                                         !T->isIncompleteType() &&
                                                         Context.getTypeSizeInChars(T).getQuantity() > MostBytes)
      error(V->getLocation(), "variable '%0' takes %1 bytes; at most %2 are allowed: use a surface",
            V->getNameAsString(), std::to_string(Context.getTypeSizeInChars(T).getQuantity()),
            std::to_string(MostBytes));
    if (!V->isFileVarDecl() && isMarked(*V, "genx_volatile"))
      error(V->getLocation(), "variable '%0' is marked _GENX_VOLATILE_, which is for variables at file scope",
            V->getNameAsString());
    if (!isa<ParmVarDecl>(V) && spaceOf(*V) != Space::None)
      return checkSpace(*V);
    bool Global = V->isFileVarDecl() && !V->isConstexpr() && !V->getType().isConstQualified();
    if (!Global || InitializedGlobals || V->getType()->isArrayType() || !hasInitializer(*V))
      return true;
    error(V->getLocation(),
          "file-scope variable '%0' is initialized; assign to it in the kernel, or compile with -mCM_init_global",
          V->getNameAsString());
    return true;
  }

private:
  struct SimdBlock {
    unsigned Width; ///< Channels; 0 when not known here.
    unsigned Loops; ///< Scalar loops and switches around the statement, inside the block.
  };

  /// What the source names is smaller than the registers; what an expression has on the way may be narrowed.
  void checkFits(const ValueDecl &V) {
    const QualType T = Context.getBaseElementType(V.getType().getNonReferenceType());
    const std::optional<Object> Found = T->isDependentType() ? std::nullopt : objectOf(T);
    if (!Found || Found->Reference)
      return;
    const std::int64_t Bytes = std::int64_t(Found->count()) * Context.getTypeSizeInChars(Found->Element).getQuantity();
    if (const std::int64_t Most = Target.registerFile(); Bytes >= Most)
      error(V.getLocation(), "a vector or matrix of %0 bytes; on target %1 an object has less than %2",
            std::to_string(Bytes), Target.name(), std::to_string(Most));
  }

  /// What is to run by itself: before kernels, like initialisers, when nobody has to give it anything; never after
  /// them.
  void refuseOwnCalls(const FunctionDecl &F) {
    if (F.hasAttr<ConstructorAttr>() && isKernel(F))
      error(F.getLocation(), "kernel '%0' is a constructor; only hosts launch kernels", F.getNameAsString());
    else if (F.hasAttr<ConstructorAttr>() && F.getNumParams())
      error(F.getLocation(), "function '%0' is a constructor and takes arguments, which nobody gives it",
            F.getNameAsString());
    if (F.hasAttr<DestructorAttr>())
      error(F.getLocation(), "function '%0' is a destructor; nothing runs when a kernel has ended",
            F.getNameAsString());
  }

  /// Whether a declaration has a mark that one of the headers' macros makes.
  static bool isMarked(const Decl &D, StringRef Mark) {
    return llvm::any_of(D.specific_attrs<AnnotateAttr>(),
                        [&](const AnnotateAttr *A) { return A->getAnnotation() == Mark; });
  }

  static bool isConstantMemory(QualType Pointer) {
    return Pointer->getPointeeType().getAddressSpace() == LangAS::opencl_constant;
  }

  /// Elements of a vector, matrix or reference; 0 for anything else.
  static unsigned elementsOf(QualType T) {
    std::optional<Object> Found = objectOf(T);
    return Found ? Found->count() : 0;
  }

  /// The width of the SIMD block that a compound statement is, 0 when its condition is a scalar or comes last; nothing
  /// when it is an ordinary block.
  static std::optional<unsigned> simdWidth(const CompoundStmt &Block) {
    auto *First = Block.body_empty() ? nullptr : dyn_cast<DeclStmt>(Block.body_front());
    auto *V = First && First->isSingleDecl() ? dyn_cast<VarDecl>(First->getSingleDecl()) : nullptr;
    if (!V || (V->getName() != "cm_simd_if" && V->getName() != "cm_simd_loop"))
      return std::nullopt;
    auto *Construct = dyn_cast_or_null<CXXConstructExpr>(V->getInit() ? V->getInit()->IgnoreImplicit() : nullptr);
    if (!Construct || Construct->getNumArgs() != 1)
      return 0;
    return elementsOf(Construct->getArg(0)->IgnoreParenImpCasts()->getType());
  }

  /// Whether this stands in one of the headers' macros rather than in the user's text.
  bool isOfMacros(SourceLocation Where) const {
    const SourceManager &Files = Context.getSourceManager();
    return Where.isMacroID() && Files.getFilename(Files.getSpellingLoc(Where)).contains("cm/detail/");
  }

  bool refuseJump(SourceLocation Where, const char *What, bool Always) {
    if (!Blocks.empty() && !isOfMacros(Where) && (Always || Blocks.back().Loops == 0))
      error(Where, "'%0' jumps out of SIMD control flow; use SIMD_BREAK or SIMD_CONTINUE, or set a variable", What);
    return true;
  }

  /// The innermost function or lambda around.
  const FunctionDecl *function() const { return InLambda ? InLambda : here(); }

  /// return v.select<4, 1>(0), where the function gives a reference and v is its own variable.
  void refuseDangling(const ReturnStmt &Return) {
    const FunctionDecl *F = function();
    const Expr *Value = Return.getRetValue();
    if (!F || !Value || !isReference(F->getReturnType()))
      return;
    while (true) { // from a region to what it is of
      Value = Value->IgnoreUnlessSpelledInSource();
      if (auto *Member = dyn_cast<CXXMemberCallExpr>(Value))
        Value = Member->getImplicitObjectArgument();
      else if (auto *Subscript = dyn_cast<CXXOperatorCallExpr>(Value); Subscript && Subscript->getNumArgs() > 0)
        Value = Subscript->getArg(0);
      else if (auto *Made = dyn_cast<CXXConstructExpr>(Value); Made && Made->getNumArgs() == 1)
        Value = Made->getArg(0);
      else
        break;
    }
    auto *Name = dyn_cast<DeclRefExpr>(Value);
    auto *V = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
    // What a lambda, a pointer or another class gives a region of may outlive the function.
    const std::optional<Object> Of = V ? objectOf(V->getType()) : std::nullopt;
    if (Of && V->hasLocalStorage() && V->getDeclContext() == F && !V->getType()->isReferenceType() &&
        !isReference(V->getType()))
      error(Return.getBeginLoc(),
            "the function returns a reference to a region of '%0', which ends with it; return a vector or matrix",
            V->getNameAsString());
  }

  /// vector<int, 8> v(0, 1): a start and a step elsewhere, a list with zeros behind it here. Braces are a list.
  void refuseShortList(const CXXConstructExpr &E) {
    std::optional<Object> Made = objectOf(E.getType());
    const FunctionTemplateDecl *Template = E.getConstructor()->getPrimaryTemplate();
    bool List = Made && Template && Template->getTemplateParameters()->hasParameterPack();
    if (List && !E.isListInitialization() && E.getNumArgs() != Made->count())
      error(
          E.getLocation(),
          "%0 scalars in parentheses for %1 elements; write cmtl::cm_vector_assign(v, start, step) of <cm/cmtl.h> for "
          "a sequence, braces for a list with zeros behind it, or all elements",
          E.getNumArgs(), Made->count());
  }

  /// The same variable passed twice by reference.
  void warnOfOverlap(const CallExpr &Call, const FunctionDecl &Callee) {
    llvm::SmallPtrSet<const ValueDecl *, 4> Seen;
    for (unsigned I = 0; I < std::min(Call.getNumArgs(), Callee.getNumParams()); ++I) {
      QualType Parameter = Callee.getParamDecl(I)->getType();
      if (!isReference(Parameter) || Parameter.getNonReferenceType().isConstQualified()) // which is only read
        continue;
      const Expr *Argument = Call.getArg(I)->IgnoreUnlessSpelledInSource();
      if (auto *Construct = dyn_cast<CXXConstructExpr>(Argument); Construct && Construct->getNumArgs() == 1)
        Argument = Construct->getArg(0)->IgnoreUnlessSpelledInSource();
      if (auto *Name = dyn_cast<DeclRefExpr>(Argument); Name && !Seen.insert(Name->getDecl()).second)
        reportWarning(Context.getDiagnostics(), diag::Group::Unsequenced, Argument->getBeginLoc(),
                      "'%0' is passed by reference twice; when the function writes to it the result depends on how "
                      "arguments are passed",
                      Name->getDecl()->getNameAsString());
    }
  }

  void refuseInSimd(const CallExpr &Call, const FunctionDecl &Callee) {
    static constexpr StringRef Names[] = {"cm_dp2",
                                          "cm_dp3",
                                          "cm_dp4",
                                          "cm_dph",
                                          "cm_line",
                                          "cm_pln",
                                          "cm_lrp",
                                          "cm_sad2",
                                          "cm_sada2",
                                          "cm_pack_mask",
                                          "cm_unpack_mask",
                                          "cm_barrier",
                                          "cm_sbarrier",
                                          "cm_wait",
                                          "cm_signal",
                                          "cm_slm_load",
                                          "read_plane",
                                          "write_plane",
                                          "read_transpose",
                                          "sample16",
                                          "sample32",
                                          "cm_3d_sample",
                                          "cm_dpas",
                                          "cm_slm_block_read",
                                          "cm_slm_block_write",
                                          "cm_svm_block_read",
                                          "cm_svm_block_write"};
    StringRef Name = Callee.getName();
    bool Block = false; // a media or oword block: no argument but the last is a vector
    if ((Name == "read" || Name == "write") && Callee.getNumParams() >= 3) {
      Block = elementsOf(Call.getArg(Call.getNumArgs() - 1)->getType()) > 0;
      for (unsigned I = 0; I + 1 < Call.getNumArgs(); ++I)
        Block &= elementsOf(Call.getArg(I)->getType()) == 0;
    }
    if ((Block || llvm::is_contained(Names, Name)) && !isOfMacros(Call.getBeginLoc()))
      error(Call.getBeginLoc(), "'%0' has no meaning for single channels; move it out of SIMD control flow%1",
            Name.str(), Block ? ", or use scattered reads and writes" : "");
  }

  /// The rules of variables in named address spaces.
  bool checkSpace(const VarDecl &V) {
    std::string Name = V.getNameAsString();
    bool Initialized = hasInitializer(V);
    bool Told = V.getType().getAddressSpace() != LangAS::Default; // Clang knows these rules for what is no class
    switch (spaceOf(V)) {
    case Space::Local:
      if (!OfKernels.contains(&V))
        error(V.getLocation(),
              "__local variable '%0' is not in the outermost scope of a kernel; declare it there and pass its address",
              Name);
      else if (Initialized && !Told)
        error(V.getLocation(),
              "__local variable '%0' is initialized; assign to it, and let the group's threads meet at a barrier",
              Name);
      break;
    case Space::Constant:
      if (!Initialized && !Told)
        error(V.getLocation(), "__constant variable '%0' has no initial value, and nothing can give it one later",
              Name);
      [[fallthrough]];
    case Space::Global:
      if (V.isLocalVarDecl() && !V.isStaticLocal() && !Told)
        error(V.getLocation(),
              "variable '%0' of a named address space is local to its function; declare it static, or at file scope",
              Name);
      else if (Initialized && !V.hasConstantInitialization())
        error(V.getLocation(), "the initial value of '%0' is not known before the program runs; assign it in a kernel",
              Name);
      break;
    case Space::None:
      break;
    }
    return true;
  }

  std::vector<SimdBlock> Blocks;
  const FunctionDecl *InLambda = nullptr; ///< The innermost lambda around, as a function.
  Constants Losses;
  llvm::SmallPtrSet<const Decl *, 16> OfKernels; ///< Variables of the outermost scopes of kernels.

  static bool hasInitializer(const VarDecl &V) {
    const Expr *Init = V.getInit();
    if (!Init)
      return false;
    const auto *Construct = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
    return !Construct || Construct->getNumArgs() > 0;
  }
  template <unsigned N, class... Args> void error(SourceLocation Where, const char (&Text)[N], Args... Arguments) {
    if (!Reported.insert({Where.getRawEncoding(), Text}).second)
      return; // another instance of the same template
    reportError(Context, Where, Text, Arguments...);
    nameCallers();
  }

  bool traverseArms(const Expr &Condition, Stmt *Then, Stmt *Else) {
    bool Taken;
    const bool Known = !Condition.isValueDependent() && Condition.EvaluateAsBooleanCondition(Taken, Context);
    auto traverse = [&](Stmt *Arm, bool Runs) {
      LeftOut += !Runs;
      const bool All = TraverseStmt(Arm);
      LeftOut -= !Runs;
      return All;
    };
    return traverse(Then, !Known || Taken) && traverse(Else, !Known || !Taken);
  }

  unsigned LeftOut = 0; ///< Arms around what is looked at that constant conditions leave out.
  bool InitializedGlobals;
  const TargetMacros Target;
  std::set<std::pair<unsigned, std::string>> Reported;
};

class Checker : public ASTConsumer, public ASTMutationListener {
public:
  Checker(std::string HeaderFolder, bool InitializedGlobals, Preprocessor &Macros)
      : HeaderFolder(std::move(HeaderFolder)), InitializedGlobals(InitializedGlobals), Macros(Macros) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Declarations.push_back(D);
    return true;
  }
  ASTMutationListener *GetASTMutationListener() override { return this; }
  /// Clang's recovery from `vectr, 8> v;` leaves members of no type behind, whose size it asks for.
  void CompletedTagDefinition(const TagDecl *D) override {
    auto *Class = const_cast<CXXRecordDecl *>(dyn_cast<CXXRecordDecl>(D));
    if (!Class || Class->isDependentContext())
      return;
    for (FieldDecl *Field : Class->fields())
      if (Field->getType()->isDependentType()) {
        Field->setType(Class->getASTContext().IntTy);
        Field->setInvalidDecl();
        Class->setInvalidDecl();
      }
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    SourceManager &Files = Context.getSourceManager();
    llvm::erase_if(Declarations, [&](Decl *D) {
      return Files.getFilename(Files.getExpansionLoc(D->getLocation())).starts_with(HeaderFolder);
    });
    Rules Check(Context, Declarations, InitializedGlobals, TargetMacros(Macros));
    for (Decl *D : Declarations)
      Check.TraverseDecl(D);
    checkBounds(Context, Declarations);
    checkOperands(Context, Declarations);
    if (!Context.getDiagnostics().hasUncompilableErrorOccurred())
      checkUninitialized(Context, Declarations);
  }

private:
  std::string HeaderFolder;
  bool InitializedGlobals;
  Preprocessor &Macros;
  std::vector<Decl *> Declarations;
};

} // namespace

std::unique_ptr<ASTConsumer> checkLanguageRules(std::string HeaderFolder, bool InitializedGlobals,
                                                Preprocessor &Macros) {
  return std::make_unique<Checker>(std::move(HeaderFolder), InitializedGlobals, Macros);
}

} // namespace pocm::frontend
