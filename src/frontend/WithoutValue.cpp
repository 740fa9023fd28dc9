//===- WithoutValue.cpp - File-scope variables that the source gives no value -------------===//
//
// In IR, zeros that the source gives, as some arrays and default members have them, look like
// those that C++ gives. For the check device the source says which variables have none:
//
//     int given[4] = {0};        @given = global [4 x i32] zeroinitializer
//     int table[4];              @table = global [4 x i32] zeroinitializer, !pocm.uninitialized !0
//
// On hardware `table` has what registers held (passes/LocalizeGlobals.cpp).
//
//===----------------------------------------------------------------------------------------===//
#include "frontend/WithoutValue.h"
#include "frontend/SourceFiles.h"
#include "ir/Unwritten.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace pocm::frontend {
namespace {

constexpr const char *Mark = "pocm_uninitialized";

/// Whether C++ gives the variable a value: constructors that do nothing, and those of vectors and matrices, give none.
bool hasValue(const clang::VarDecl &V) {
  const clang::Expr *Init = V.getAnyInitializer();
  if (!Init)
    return false;
  auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(Init->IgnoreImplicit());
  if (!Construct || Construct->getNumArgs() > 0)
    return true;
  const clang::CXXConstructorDecl *How = Construct->getConstructor();
  return !How->isTrivial() && !isInHeaders(V.getASTContext().getSourceManager(), How->getLocation());
}

class Marker : public clang::ASTConsumer {
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      visit(*D);
    return true;
  }
  static void visit(clang::Decl &D) {
    if (auto *V = llvm::dyn_cast<clang::VarDecl>(&D)) {
      // Not where it is only declared: the definition, which may give a value, would take the mark over.
      if (V->isFileVarDecl() && V->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly && !hasValue(*V))
        V->addAttr(clang::AnnotateAttr::CreateImplicit(V->getASTContext(), Mark, nullptr, 0));
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(D)) {
      for (clang::Decl *Inner : llvm::cast<clang::DeclContext>(&D)->decls())
        visit(*Inner);
    }
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> markWithoutValue() { return std::make_unique<Marker>(); }

void noteWithoutValue(llvm::Module &M) {
  const llvm::GlobalVariable *All = M.getNamedGlobal("llvm.global.annotations");
  auto *Marks = All ? llvm::dyn_cast<llvm::ConstantArray>(All->getInitializer()) : nullptr;
  for (unsigned K = 0; Marks && K < Marks->getNumOperands(); ++K) {
    auto *Entry = llvm::cast<llvm::ConstantStruct>(Marks->getOperand(K)); // what, its mark, file, line, arguments
    auto *Marked = llvm::dyn_cast<llvm::GlobalVariable>(Entry->getOperand(0)->stripPointerCasts());
    auto *Text = llvm::dyn_cast<llvm::GlobalVariable>(Entry->getOperand(1)->stripPointerCasts());
    auto *Chars = Text ? llvm::dyn_cast<llvm::ConstantDataArray>(Text->getInitializer()) : nullptr;
    if (Marked && Chars && Chars->isCString() && Chars->getAsCString() == Mark)
      Marked->setMetadata(UninitializedMetadata, llvm::MDNode::get(M.getContext(), {}));
  }
}

} // namespace pocm::frontend
