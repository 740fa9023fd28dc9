//===- ShortFloats.h - Conversions between half and bfloat16 ---------------------------===//
#pragma once

#include "clang/Basic/Diagnostic.h"
#include <map>
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
  /// From now on they are errors: there are others, or no end of them.
  void stop() { Stopped = true; }
  /// Writes what was found since into the texts. False when there is nothing to write, or no use in it.
  bool rewrite();
  /// Changed files, by their absolute paths.
  const std::map<std::string, std::string> &texts() const { return Texts; }

private:
  bool Stopped = false;
  std::map<std::string, std::string> Texts, Seen;              // the second: as they were read
  std::set<std::tuple<std::string, unsigned, unsigned>> Found; // files with the first byte and the one behind the last
};

} // namespace pocm::frontend
