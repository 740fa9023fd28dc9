//===- CodeGen.cpp - CM IR to Gen code -------------------------------------------------------===//
#include "codegen/gen/CodeGen.h"
#include "codegen/gen/Complaints.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Bitcode.h"
#include "ir/SourceNotes.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "pocm/gen.h"
#include "pocm/passes.h"
#include "program/Container.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {
namespace gen {

std::vector<CompiledKernel> compileKernels(Module &M, const GenTarget &Target, const CompileRequest &Request,
                                           std::string &Problem) {
  std::vector<CompiledKernel> All;
  std::string Refused; // a line for each kernel
  auto refuse = [&](const std::string &Line) {
    if (!StringRef(Refused).contains(Line)) // that there is no finalizer, for one, is said once
      Refused += (Refused.empty() ? "" : "\n") + Line;
  };
  takeSpecDefaults(M);
  Problem = runGenPasses(M, Target, {}, Request.Disabled, Request.Watch);
  if (!Problem.empty())
    return All;
  auto Does = [&](StringRef Step) { return !is_contained(Request.Disabled, Step); };
  const EmissionOptions Emission{Request.For, Does("gen-coalescing"), Does("gen-goto"), Does("gen-addresses")};
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    CompiledKernel Compiled{Kernel.Entry, Kernel.Name, emitVisa(Kernel, Target, Emission), {}};
    if (!Compiled.Visa.Problem.empty()) {
      refuse("kernel '" + Kernel.Name + "' cannot be compiled for " + Target.Platform + ": " + Compiled.Visa.Problem +
             " is not supported there" +
             (Request.Disabled.empty() ? "" : " (without the passes " + join(Request.Disabled, ", ") + ")"));
      continue;
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
      if (!Compiled.Code.Problem.empty())
        refuse(explain(Compiled.Code.Problem, Kernel.Name, Compiled.Visa, Target));
    }
    All.push_back(std::move(Compiled));
  }
  Problem = Refused;
  return All;
}

} // namespace gen

bool isGenTarget(const std::string &Name) { return gen::findGenTarget(Name); }

/// Where the source's variables ended up, of those of one kernel.
static std::vector<GenVariable> variablesOf(const Module &M, const gen::CompiledKernel &Kernel) {
  static constexpr const char *Names[] = {"registers", "registers, indexed", "scratch memory", "shared local memory",
                                          "arguments"};
  std::vector<GenVariable> All;
  for (const VariableNote &N : variableNotes(M)) {
    if (N.Kernel != Kernel.Entry)
      continue;
    GenVariable &V = All.emplace_back();
    V.name = N.Name, V.type = N.Type, V.file = N.File, V.line = N.Line, V.bytes = N.Bytes, V.rule = N.Rule;
    Residence Place = N.Place;
    for (unsigned Line : N.IndexedLines) {
      bool AtRunTime = Place == Residence::Scratch || Kernel.Visa.IndexedLines.contains({N.File, Line});
      (AtRunTime ? V.indexedLines : V.directLines).push_back(Line);
    }
    if (Place == Residence::Registers && !V.indexedLines.empty())
      Place = Residence::Indexed;
    if (Place == Residence::Indexed && V.indexedLines.empty()) // made direct by a pass behind the one that noted it
      Place = Residence::Registers;
    V.place = Names[unsigned(Place)];
  }
  return All;
}

/// The lines of vISA text with what they come from.
static void takeLines(GenKernel &Done, const gen::VisaKernel &Visa) {
  Done.visaStart = Visa.FirstLine;
  Done.lines.resize(Visa.FirstLine);
  StringMap<std::uint32_t> Files;
  for (const gen::VisaLine &Line : Visa.Lines) {
    auto [File, New] = Files.try_emplace(Line.Source.File, std::uint32_t(Done.files.size()));
    if (New)
      Done.files.push_back(Line.Source.File);
    Done.lines.push_back({File->second, Line.Source.Line, Line.LiveBytes});
  }
  for (const gen::Remark &R : Visa.Remarks)
    Done.remarks.push_back({R.Where.File, R.Where.Line, R.Text});
}

/// Where the assembly moves registers to scratch memory and back: it says so in comments, with the number of the vISA
/// line.
static std::vector<GenRemark> spillsOf(const GenKernel &Kernel) {
  struct Count {
    const GenLine *Line;
    unsigned Spills = 0, Fills = 0;
  };
  std::map<std::pair<unsigned, unsigned>, Count> Places;
  SmallVector<StringRef, 0> Lines;
  StringRef(Kernel.assembly).split(Lines, '\n');
  for (StringRef Text : Lines) {
    bool Fill = Text.contains("scratch space fill");
    unsigned Number = 0;
    if ((!Fill && !Text.contains("scratch space spill")) || Text.rsplit('$').second.trim().getAsInteger(10, Number) ||
        Kernel.visaStart + Number >= Kernel.lines.size())
      continue;
    const GenLine &Line = Kernel.lines[Kernel.visaStart + Number];
    Count &C = Places.try_emplace({Line.file, Line.line}, Count{&Line}).first->second;
    ++(Fill ? C.Fills : C.Spills);
  }
  std::vector<Count> Sorted;
  for (auto &[Where, C] : Places)
    Sorted.push_back(C);
  llvm::sort(Sorted, [](const Count &A, const Count &B) {
    return std::pair(B.Spills + B.Fills, A.Line->line) < std::pair(A.Spills + A.Fills, B.Line->line);
  });
  std::vector<GenRemark> All;
  for (const Count &C : Sorted)
    All.push_back({Kernel.files[C.Line->file], C.Line->line,
                   std::to_string(C.Spills) + " to scratch memory, " + std::to_string(C.Fills) + " back"});
  return All;
}

