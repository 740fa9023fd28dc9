//===- Length.cpp - Programs that nobody wrote ----------------------------------------===//
//
// Clang and LLVM take programs of any length and depth, and need minutes or all memory for what
// generators of code make by mistake: 200,000 signs in a row, sums of 60,000 vectors, 20,000
// `else if`, each of which lies in the one before, macros and templates that use themselves
// twice, functions that call the one before twice.
//
// Counted are tokens as the preprocessor gives them, those without a semicolon, comma or brace
// between them, and blocks and `else if` that are open; instances of templates; classes that lie
// in each other as bases or members; and instructions of a kernel with those of what it calls,
// before all of it is made one function.
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Length.h"
#include "ir/Kernel.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

using namespace clang;

namespace pocm::frontend {

namespace {

constexpr unsigned MostTokens = 20000, MostOpen = 4096;
constexpr std::uint64_t MostInAll = 500'000;
constexpr std::uint64_t MostInMacros = 4'000'000; ///< While arguments of macros are expanded, each time.
constexpr unsigned MostInstances = 200'000;
constexpr unsigned MostClasses = 512; ///< In each other. Clang goes through them without a look at its stack.
constexpr std::uint64_t MostInstructions = 4'000'000;

/// How deeply statements lie in each other.
class Nesting {
public:
  unsigned open() const { return Open; }
  void next(const Token &T) {
    if (Ended && T.isNot(tok::kw_else))
      close();
    Ended = false;
    if (AfterElse && T.is(tok::kw_if)) {
      ++Chains.back();
      ++Open;
    }
    AfterElse = T.is(tok::kw_else);
    if (T.is(tok::l_paren))
      ++Parentheses;
    else if (T.is(tok::r_paren))
      Parentheses -= Parentheses != 0;
    else if (T.is(tok::semi))
      Ended = !Parentheses; // else the head of a loop
    else if (T.is(tok::l_brace)) {
      Chains.push_back(0);
      ++Open;
    } else if (T.is(tok::r_brace) && Chains.size() > 1) {
      close();
      Chains.pop_back();
      --Open;
      Ended = true;
    }
  }

private:
  /// What was `else if` has ended.
  void close() {
    Open -= Chains.back();
    Chains.back() = 0;
  }

  llvm::SmallVector<unsigned, 32> Chains{0}; ///< `else if` that are open, in each open block.
  unsigned Open = 0, Parentheses = 0;
  bool Ended = false, AfterElse = false;
};

void reportFatal(DiagnosticsEngine &Diags, SourceLocation Where, const std::string &Text) {
  Diags.Report(Where, Diags.getCustomDiagID(DiagnosticsEngine::Fatal, "%0")) << Text;
}

/// Looks at every token. Behind the one that is too many, or when something else is, all are the end of the file.
class TokenLimits {
public:
  TokenLimits(Preprocessor &PP, std::shared_ptr<bool> Over) : PP(PP), Over(std::move(Over)) {}
  void operator()(const Token &T) {
    if (!*Over)
      if (std::string Problem = count(T); !Problem.empty()) {
        *Over = true;
        reportFatal(PP.getDiagnostics(), PP.getSourceManager().getExpansionLoc(T.getLocation()), Problem);
      }
    if (*Over && T.isNot(tok::eod)) // which ends a directive
      end(const_cast<Token &>(T));  // of the parser, which wants it
  }

private:
  std::string count(const Token &T) {
    if (++Seen > MostInMacros)
      return "macros expand to more than " + std::to_string(MostInMacros) + " tokens; use loops, functions or tables";
    if (PP.getTokenCount() == Given)
      return ""; // of an argument of a macro
    Given = PP.getTokenCount();
    Depth.next(T);
    Expression = T.isOneOf(tok::semi, tok::comma, tok::l_brace, tok::r_brace) ? 0 : Expression + 1;
    if (Expression > MostTokens)
      return "an expression of more than " + std::to_string(MostTokens) + " tokens; use several statements, or a loop";
    if (Depth.open() > MostOpen)
      return "more than " + std::to_string(MostOpen) +
             " blocks or `else if` lie in each other; use a `switch`, a table or functions";
    if (Given > MostInAll)
      return "the program has more than " + std::to_string(MostInAll) +
             " tokens, macros expanded; use loops, functions or tables";
    return "";
  }
  static void end(Token &T) {
    const SourceLocation Where = T.getLocation();
    T.startToken();
    T.setKind(tok::eof);
    T.setLocation(Where);
  }

