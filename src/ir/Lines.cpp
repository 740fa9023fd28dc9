//===- Lines.cpp - Source lines, those that outlive debug information too -------------===//
#include "ir/Lines.h"
#include "llvm/Support/Path.h"
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

std::string lineText(const Instruction &I) {
  const DILocation *Line = userLine(I);
  unsigned Number = Line && Line->getLine() ? Line->getLine() : lineOf(I);
  if (!Number)
    return "";
  std::string Text = ", line " + std::to_string(Number);
  if (Line && sys::path::filename(Line->getFilename()) != sys::path::filename(I.getModule()->getSourceFileName()))
    Text += " of '" + Line->getFilename().str() + "'";
  return Text;
}

} // namespace pocm
