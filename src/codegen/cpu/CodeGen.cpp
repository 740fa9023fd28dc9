//===- CodeGen.cpp - CM IR to native code -------------------------------------===//
//
// The list of steps from one kernel of a program to an object file. Everything here works
// for any CPU that LLVM knows; only the width of registers comes from the target.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/CodeGen.h"
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/CpuPipeline.h"
#include "codegen/cpu/InOrder.h"
#include "codegen/cpu/Listing.h"
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/ShownRegisters.h"
#include "ir/Bitcode.h"
#include "ir/KeptVariables.h"
#include "ir/Kernel.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Remarks.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "pocm/passes.h"
#include "program/Container.h"
#include "program/Inside.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>

using namespace llvm;

namespace pocm::cpu {

namespace {

/// An option of LLVM's that has no other way in; an application that has set it, and uses LLVM itself, keeps its own.
void setOption(StringRef Name, StringRef Value) {
  auto &All = cl::getRegisteredOptions();
  if (auto Found = All.find(Name); Found != All.end() && Found->second->getNumOccurrences() == 0)
    Found->second->addOccurrence(0, Name, Value);
}

} // namespace

void initializeLlvm() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    // Vectors whose elements are read in many places have more uses than are looked at by default.
    setOption("capture-tracking-max-uses-to-explore", "1000");
    // Selections become branches where a loop waits for them, which costs more whenever a branch is guessed wrong.
    setOption("x86-cmov-converter", "false");
    // A mask that is found to be none is dropped behind a widening that relies on it: bits of the upper half become
    // part of an address.
    setOption("x86-and-imm-shrink", "false");
  });
}

std::unique_ptr<TargetMachine> machineFor(const Target &T) {
  initializeLlvm();
  std::string Problem;
  Triple TargetTriple(T.triple);
  const llvm::Target *Known = TargetRegistry::lookupTarget(TargetTriple, Problem);
  if (!Known)
    throw Error("cannot generate code for " + T.triple + ": " + Problem);
  TargetOptions Options;
  Options.AllowFPOpFusion = FPOpFusion::Strict; // what is fused, the middle end has fused
  Options.TrapUnreachable = true;               // a fault, not whatever lies behind the code
  Options.NoTrapAfterNoreturn = false;
  return std::unique_ptr<TargetMachine>(Known->createTargetMachine(TargetTriple, T.cpu, T.features, Options,
                                                                   Reloc::PIC_, CodeModel::Small,
                                                                   CodeGenOptLevel::Aggressive, /*JIT=*/true));
}

bool has(const TargetMachine &Machine, const char *Feature) {
  return Machine.getTargetTriple().isX86() && Machine.getMCSubtargetInfo()->checkFeatures(std::string("+") + Feature);
}

