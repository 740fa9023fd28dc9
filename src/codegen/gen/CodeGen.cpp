//===- CodeGen.cpp - CM IR to Gen code -------------------------------------------------------===//
#include "codegen/gen/CodeGen.h"
#include "codegen/gen/GenPasses.h"
#include "passes/Passes.h"
#include "pocm/pocm.h"
#include "program/Container.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {
namespace gen {

/// Blocks after those that lead to them: only loops jump back, which the finalizer's control flow analysis relies on.
static void orderBlocks(Function &F) {
  ReversePostOrderTraversal<Function *> Order(&F);
  BasicBlock *Last = nullptr;
  for (BasicBlock *Block : Order) {
    if (Last)
      Block->moveAfter(Last);
    Last = Block;
  }
}

std::vector<CompiledKernel> compileKernels(Module &M, const GenTarget &Target, const CompileRequest &Request,
                                           std::string &Problem) {
  std::vector<CompiledKernel> All;
  takeSpecDefaults(M);
  Problem = runGenPasses(M, Target, {}, Request.Disabled);
  if (!Problem.empty())
    return All;
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    orderBlocks(*Kernel.Entry);
    CompiledKernel Compiled{Kernel.Name, emitVisa(Kernel, Target, Request.For), {}};
    if (!Compiled.Visa.Problem.empty()) {
      Problem = "kernel '" + Kernel.Name + "' cannot be compiled for " + Target.Platform + ": " +
                Compiled.Visa.Problem + " is not supported there";
      return All;
    }
    if (Request.Check) {
      ReadingResult Read = readVisa(Compiled.Visa.Text, Target, Compiled.Visa.Expected);
      if (!Read.Problems.empty()) {
        Problem = "bug in cmc: vISA text of kernel '" + Kernel.Name + "', " + Read.Problems.front();
        All.push_back(std::move(Compiled));
        return All;
      }
    }
    if (Request.Finalize) {
      Compiled.Code = finalize(Compiled.Visa.Text, Kernel.Name, Target, Request.FinalizerOptions);
      Problem = Compiled.Code.Problem;
    }
    All.push_back(std::move(Compiled));
    if (!Problem.empty())
      return All;
  }
  return All;
}

} // namespace gen

namespace {
std::unique_ptr<Module> moduleOf(const program::Container &Container, LLVMContext &Context) {
  StringRef Bytes(reinterpret_cast<const char *>(Container.ir.data()), Container.ir.size());
  auto M = parseBitcodeFile(MemoryBufferRef(Bytes, "program"), Context);
  if (!M)
    throw Error("the program's CM IR is damaged: " + toString(M.takeError()));
  return std::move(*M);
}
} // namespace

bool isGenTarget(const std::string &Name) { return gen::findGenTarget(Name); }

static const gen::GenTarget &targetNamed(const std::string &Name) {
  if (const gen::GenTarget *Target = gen::findGenTarget(Name))
    return *Target;
  throw Error("no Gen code is made for '" + Name + "'; it is for skl, icllp, tgllp, dg2 and pvc");
}

std::vector<GenKernel> genCode(const std::vector<std::uint8_t> &File, const std::string &TargetName,
                               const GenOptions &Options) {
  const gen::GenTarget &Target = targetNamed(TargetName);
  program::Container Container = program::read(File);
  LLVMContext Context;
  std::unique_ptr<Module> M = moduleOf(Container, Context);
  std::vector<GenKernel> All;
  std::string Problem;
  gen::CompileRequest Request{Options.finalize, Options.disabledPasses, Options.finalizer,
                              Options.levelZero ? gen::Runtime::LevelZero : gen::Runtime::Cm, Options.check};
  if (Options.registers == 256 && Target.has(gen::HasLargeGrf))
    Request.FinalizerOptions.push_back("-TotalGRFNum 256");
  for (gen::CompiledKernel &Kernel : gen::compileKernels(*M, Target, Request, Problem)) {
    GenKernel &Done = All.emplace_back();
    Done.name = Kernel.Name;
    for (const gen::Input &I : Kernel.Visa.Inputs)
      Done.inputs.push_back({I.Kind, I.Offset, I.Size, I.BindingIndex, I.Image});
    Done.slmBytes = Kernel.Visa.SlmBytes;
    Done.frameBytes = Kernel.Visa.FrameBytes;
    Done.hasBarrier = Kernel.Visa.HasBarrier;
    Done.instructions = Kernel.Code.Instructions;
    Done.registers = Kernel.Code.Registers;
    Done.spillBytes = Kernel.Code.SpillBytes;
    Done.optimized = Kernel.Code.Optimized;
    Done.code = std::move(Kernel.Code.Code);
    Done.visa = std::move(Kernel.Visa.Text);
    Done.assembly = std::move(Kernel.Code.Assembly);
  }
  if (!Problem.empty())
    throw Error(Problem);
  return All;
}

std::vector<std::uint8_t> afterGenPasses(const std::vector<std::uint8_t> &File, const std::string &TargetName,
                                         const std::string &Last) {
  const gen::GenTarget &Target = targetNamed(TargetName);
  program::Container Container = program::read(File);
  LLVMContext Context;
  std::unique_ptr<Module> M = moduleOf(Container, Context);
  if (std::string Problem = gen::runGenPasses(*M, Target, Last); !Problem.empty())
    throw Error(Problem);
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(*M, Stream);
  Container.ir.assign(Bitcode.begin(), Bitcode.end());
  return program::write(Container);
}

std::vector<PassInfo> genPasses() {
  std::vector<PassInfo> All;
  for (const PassDescription &P : gen::genPassDescriptions())
    All.push_back({P.Name, P.Description});
  return All;
}

std::string runGenPasses(std::string_view IrText, std::string_view InputName, const std::string &TargetName,
                         const std::vector<std::string> &PassNames) {
  const gen::GenTarget &Target = targetNamed(TargetName);
  LLVMContext Context;
  SMDiagnostic Trouble;
  std::unique_ptr<Module> M = parseIR(MemoryBufferRef(StringRef(IrText), StringRef(InputName)), Trouble, Context);
  std::string Text;
  raw_string_ostream Stream(Text);
  if (!M) {
    Trouble.print("", Stream, /*ShowColors=*/false);
    throw Error(StringRef(Text).trim().str());
  }
  for (const std::string &Name : PassNames)
    if (std::string Problem = gen::runGenPass(*M, Target, Name); !Problem.empty())
      throw Error(Problem);
  Stream << *M;
  return Text;
}

} // namespace pocm
