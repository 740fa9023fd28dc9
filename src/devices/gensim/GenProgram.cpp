//===- GenProgram.cpp - Gen code of one kernel of a program ------------------------------===//
#include "devices/gensim/GenProgram.h"
#include "ir/Bitcode.h"
#include "ir/Kernel.h"
#include "program/GenBinary.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace pocm::gensim {

/// The program with one kernel alone, so that others, which the target may lack something for, do not matter.
static std::vector<std::uint8_t> onlyKernel(const program::Container &Program, const std::string &Name) {
  LLVMContext Context;
  std::unique_ptr<Module> M = readBitcode(Program.ir, Context);
  std::vector<KernelInfo> Wanted;
  std::vector<Function *> Others;
  for (const KernelInfo &Kernel : kernelsOf(*M))
    if (Kernel.Name == Name)
      Wanted.push_back(Kernel);
    else
      Others.push_back(Kernel.Entry);
  if (Wanted.empty())
    throw Error("the program's CM IR has no kernel '" + Name + "'");
  setKernels(*M, Wanted);
  for (Function *F : Others)
    if (F->use_empty())
      F->eraseFromParent();
  program::Container One;
  for (const KernelSignature &K : Program.kernels)
    if (K.name == Name)
      One.kernels.push_back(K);
  One.ir = writeBitcode(*M);
  One.data = Program.data;
  return program::write(One);
}

GenKernel genKernelOf(const program::Container &Program, const std::string &Name, const std::string &Target) {
  for (const program::TargetCode &Code : Program.code)
    if (Code.target == Target)
      for (GenKernel &Kernel : program::readGenKernels(Code.code))
        if (Kernel.name == Name)
          return std::move(Kernel);
  GenOptions Options;
  if (Target == "pvcxt")
    Options.finalizer = {"-nocompaction"}; // the decoder does not know its short instructions
  std::vector<GenKernel> Kernels = genCode(onlyKernel(Program, Name), Target, Options);
  if (Kernels.size() != 1)
    throw Error("kernel '" + Name + "' has no Gen code for " + Target);
  return std::move(Kernels.front());
}

/// The finalizer's listing has a line for each instruction, with the number of the vISA line behind a "$".
timing::SourceLines sourceLinesOf(const GenKernel &Kernel) {
  timing::SourceLines All;
  All.files = Kernel.files;
  SmallVector<StringRef, 0> Lines;
  StringRef(Kernel.assembly).split(Lines, '\n');
  for (StringRef Text : Lines) {
    Text = Text.trim();
    if (Text.empty() || Text.starts_with("//") || Text.ends_with(":"))
      continue;
    unsigned Number = 0;
    bool Known =
        !Text.rsplit('$').second.trim().getAsInteger(10, Number) && Kernel.visaStart + Number < Kernel.lines.size();
    const GenLine From = Known ? Kernel.lines[Kernel.visaStart + Number] : GenLine();
    All.ofInstructions.push_back({From.file, From.file < All.files.size() ? From.line : 0});
  }
  if (All.ofInstructions.size() != Kernel.instructions)
    All.ofInstructions.clear();
  return All;
}

} // namespace pocm::gensim