  Preprocessor &PP;
  Nesting Depth;
  std::uint64_t Seen = 0;             ///< Tokens, those of arguments of macros each time that they are looked at.
  unsigned Given = 0, Expression = 0; ///< Tokens for the parser.
  std::shared_ptr<bool> Over;
};

/// Counts what templates make.
class Instances : public TemplateInstantiationCallback {
public:
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &S, const Sema::CodeSynthesisContext &Now) override {
    if (Now.Kind == Sema::CodeSynthesisContext::TemplateInstantiation && ++Count == MostInstances)
      reportFatal(S.getDiagnostics(), S.CodeSynthesisContexts.front().PointOfInstantiation,
                  "templates make more than " + std::to_string(MostInstances) +
                      " classes and functions of others; use loops or constexpr functions");
  }
  void atTemplateEnd(const Sema &, const Sema::CodeSynthesisContext &) override {}

private:
  unsigned Count = 0;
};

class InstanceLimit : public SemaConsumer {
public:
  explicit InstanceLimit(std::shared_ptr<bool> Over) : Over(std::move(Over)) {}
  void InitializeSema(Sema &S) override { S.TemplateInstCallbacks.push_back(std::make_unique<Instances>()); }
  void HandleTagDeclDefinition(TagDecl *Made) override {
    auto *Class = dyn_cast<CXXRecordDecl>(Made);
    if (!Class || Class->isDependentType() || !Class->isCompleteDefinition())
      return;
    unsigned Inside = 0;
    auto Look = [&](QualType T) {
      if (const CXXRecordDecl *Part = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl())
        Inside = std::max(Inside, Depths.lookup(Part->getCanonicalDecl()));
    };
    for (const CXXBaseSpecifier &Base : Class->bases())
      Look(Base.getType());
    for (const FieldDecl *Field : Class->fields())
      Look(Field->getType());
    if ((Depths[Class->getCanonicalDecl()] = Inside + 1) != MostClasses)
      return;
    *Over = true;
    reportFatal(Class->getASTContext().getDiagnostics(), Class->getLocation(),
                "more than " + std::to_string(MostClasses) + " classes lie in each other, as bases or members");
  }

private:
  std::shared_ptr<bool> Over;
  llvm::DenseMap<const CXXRecordDecl *, unsigned> Depths;
};

/// Instructions of functions with those of all that they call.
class Sizes {
public:
  std::uint64_t of(const llvm::Function &F) {
    auto [Place, New] = Known.try_emplace(&F, 0); // calls of itself are refused later
    if (!New)
      return Place->second;
    std::uint64_t Sum = 0;
    for (const llvm::BasicBlock &Block : F)
      for (const llvm::Instruction &I : Block) {
        auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
        const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        Sum = std::min(Most, Sum + 1 + (Callee && !Callee->isDeclaration() ? of(*Callee) : 0));
      }
    return Known[&F] = Sum;
  }

private:
  static constexpr std::uint64_t Most = std::uint64_t(1) << 62;
  llvm::DenseMap<const llvm::Function *, std::uint64_t> Known;
};

} // namespace

void limitTokens(Preprocessor &PP, std::shared_ptr<bool> Over) {
  PP.setPreprocessToken(true); // those of arguments, too
  PP.setTokenWatcher(TokenLimits(PP, std::move(Over)));
}

std::unique_ptr<ASTConsumer> limitInstances(std::shared_ptr<bool> Over) {
  return std::make_unique<InstanceLimit>(std::move(Over));
}

std::string tooLarge(const llvm::Module &M) {
  Sizes All;
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    const std::uint64_t Size = All.of(*Kernel.Entry);
    if (Size > MostInstructions)
      return "error: kernel '" + Kernel.Name + "' has " + std::to_string(Size) + " instructions, more than " +
             std::to_string(MostInstructions) + ", with those of the functions that it calls; use loops\n";
  }
  return "";
}

} // namespace pocm::frontend
