//===- Names.cpp - Every public name of the language --------------------------------------===//
//
// What the headers declare for kernels, macros among it, as lines for scripts/language-docs:
//
//     kind \t name \t header \t line \t form
//
// A kind is function, refused (a function), type, enumerator, constant, macro or member; macros of the target, all of
// which `cpu` has, stand in no header but `targets`. Inner names, those of
// namespace cm and with POCM_ or cm_simd_ in front, are left out.
//
//===----------------------------------------------------------------------===//
#include "frontend/Names.h"
#include "frontend/Forms.h"
#include "frontend/Frontend.h"
#include "ir/Lines.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace clang;

namespace pocm::frontend {
namespace {

class Lister : public ASTConsumer {
public:
  Lister(Preprocessor &PP, std::string &Text) : PP(PP), Files(PP.getSourceManager()), Text(Text) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    list(*Context.getTranslationUnitDecl(), "");
    std::map<StringRef, const MacroInfo *> Macros; // by name: the preprocessor has them in the order of addresses
    for (const auto &Macro : PP.macros())
      if (const MacroInfo *Info = PP.getMacroInfo(Macro.first))
        Macros.insert({Macro.first->getName(), Info});
    for (const auto &[Name, Info] : Macros)
      listMacro(Name, *Info);
  }

private:
  void add(StringRef Kind, StringRef Name, SourceLocation Where, StringRef Form) {
    PresumedLoc Line = Files.getPresumedLoc(Files.getExpansionLoc(Where));
    StringRef File = Line.isValid() ? Line.getFilename() : "";
    if (File.starts_with("<") && (Name.starts_with("CM_") || Name.starts_with("__CM") || Name.starts_with("__INTEL_")))
      File = "targets"; // a macro that the compiler defines
    else if (!File.consume_front(headerFolder()) || Name.starts_with("POCM_") || Name.starts_with("__") ||
             Name.starts_with("cm_simd_") || Name.contains("::detail::") || Name.empty())
      return;
    std::string Row =
        (Kind + "\t" + Name + "\t" + File.ltrim('/') + "\t" + Twine(Line.getLine()) + "\t" + Form + "\n").str();
    if (Listed.insert(Row).second)
      Text += Row;
  }

  void listMacro(StringRef Name, const MacroInfo &Info) {
    std::string Form = Name.str();
    if (Info.isFunctionLike()) {
      std::vector<std::string> Parameters;
      for (const IdentifierInfo *P : Info.params())
        Parameters.push_back(P->getName() == "__VA_ARGS__" ? "..." : P->getName().str());
      Form += "(" + llvm::join(Parameters, ", ") + ")";
    }
    add("macro", Name, Info.getDefinitionLoc(), Form);
  }

  void listMembers(const CXXRecordDecl &Class, StringRef Of) {
    for (const Decl *D : Class.decls()) {
      const FunctionDecl *F = D->getAsFunction();
      if (F && F->getAccess() == AS_public && F->getDeclName().isIdentifier() && !F->isDeleted())
        add("member", F->getName(), F->getLocation(), Of.str() + "." + formOf(*F));
    }
  }

  void list(const DeclContext &In, const std::string &Prefix) {
    for (const Decl *D : In.decls()) {
      const auto *Named = dyn_cast<NamedDecl>(D);
      if (const auto *Linkage = dyn_cast<LinkageSpecDecl>(D)) {
        list(*Linkage, Prefix);
        continue;
      }
      if (!Named || D->isImplicit())
        continue;
      std::string Name = Prefix + (Named->getDeclName().isIdentifier() ? Named->getNameAsString() : "");
      if (const auto *Space = dyn_cast<NamespaceDecl>(D)) {
        if (Name == "cm")
          listRegions(*Space);
        else
          list(*Space, Name + "::");
      } else if (const FunctionDecl *F = D->getAsFunction()) {
        if (F->getDeclName().isIdentifier() && !isForwarder(*F))
          add(F->isDeleted() ? "refused" : "function", Name, F->getLocation(), Prefix + formOf(*F));
      } else if (const auto *Enum = dyn_cast<EnumDecl>(D)) {
        add("type", Name, D->getLocation(), "enum " + Name);
        for (const EnumConstantDecl *E : Enum->enumerators())
          if (!E->getName().starts_with("_")) // older spellings of the others
            add("enumerator", Enum->isScoped() ? Name + "::" + E->getNameAsString() : Prefix + E->getNameAsString(),
                E->getLocation(), Name);
      } else if (isa<TypeDecl, ClassTemplateDecl, TypeAliasTemplateDecl>(D)) {
        add("type", Name, D->getLocation(), Name + parametersOf(*D));
      } else if (isa<VarDecl, VarTemplateDecl>(D)) {
        add("constant", Name, D->getLocation(), Name);
      }
    }
  }

  /// "<T, N>" of a class or alias template.
  static std::string parametersOf(const Decl &D) {
    const auto *Template = dyn_cast<TemplateDecl>(&D);
    std::vector<std::string> Names;
    for (const NamedDecl *P : Template ? Template->getTemplateParameters()->asArray() : ArrayRef<NamedDecl *>())
      Names.push_back(P->getName().empty() ? "..." : P->getName().str() + (P->isParameterPack() ? "..." : ""));
    return Names.empty() ? "" : "<" + llvm::join(Names, ", ") + ">";
  }

  /// The members that vectors, matrices and references have.
  void listRegions(const DeclContext &In) {
    for (const Decl *D : In.decls()) {
      if (const auto *Space = dyn_cast<NamespaceDecl>(D))
        listRegions(*Space);
      const auto *Template = dyn_cast<ClassTemplateDecl>(D);
      StringRef Name = Template ? Template->getName() : "";
      StringRef Of = Name == "regions" ? "v" : Name == "vector_regions" ? "v" : Name == "matrix_regions" ? "m" : "";
      if (!Of.empty() && Template->isThisDeclarationADefinition())
        listMembers(*Template->getTemplatedDecl(), Of);
    }
  }

  Preprocessor &PP;
  SourceManager &Files;
  std::string &Text;
  std::set<std::string> Listed;
};

} // namespace

std::unique_ptr<ASTConsumer> listNames(Preprocessor &PP, std::string &Text) {
  return std::make_unique<Lister>(PP, Text);
}

} // namespace pocm::frontend
