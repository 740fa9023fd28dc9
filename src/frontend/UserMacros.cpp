//===- UserMacros.cpp - Headers that no macro of the program can change -----===//
//
// The language's headers have parameters and templates named W, T and N; programs have macros
// of such names, from the command line or before an #include. While the headers are read those
// are no macros:
//
//     cmc -DW=16 kernel.cpp         #define T float
//                                   #include <cm/cmtl.h>      as if the include came first
//
//===----------------------------------------------------------------------===//
#include "frontend/UserMacros.h"
#include "frontend/SourceFiles.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace pocm::frontend {

bool headersSeeMacro(std::string_view Name) {
  return Name.starts_with("CM_") || Name.starts_with("POCM_") || Name.starts_with("__");
}

namespace {

class UserMacros : public PPCallbacks {
public:
  explicit UserMacros(Preprocessor &PP) : PP(PP) {}

  void FileChanged(SourceLocation At, FileChangeReason Reason, SrcMgr::CharacteristicKind, FileID) override {
    if (Reason != EnterFile && Reason != ExitFile)
      return;
    bool Headers = isOurs(At);
    if (Headers == Inside)
      return;
    Inside = Headers;
    Inside ? hide() : restore();
  }

private:
  bool isOurs(SourceLocation At) const { return isInHeaders(PP.getSourceManager(), At); }

  void hide() {
    for (const auto &Macro : PP.macros(/*IncludeExternalMacros=*/false)) {
      auto *Name = const_cast<IdentifierInfo *>(Macro.first);
      const MacroInfo *Meaning = PP.getMacroInfo(Name);
      if (!Meaning || Meaning->isBuiltinMacro() || isOurs(Meaning->getDefinitionLoc()) ||
          headersSeeMacro(Name->getName()))
        continue;
      Name->setHasMacroDefinition(false);
      Hidden.push_back(Name);
    }
  }
  void restore() {
    for (IdentifierInfo *Name : Hidden)
      Name->setHasMacroDefinition(true);
    Hidden.clear();
  }

  Preprocessor &PP;
  bool Inside = false;
  std::vector<IdentifierInfo *> Hidden;
};

} // namespace

std::unique_ptr<PPCallbacks> hideUserMacros(Preprocessor &PP) { return std::make_unique<UserMacros>(PP); }

} // namespace pocm::frontend
