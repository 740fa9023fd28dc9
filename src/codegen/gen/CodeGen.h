//===- CodeGen.h - CM IR to Gen code ---------------------------------------------------------===//
#pragma once

#include "codegen/gen/Emitter.h"
#include "codegen/gen/Finalizer.h"
#include "passes/Passes.h"
#include "llvm/IR/Module.h"

namespace pocm::gen {

struct CompiledKernel {
  llvm::Function *Entry = nullptr;
  std::string Name;
  VisaKernel Visa;
  Finalized Code;
};

struct CompileRequest {
  bool Finalize = true;              ///< false: vISA text only.
  std::vector<std::string> Disabled; ///< Passes of GenPasses.def to leave out.
  std::vector<std::string> FinalizerOptions;
  Runtime For = Runtime::Cm;
  bool Check = false; ///< Read the vISA text back before it is finalized.
  PassWatch Watch;
};

/// Code of every kernel of a module that the middle end has run on, or the first problem. Changes the module.
std::vector<CompiledKernel> compileKernels(llvm::Module &M, const GenTarget &Target, const CompileRequest &Request,
                                           std::string &Problem);

} // namespace pocm::gen