namespace {

unsigned vectorBitsOf(const TargetMachine &Machine) {
  auto Has = [&](const char *Feature) { return has(Machine, Feature); };
  // Byte and word lanes matter as much as floats, so AVX-512 counts only with them.
  return Has("avx512bw") && Has("avx512vl") ? 512 : Has("avx2") ? 256 : 128;
}

/// Features that code for `T` may use and this machine lacks.
std::string lacking(const Target &T) {
  auto Wanted = machineFor(T);
  StringMap<bool> Here = sys::getHostCPUFeatures();
  std::string Missing;
  for (const char *Feature :
       {"sse4.2",     "popcnt",     "avx",       "avx2",       "fma",         "f16c",         "lzcnt",
        "bmi",        "bmi2",       "movbe",     "gfni",       "avxvnni",     "avx512f",      "avx512bw",
        "avx512cd",   "avx512dq",   "avx512vl",  "avx512vbmi", "avx512vbmi2", "avx512bitalg", "avx512vpopcntdq",
        "avx512vnni", "avx512bf16", "avx512fp16"})
    if (Wanted->getTargetTriple().isX86() && Wanted->getMCSubtargetInfo()->checkFeatures(std::string("+") + Feature) &&
        !Here.lookup(Feature))
      Missing += (Missing.empty() ? "" : ", ") + std::string(Feature);
  return Missing;
}

/// Where the kernel begins, and what the source's variables became until now: arrays that no pass has dissolved are in
/// memory.
void noteSource(const Module &M, const Function &Entry, Listing &Into) {
  if (const DISubprogram *Source = Entry.getSubprogram()) {
    SmallString<128> Path = Source->getFilename();
    sys::path::make_absolute(Source->getDirectory(), Path); // as assembly names it
    Into.kernel = {Path.str().str(), Source->getLine(), ""};
  }
  std::vector<VariableNote> Notes = variableNotes(M);
  for (const Instruction &I : Entry.getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && !Variable->use_empty())
      if (VariableNote *N = noteOf(Notes, *Variable)) {
        N->Place = Residence::Scratch;
        N->Rule = "elements of it are chosen at run time, or a pointer leads to it";
      }
  for (VariableNote &N : Notes) {
    if (N.Kernel != &Entry)
      continue;
    if (const GlobalVariable *G = N.Symbol.empty() ? nullptr : M.getNamedGlobal(N.Symbol); G && G->isConstant())
      N.Place = Residence::Scratch, N.Rule = "a table of constants";
    N.Kernel = nullptr;
    Into.variables.push_back(std::move(N));
  }
  for (const LoopNote &N : loopNotes(Entry))
    Into.loops.push_back({N.File, N.Line, N.Text});
}

/// Takes out the kernels but one, and what only they call.
void dropOthers(Module &M, const Function &Kept) {
  for (bool Dropped = true; Dropped;) {
    Dropped = false;
    for (Function &F : make_early_inc_range(M))
      if (!F.isDeclaration() && &F != &Kept && F.use_empty()) {
        F.eraseFromParent();
        Dropped = true;
      }
  }
}

/// Reads the program and keeps the one kernel.
std::unique_ptr<Module> loadKernel(LLVMContext &C, std::span<const std::uint8_t> Ir, const std::string &Name,
                                   const Rewrite &Change, Listing *Listener, Function *&Entry) {
  std::unique_ptr<Module> M = readBitcode(Ir, C, Name);
  Entry = nullptr;
  for (const pocm::KernelInfo &Kernel : kernelsOf(*M))
    if (Kernel.Name == Name)
      Entry = Kernel.Entry;
  if (!Entry || Entry->isDeclaration())
    throw Error("the program's CM IR has no kernel '" + Name + "'");
  dropOthers(*M, *Entry);
  for (Function &F : *M)
    if (!F.isDeclaration() && &F != Entry) {
      F.setLinkage(GlobalValue::InternalLinkage);
      F.removeFnAttr(Attribute::AlwaysInline);
      F.addFnAttr(Attribute::NoInline);
      F.addFnAttr(SubroutineAttribute); // all are inlined: the limit of a thread's variables is that of one frame
    }
  M->getNamedMetadata("genx.kernels")->eraseFromParent();
  if (Listener)
    noteSource(*M, *Entry, *Listener);
  if (!Change) {
    keepVariables(*M);
    forgetUnwritten(*M);
    takeLines(*M);
  }
  takeSpecDefaults(*M);
  inlineSubroutines(*M);
  if (Change) {
    Entry = Change(*Entry); // which has taken the lines that it needs
    forgetKept(*M);
    StripDebugInfo(*M);
  }
  return M;
}

/// What LLVM has to say while it makes code: the first error, without which it would print it and end the process, and
/// remarks where somebody listens.
struct Diagnostics : DiagnosticHandler {
  Diagnostics(std::string &Problem, Listing *Listener) : Problem(Problem), Listener(Listener) {}

  bool isAnalysisRemarkEnabled(StringRef Pass) const override { return Listener && Pass == RemarkPass; }
  bool isAnyRemarkEnabled() const override { return Listener; }

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (auto *Remark = dyn_cast<OptimizationRemarkAnalysis>(&Info))
      return note(*Remark), true;
    bool Frame = Info.getKind() == DK_StackSize;
    if (!Problem.empty() || (!Frame && Info.getSeverity() != DS_Error))
      return true;
    if (Frame) {
      auto &Size = static_cast<const DiagnosticInfoStackSize &>(Info);
      Problem = "a thread's variables take " + std::to_string(Size.getStackSize()) + " bytes of memory; at most " +
                std::to_string(MostFrame) + " are allowed";
      return true;
    }
    raw_string_ostream Stream(Problem);
    DiagnosticPrinterRawOStream Printer(Stream);
    Info.print(Printer);
    return true;
  }

private:
  std::string &Problem;
  Listing *Listener;

