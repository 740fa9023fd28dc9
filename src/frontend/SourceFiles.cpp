//===- SourceFiles.cpp - The files that a source is made of -------------------------===//
//
// For the rules of make and ninja that cmc writes with -MD.
//
//===----------------------------------------------------------------------===//
#include "frontend/SourceFiles.h"
#include "ir/Lines.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pocm::frontend {
namespace {

class Lister : public clang::DependencyCollector {
public:
  explicit Lister(std::vector<SourceFile> &Files) : Files(Files) {}

  void attachToASTReader(clang::ASTReader &) override {} // what is there in parsed form is the language's
  bool needSystemDependencies() override { return true; }
  void maybeAddDependency(StringRef Path, bool, bool System, bool Module, bool Missing) override {
    // Clang's own begin with <.
    bool Inner = Path.starts_with("<") || Path.starts_with(EmbeddedHeaderFolder) || Module;
    if (!Inner && !Missing && none_of(Files, [&](const SourceFile &F) { return F.path == Path; }))
      Files.push_back({Path.str(), System});
  }

private:
  std::vector<SourceFile> &Files;
};

} // namespace

std::shared_ptr<clang::DependencyCollector> listFiles(std::vector<SourceFile> &Files) {
  return std::make_shared<Lister>(Files);
}

bool isInHeaders(const clang::SourceManager &Sources, clang::SourceLocation At) {
  return Sources.getFilename(At).starts_with(headerFolder());
}

} // namespace pocm::frontend
