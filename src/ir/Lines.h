//===- Lines.h - Source lines, those that outlive debug information too ---------------===//
//
// Operations that may be named in a message at run time, barriers, carry the user's line
// as metadata, because programs are stripped of debug information.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

namespace pocm {

constexpr const char *LineMetadata = "pocm.line";
/// A module flag: the program was compiled with -O0 -g, and debuggers are to find its variables.
constexpr const char *KeepVariablesFlag = "pocm.keep-variables";

inline unsigned lineOf(const llvm::Instruction &I) {
  if (const llvm::MDNode *Node = I.getMetadata(LineMetadata))
    if (auto *Line = llvm::mdconst::dyn_extract<llvm::ConstantInt>(Node->getOperand(0)))
      return unsigned(Line->getZExtValue());
  return 0;
}

inline void setLine(llvm::Instruction &I, unsigned Line) {
  llvm::Constant *Number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(I.getContext()), Line);
  I.setMetadata(LineMetadata, llvm::MDNode::get(I.getContext(), llvm::ConstantAsMetadata::get(Number)));
}

/// Where the headers that are part of the compiler appear.
constexpr const char *EmbeddedHeaderFolder = "/pocm/include";

/// The folder of the language's headers: where the embedded ones appear, or CM_INCLUDE_DIR.
std::string headerFolder();

/// The line that the user wrote: of the inlined calls that led here the innermost outside the headers. Null when
/// unknown.
const llvm::DILocation *userLine(const llvm::Instruction &I);

/// That line for a message that names a kernel, ", line 7", with its file when that is not the program's own;
/// empty when unknown.
std::string lineText(const llvm::Instruction &I);

} // namespace pocm
