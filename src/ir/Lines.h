//===- Lines.h - Source lines that outlive debug information ------------------------===//
//
// Operations that may be named in a message at run time, barriers, carry the user's line
// as metadata, because programs are stripped of debug information.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

namespace pocm {

constexpr const char *LineMetadata = "pocm.line";

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

} // namespace pocm
