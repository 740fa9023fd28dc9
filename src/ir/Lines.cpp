//===- Lines.cpp - Source lines, those that outlive debug information too -------------===//
#include "ir/Lines.h"
#include <cstdlib>

using namespace llvm;

namespace pocm {

std::string headerFolder() {
  const char *Folder = secure_getenv("CM_INCLUDE_DIR");
  return Folder && *Folder ? Folder : EmbeddedHeaderFolder;
}

const DILocation *userLine(const Instruction &I) {
  const DILocation *Line = I.getDebugLoc().get();
  while (Line && Line->getInlinedAt() && Line->getFilename().starts_with(headerFolder()))
    Line = Line->getInlinedAt();
  return Line;
}

} // namespace pocm