  void note(const OptimizationRemarkAnalysis &Remark) {
    if (!Listener || Remark.getPassName() != RemarkPass)
      return;
    Listing::Said Now{"", 0, Remark.getMsg()};
    if (Remark.isLocationAvailable())
      Now.file = Remark.getLocation().getRelativePath().str(), Now.line = Remark.getLocation().getLine();
    for (const DiagnosticInfoOptimizationBase::Argument &A : Remark.getArgs())
      if (A.Key == "Bytes")
        StringRef(A.Val).getAsInteger(10, Now.bytes);
    if (none_of(Listener->remarks, [&](const Listing::Said &Old) {
          return std::tie(Old.file, Old.line, Old.text) == std::tie(Now.file, Now.line, Now.text);
        }))
      Listener->remarks.push_back(std::move(Now));
  }
};

void check(const std::string &Problem, const std::string &Kernel) {
  if (!Problem.empty())
    throw Error("kernel '" + Kernel + "': " + Problem);
}

/// The block of arguments that the host fills must be the one that the walker reads.
void checkArguments(const Function &Entry, const std::string &Kernel, std::span<const std::uint32_t> Bytes) {
  bool Same = Entry.arg_size() == Bytes.size();
  for (const Argument &A : Entry.args())
    Same = Same && unsigned(countOf(A.getType()) * elementBytes(A.getType())) == Bytes[A.getArgNo()];
  if (!Same)
    throw Error("the program file and its CM IR disagree about the parameters of kernel '" + Kernel + "'");
}

template <class Use> void generate(std::span<const std::uint8_t> Ir, const std::string &Kernel,
                                   std::span<const std::uint32_t> ArgumentBytes, const Target &T, const Rewrite &Change,
                                   const PassChoice &Passes, Use Then, Listing *Listener = nullptr) {
  auto Machine = machineFor(T);
  LLVMContext C;
  std::string Problem;
  C.setDiagnosticHandler(std::make_unique<Diagnostics>(Problem, Listener));
  Function *Entry;
  std::unique_ptr<Module> M = loadKernel(C, Ir, Kernel, Change, Listener, Entry);
  checkArguments(*Entry, Kernel, ArgumentBytes);
  if (M->getModuleFlag(KeepVariablesFlag)) // instructions stay in the order of the lines
    Machine->setOptLevel(CodeGenOptLevel::None);
  CpuKernel Lowered(*M, *Entry, Kernel, T, *Machine);
  runCpuPasses(Lowered, Passes.last, Passes.disabled, {Passes.verifyEach, Passes.changes});
  if (Passes.last.empty())
    giveLines(*M, Kernel);
  Then(*M, *Machine);
  check(Problem, Kernel);
}

SmallVector<char, 0> emit(Module &M, TargetMachine &Machine, CodeGenFileType Kind) {
  SmallVector<char, 0> Bytes;
  raw_svector_ostream Stream(Bytes);
  const InOrder Kept(M);
  auto Passes = M.debug_compile_units().empty() ? std::make_unique<legacy::PassManager>() : showRegisters();
  if (Machine.addPassesToEmitFile(*Passes, Stream, nullptr, Kind))
    throw Error("LLVM cannot write code for " + Machine.getTargetTriple().str());
  Passes->run(M);
  return Bytes;
}

} // namespace

std::string Target::key() const { return triple + "|" + cpu + "|" + features + "|" + std::to_string(vectorBits); }

pocm::cpu::Target chooseTarget(const std::string &Cpu, bool RunsHere) {
  initializeLlvm();
  Target T;
  T.triple = sys::getProcessTriple();
  if (Cpu.empty() || Cpu == "native") {
    T.cpu = sys::getHostCPUName().str();
    std::vector<std::string> Features;
    for (auto &Feature : sys::getHostCPUFeatures())
      Features.push_back((Feature.second ? "+" : "-") + Feature.first().str());
    sort(Features); // the map's order is not fixed, and the text is part of a cache key
    T.features = join(Features, ",");
  } else {
    T.cpu = Cpu;
    T.vectorBits = 128;
    auto Probe = machineFor(Target{T.triple, "generic", "", 128});
    if (!Probe->getMCSubtargetInfo()->isCPUStringValid(Cpu))
      throw Error("unknown CPU '" + Cpu + "'; give a name that LLVM knows, such as x86-64, haswell or skylake-avx512");
    if (std::string Missing = RunsHere ? lacking(T) : ""; !Missing.empty())
      throw Error("code for '" + Cpu + "' does not run here: this machine lacks " + Missing);
  }
  T.vectorBits = vectorBitsOf(*machineFor(T));
  return T;
}

