//===- ShortFloats.h - Conversions between half and bfloat16 ---------------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace pocm::frontend {

/// Whether a message is about a conversion of a scalar between half and bfloat16, which Clang refuses.
bool isBetweenShortFloats(llvm::StringRef Message);

/// Where a source converts such scalars, and the source with those conversions written as Clang takes them.
///
///     half h = b;     ->     half h = ::cm::detail::through_float(b);
class ShortFloats {
public:
  /// Keeps the place of the expression that a diagnostic is about, when it is about one of them. False for others.
  bool look(const clang::Diagnostic &Info, llvm::StringRef Message);
  /// Keeps the place of an expression that is to be converted, the argument of a call that nothing fits.
  bool keep(clang::SourceRange Expression, const clang::SourceManager &Sources);
  /// From now on the source is as it was, for other errors to be shown in it: what would be converted is no error.
  void hide() {
    *this = ShortFloats();
    Now = Mode::Hides;
  }
  /// From now on they are errors: there is no end of them.
  void stop() { Now = Mode::Stopped; }
  bool hides() const { return Now == Mode::Hides; }
  /// Writes what was found since into the texts. False when there is nothing to write, or no use in it.
  bool rewrite();
  /// Changed files, by their absolute paths.
  const std::map<std::string, std::string> &texts() const { return Texts; }

private:
  enum class Mode { Looks, Hides, Stopped } Now = Mode::Looks;
  std::map<std::string, std::string> Texts, Seen;              // the second: as they were read
  std::set<std::tuple<std::string, unsigned, unsigned>> Found; // files with the first byte and the one behind the last
};

/// Finds such arguments in the calls that nothing fits, when a source has been read that has errors.
std::unique_ptr<clang::ASTConsumer> findShortArguments(ShortFloats &Conversions);

} // namespace pocm::frontend
