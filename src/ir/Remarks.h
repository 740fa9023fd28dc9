//===- Remarks.h - What passes say about lines of the source ---------------------------===//
//
// To people who look for time: "elements are chosen at run time in a loop". A remark is one of
// LLVM's optimization remarks, of the pass "cm"; nothing is made of it while nobody listens.
//
//     remark(*Call, [&] { return "a gather of " + std::to_string(Bytes) + " bytes"; });
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Lines.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

namespace pocm {

constexpr const char *RemarkPass = "cm";

inline bool remarksWanted(const llvm::LLVMContext &Context) {
  const llvm::DiagnosticHandler *Listener = Context.getDiagHandlerPtr();
  return Listener && Listener->isAnalysisRemarkEnabled(RemarkPass);
}

/// Says what `Text` makes, a std::string, of the user's line of an instruction. `Bytes` is the size of the object that
/// it is about, 0 when it is about none.
template <class Maker> void remark(const llvm::Instruction &At, Maker Text, unsigned Bytes = 0) {
  llvm::LLVMContext &Context = At.getContext();
  if (!remarksWanted(Context))
    return;
  llvm::OptimizationRemarkAnalysis Said(RemarkPass, "", llvm::DiagnosticLocation(llvm::DebugLoc(userLine(At))),
                                        At.getParent());
  Said << llvm::StringRef(Text());
  Said << llvm::DiagnosticInfoIROptimization::setExtraArgs()
       << llvm::DiagnosticInfoOptimizationBase::Argument("Bytes", Bytes);
  Context.diagnose(Said);
}

} // namespace pocm
