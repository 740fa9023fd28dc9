//===- GenProgram.cpp - Gen code of one kernel of a program ------------------------------===//
#include "devices/gensim/GenProgram.h"
#include "codegen/gen/OneKernel.h"
#include "program/GenBinary.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace pocm::gensim {

GenKernel genKernelOf(const program::Container &Program, const std::string &Name, const std::string &Target) {
  for (const program::TargetCode &Code : Program.code)
    if (Code.target == Target)
      for (GenKernel &Kernel : program::readGenKernels(Code.code))
        if (Kernel.name == Name)
          return std::move(Kernel);
  return gen::codeOfKernel(Program, Name, Target);
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