std::vector<GenKernel> genCode(const std::vector<std::uint8_t> &File, const std::string &TargetName,
                               const GenOptions &Options) {
  const gen::GenTarget &Target = gen::genTargetNamed(TargetName);
  program::Container Container = program::read(File);
  LLVMContext Context;
  std::unique_ptr<Module> M = readBitcode(Container.ir, Context);
  forgetUnwritten(*M);
  std::vector<GenKernel> All;
  std::string Problem;
  gen::CompileRequest Request{Options.finalize,  Options.disabledPasses,
                              Options.finalizer, Options.levelZero ? gen::Runtime::LevelZero : gen::Runtime::Cm,
                              Options.check,     {Options.verifyEachPass, Options.changes}};
  const bool Large = Options.registers == 256 && Target.has(gen::HasLargeGrf);
  if (Large)
    Request.FinalizerOptions.push_back("-TotalGRFNum 256");
  for (gen::CompiledKernel &Kernel : gen::compileKernels(*M, Target, Request, Problem)) {
    GenKernel &Done = All.emplace_back();
    Done.name = Kernel.Name;
    Done.inputs = std::move(Kernel.Visa.Inputs);
    Done.slmBytes = Kernel.Visa.SlmBytes;
    Done.frameBytes = Kernel.Visa.FrameBytes;
    Done.hasBarrier = Kernel.Visa.HasBarrier;
    Done.instructions = Kernel.Code.Instructions;
    Done.registers = Kernel.Code.Registers;
    Done.registersThere = Large ? 256 : 128;
    Done.registerBytes = Target.GrfBytes;
    Done.spillBytes = Kernel.Code.SpillBytes;
    Done.optimized = Kernel.Code.Optimized;
    Done.variables = variablesOf(*M, Kernel);
    for (const LoopNote &N : loopNotes(*Kernel.Entry))
      Done.loops.push_back({N.File, N.Line, N.Text});
    takeLines(Done, Kernel.Visa);
    Done.code = std::move(Kernel.Code.Code);
    Done.visa = std::move(Kernel.Visa.Text);
    Done.assembly = std::move(Kernel.Code.Assembly);
    Done.spills = spillsOf(Done);
    if (Problem.empty() && Done.frameBytes + Done.spillBytes > Options.spillLimit)
      Problem = (Done.spills.empty() ? "" : Done.spills[0].file + ":" + std::to_string(Done.spills[0].line) + ": ") +
                "kernel '" + Done.name + "' takes " + std::to_string(Done.frameBytes + Done.spillBytes) +
                " bytes of scratch memory on " + Target.Platform + ", " + std::to_string(Done.spillBytes) +
                " of them for registers; the limit is " + std::to_string(Options.spillLimit);
  }
  if (!Problem.empty())
    throw Error(Problem);
  return All;
}

std::vector<std::uint8_t> afterGenPasses(const std::vector<std::uint8_t> &File, const std::string &TargetName,
                                         const std::string &Last, const std::vector<std::string> &Disabled,
                                         std::ostream *Changes) {
  const gen::GenTarget &Target = gen::genTargetNamed(TargetName);
  program::Container Container = program::read(File);
  LLVMContext Context;
  std::unique_ptr<Module> M = readBitcode(Container.ir, Context);
  forgetUnwritten(*M);
  if (std::string Problem = gen::runGenPasses(*M, Target, Last, Disabled, {false, Changes}); !Problem.empty())
    throw Error(Problem);
  Container.ir = writeBitcode(*M);
  return program::write(Container);
}

std::vector<PassInfo> genPasses() {
  std::vector<PassInfo> All;
  for (const PassDescription &P : gen::genPassDescriptions())
    All.push_back({P.Name, P.Description});
  return All;
}

std::string runGenPasses(std::string_view IrText, std::string_view InputName, const std::string &TargetName,
                         const std::vector<std::string> &PassNames, std::ostream *Changes) {
  const gen::GenTarget &Target = gen::genTargetNamed(TargetName);
  LLVMContext Context;
  std::unique_ptr<Module> M = readText(IrText, InputName, Context);
  for (const std::string &Name : PassNames)
    if (std::string Problem = gen::runGenPass(*M, Target, Name, {true, Changes}); !Problem.empty())
      throw Error(Problem);
  std::string Text;
  raw_string_ostream(Text) << *M;
  return Text;
}

} // namespace pocm