std::vector<char> generateObject(std::span<const std::uint8_t> Ir, const std::string &Kernel,
                                 std::span<const std::uint32_t> ArgumentBytes, const Target &T, const Rewrite &Change) {
  std::vector<char> Object;
  generate(Ir, Kernel, ArgumentBytes, T, Change, {}, [&](Module &M, TargetMachine &Machine) {
    SmallVector<char, 0> Bytes = emit(M, Machine, CodeGenFileType::ObjectFile);
    Object.assign(Bytes.begin(), Bytes.end());
  });
  return Object;
}

std::string generateText(std::span<const std::uint8_t> Ir, const std::string &Kernel,
                         std::span<const std::uint32_t> ArgumentBytes, const Target &T, bool Assembly,
                         const PassChoice &Passes) {
  std::string Text;
  generate(Ir, Kernel, ArgumentBytes, T, {}, Passes, [&](Module &M, TargetMachine &Machine) {
    if (Assembly && Passes.last.empty()) {
      SmallVector<char, 0> Bytes = emit(M, Machine, CodeGenFileType::AssemblyFile);
      Text.assign(Bytes.begin(), Bytes.end());
    } else {
      raw_string_ostream(Text) << M;
    }
  });
  return Text;
}

Listing generateListing(std::span<const std::uint8_t> Ir, const std::string &Kernel,
                        std::span<const std::uint32_t> ArgumentBytes, const Target &T) {
  Listing Done;
  auto Write = [&](Module &M, TargetMachine &Machine) {
    Machine.Options.MCOptions.AsmVerbose = true;
    SmallVector<char, 0> Bytes = emit(M, Machine, CodeGenFileType::AssemblyFile);
    Done.assembly.assign(Bytes.begin(), Bytes.end());
  };
  generate(Ir, Kernel, ArgumentBytes, T, {}, {}, Write, &Done);
  return Done;
}

} // namespace pocm::cpu

std::string pocm::cpuCode(const Program &Loaded, std::string_view Kernel, const std::string &Cpu, bool Assembly,
                          const PassChoice &Passes) {
  const KernelSignature &Signature = Loaded.kernel(Kernel);
  std::vector<std::uint32_t> ArgumentBytes;
  for (const Parameter &P : Signature.parameters)
    ArgumentBytes.push_back(P.bytes);
  return cpu::generateText(Inside::of(Loaded)->ir, Signature.name, ArgumentBytes, cpu::chooseTarget(Cpu, false),
                           Assembly, Passes);
}

std::vector<pocm::PassInfo> pocm::cpuPasses() {
  std::vector<PassInfo> All;
  for (const PassDescription &P : cpu::cpuPassDescriptions())
    All.push_back({P.Name, P.Description});
  return All;
}

std::string pocm::runCpuPasses(std::string_view IrText, std::string_view InputName, const std::string &Cpu,
                               const std::vector<std::string> &PassNames, std::ostream *Changes) {
  const cpu::Target Target = cpu::chooseTarget(Cpu, false);
  auto Machine = cpu::machineFor(Target);
  LLVMContext Context;
  std::unique_ptr<Module> M = readText(IrText, InputName, Context);
  SmallVector<Function *, 4> Bodies;
  for (Function &F : *M)
    if (!F.isDeclaration())
      Bodies.push_back(&F);
  for (Function *Body : Bodies) {
    cpu::CpuKernel Kernel(*M, *Body, Body->getName().str(), Target, *Machine);
    for (const std::string &Name : PassNames)
      if (!cpu::runCpuPass(Kernel, Name, {true, Changes}))
        if (std::string Problem = runPasses(*M, {Name}, {true, Changes}); !Problem.empty())
          throw Error(Problem);
  }
  if (std::string Problem = brokenBy(*M, PassNames.empty() ? "" : PassNames.back()); !Problem.empty())
    throw Error(Problem);
  std::string Text;
  raw_string_ostream(Text) << *M;
  return Text;
}
