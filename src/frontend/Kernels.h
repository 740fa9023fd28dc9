//===- Kernels.h - The kernels of a translation unit --------------------------===//
#pragma once

#include "ir/Kernel.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"

namespace clang {
class Preprocessor;
}

namespace pocm::frontend {

/// What the source says of a kernel, by the name of its function in the IR.
struct ParsedKernel {
  std::string Symbol, Name;
  std::vector<pocm::KernelParameter> Parameters;
  unsigned FloatControl = 0;
};

/// Whether a function is marked _GENX_MAIN_.
bool isKernel(const clang::FunctionDecl &F);

/// Reports an error at a place of the source.
template <unsigned N, class... Args>
void reportError(clang::ASTContext &Context, clang::SourceLocation Where, const char (&Text)[N], Args... Arguments) {
  clang::DiagnosticsEngine &Diags = Context.getDiagnostics();
  auto Report = Diags.Report(Where, Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, Text));
  (void)(Report << ... << Arguments);
}

/// Reports a warning of one of Clang's groups: -w, -Werror and -Wno-... are obeyed of those alone.
template <unsigned N, class... Args> void reportWarning(clang::DiagnosticsEngine &Diags, clang::diag::Group Group,
                                                        clang::SourceLocation Where, const char (&Text)[N],
                                                        Args... Arguments) {
  clang::DiagnosticIDs::CustomDiagDesc Warning(clang::diag::Severity::Warning, Text,
                                               clang::DiagnosticIDs::CLASS_WARNING, /*ShowInSystemHeader=*/true,
                                               /*ShowInSystemMacro=*/true, Group);
  auto Report = Diags.Report(Where, Diags.getDiagnosticIDs()->getCustomDiagID(Warning));
  (void)(Report << ... << Arguments);
}

/// Collects functions marked _GENX_MAIN_ and reports kernels that no host could call.
std::unique_ptr<clang::ASTConsumer> collectKernels(std::vector<ParsedKernel> &Kernels);

/// Reports constant indices outside of their object (Bounds.cpp).
void checkBounds(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Declarations);

/// Reports operands that no form takes though C++ would convert them (Operands.cpp).
void checkOperands(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Declarations);

/// Warns of vectors and matrices that are read before anything is written to them (Uninitialized.cpp).
void checkUninitialized(clang::ASTContext &Context, llvm::ArrayRef<clang::Decl *> Declarations);

/// Gives calls of recursive constexpr functions their values, in front of the consumer that emits them
/// (ConstantCalls.cpp).
std::unique_ptr<clang::ASTConsumer> foldConstantCalls();

/// Reports what the language forbids and C++ allows (LanguageRules.cpp). Declarations in `HeaderFolder` are let be.
/// The preprocessor knows what the target has.
std::unique_ptr<clang::ASTConsumer> checkLanguageRules(std::string HeaderFolder, bool InitializedGlobals,
                                                       clang::Preprocessor &Macros);

} // namespace pocm::frontend
