//===- OneKernel.cpp - Gen code of one kernel of a program ----------------------------------===//
//
// Both ends of a request: "gen", the kernel and the target, with the program file. The answer is
// the kernel as program files hold Gen code, and which lines its instructions come from, which
// they do not hold.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/OneKernel.h"
#include "ir/Bitcode.h"
#include "ir/Kernel.h"
#include "program/Bytes.h"
#include "program/GenBinary.h"
#include "program/OwnProcess.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// The program with one kernel alone, so that others, which the target may lack something for, do not matter.
std::vector<std::uint8_t> onlyKernel(const program::Container &Program, const std::string &Name) {
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

GenKernel codeHere(const program::Container &Program, const std::string &Name, const std::string &Target) {
  std::vector<GenKernel> Kernels = genCode(onlyKernel(Program, Name), Target, GenOptions());
  if (Kernels.size() != 1)
    throw Error("kernel '" + Name + "' has no Gen code for " + Target);
  return std::move(Kernels.front());
}

std::vector<char> packed(const GenKernel &Kernel) {
  program::Writer W;
  const std::vector<std::uint8_t> Code = program::writeGenKernels({Kernel});
  W.number(std::uint32_t(Code.size()));
  W.append(Code);
  W.text(Kernel.assembly);
  W.number(Kernel.visaStart);
  W.number(std::uint32_t(Kernel.files.size()));
  for (const std::string &File : Kernel.files)
    W.text(File);
  W.number(std::uint32_t(Kernel.lines.size()));
  for (const GenLine &Line : Kernel.lines) {
    W.number(Line.file);
    W.number(Line.line);
    W.number(Line.liveBytes);
  }
  return {W.bytes.begin(), W.bytes.end()};
}

GenKernel unpacked(std::span<const std::uint8_t> Bytes) {
  constexpr std::size_t LeastFile = 4, LineBytes = 12;
  program::Reader R(Bytes);
  const std::uint32_t CodeBytes = R.count(1);
  std::vector<GenKernel> Kernels = program::readGenKernels(R.rest.first(CodeBytes));
  if (Kernels.size() != 1)
    throw Error("the answer has no kernel");
  R.rest = R.rest.subspan(CodeBytes);
  GenKernel &Kernel = Kernels.front();
  Kernel.assembly = R.text();
  Kernel.visaStart = R.number<std::uint32_t>();
  Kernel.files.resize(R.count(LeastFile));
  for (std::string &File : Kernel.files)
    File = R.text();
  Kernel.lines.resize(R.count(LineBytes));
  for (GenLine &Line : Kernel.lines) {
    Line.file = R.number<std::uint32_t>();
    Line.line = R.number<std::uint32_t>();
    Line.liveBytes = R.number<std::uint32_t>();
  }
  return std::move(Kernel);
}

} // namespace

GenKernel codeOfKernel(const program::Container &Program, const std::string &Kernel, const std::string &Target) {
  if (program::isOwn(Program.ir))
    return codeHere(Program, Kernel, Target);
  const std::string Purpose = "make Gen code of kernel '" + Kernel + "'";
  if (auto Made = program::inOwnProcess(Purpose, {"gen", Kernel, Target}, program::write(Program)))
    return unpacked({reinterpret_cast<const std::uint8_t *>(Made->data()), Made->size()});
  GenKernel Made;
  program::workHere(Purpose, [&] { Made = codeHere(Program, Kernel, Target); });
  return Made;
}

std::vector<char> makeCodeOfKernel(std::span<const std::string> Words, std::span<const std::uint8_t> File) {
  if (Words.size() != 2)
    throw Error("the request for Gen code lacks the kernel or the target");
  return packed(codeHere(program::read(File), Words[0], Words[1]));
}

} // namespace pocm::gen
