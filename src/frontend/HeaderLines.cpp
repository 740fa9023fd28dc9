//===- HeaderLines.cpp - The language's own functions have no lines --------------------===//
//
// What a member of a vector becomes is known by the line of the source that calls it
// (ir/Lines.h). Each of its instructions would have a place in the headers beside it, made
// when it is emitted and once more for each call that it is inlined into.
//
//     v.select<8, 1>(0) += 1;    %a = mul i32 ..., !dbg regions.h:290, inlined at k.cpp:7    before
//                                %a = mul i32 ..., !dbg k.cpp:7                              after
//
//===----------------------------------------------------------------------------------------===//
#include "frontend/HeaderLines.h"
#include "frontend/SourceFiles.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

namespace pocm::frontend {
namespace {

class Marker : public clang::ASTConsumer {
  /// Instances of templates, too, each when it is made.
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      mark(*D);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *F) override { mark(*F); }

  static void mark(clang::Decl &D) {
    if (auto *F = llvm::dyn_cast<clang::FunctionDecl>(&D)) {
      clang::ASTContext &Context = F->getASTContext();
      const clang::SourceManager &Sources = Context.getSourceManager();
      if (!F->hasAttr<clang::NoDebugAttr>() && isInHeaders(Sources, Sources.getFileLoc(F->getLocation())))
        F->addAttr(clang::NoDebugAttr::CreateImplicit(Context));
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(D)) {
      for (clang::Decl *Inner : llvm::cast<clang::DeclContext>(&D)->decls())
        mark(*Inner);
    }
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> leaveOutHeaderLines() { return std::make_unique<Marker>(); }

} // namespace pocm::frontend
