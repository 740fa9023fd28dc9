//===- CpuPipeline.cpp - A kernel on its way to code of a CPU ---------------------------------===//
#include "codegen/cpu/CpuPipeline.h"
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/Advice.h"
#include "codegen/cpu/CpuSurfaces.h"
#include "codegen/llvm/HelperLibrary.h"
#include "codegen/llvm/Lowering.h"
#include "codegen/llvm/Polls.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "pocm/passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Attributes of a function for the target: LLVM may use its whole registers.
void prepare(Function &F, const CpuKernel &K) {
  const Target &T = K.CPU;
  std::string Bits = std::to_string(T.vectorBits);
  F.addFnAttr("target-cpu", T.cpu);
  F.addFnAttr("target-features", T.features);
  F.addFnAttr("prefer-vector-width", Bits);
  F.addFnAttr("min-legal-vector-width", Bits);
  setDenormalMode(F, K.Traits.FloatControl);
  F.addFnAttr(Attribute::NoUnwind);
  F.addFnAttr(Attribute::NullPointerIsValid);                // who goes there has a fault, which is reported
  F.addFnAttr("probe-stack", "inline-asm");                  // a large frame does not jump over the end of the stack
  F.addFnAttr("warn-stack-size", std::to_string(MostFrame)); // an error: see Diagnostics
}

/// Multiply-adds for a CPU that has none: a product and a sum, each rounded. The exact one is a call for each lane.
bool roundTwice(Function &F) {
  return replaceEach<IntrinsicInst>(F, [](IntrinsicInst &Call) -> Value * {
    if (Call.getIntrinsicID() != Intrinsic::fma || Call.getType()->getScalarType()->isHalfTy())
      return nullptr;
    IRBuilder<> B(&Call);
    auto [X, Y, Z] = argumentsOf<3>(Call);
    return B.CreateFAdd(B.CreateFMul(X, Y), Z);
  });
}

/// What would take minutes to make code of: vectors that are changed as a whole again and again, each in hundreds of
/// registers.
std::string tooMuch(const Function &F) {
  constexpr std::uint64_t Most = 16u << 20;
  std::uint64_t Bytes = 0;
  for (const Instruction &I : instructions(F))
    if (auto *V = dyn_cast<FixedVectorType>(I.getType()))
      Bytes += std::uint64_t(V->getNumElements()) * std::uint64_t(elementBytes(V));
  if (Bytes <= Most)
    return "";
  return "its instructions compute " + std::to_string(Bytes >> 20) +
         " MiB of vectors in all; code is made of at most " + std::to_string(Most >> 20) +
         ": use smaller vectors, or arrays";
}

/// An operation that nothing has lowered: what the JIT could not link.
std::string leftOver(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (operationOf(&I) != Op::None && !isa<IntrinsicInst>(I)) // LLVM has some of them itself
        return "operation '" + cast<CallInst>(I).getCalledFunction()->getName().str() +
               "' is not supported on the cpu device";
  return "";
}

struct CpuPassRow {
  const char *Name, *Description;
  bool Needed;
  bool (*Run)(CpuKernel &K);
};

/// Whether a pass changed something, which those that return nothing always may have.
template <class Pass> bool changedBy(Pass Run) {
  if constexpr (std::is_void_v<decltype(Run())>)
    return Run(), true;
  else
    return Run();
}

constexpr CpuPassRow Rows[] = {
#define CPU_PASS(name, code, description)                                                                              \
  {name, description, true, [](CpuKernel &K) { return changedBy([&] { return code; }); }},
#define OPTIONAL_PASS(name, code, description)                                                                         \
  {name, description, false, [](CpuKernel &K) { return changedBy([&] { return code; }); }},
#include "codegen/cpu/CpuPasses.def"
};

const CpuPassRow *find(StringRef Name) {
  for (const CpuPassRow &Row : Rows)
    if (Name == Row.Name)
      return &Row;
  return nullptr;
}

void run(CpuKernel &Kernel, const CpuPassRow &Row, const PassWatch &Watch) {
  Kernel.require(runWatched(Kernel.M, Row.Name, Watch, [&] { return Row.Run(Kernel); }));
}

} // namespace

CpuKernel::CpuKernel(Module &M, Function &Entry, std::string Name, const Target &CPU, TargetMachine &Machine)
    : M(M), Body(&Entry), Name(std::move(Name)), CPU(CPU), Machine(Machine) {
  M.setTargetTriple(Triple(CPU.triple));
  M.setDataLayout(Machine.createDataLayout());
  Traits.FloatControl = floatControlOf(Entry);
}

bool CpuKernel::has(const char *Feature) const { return cpu::has(Machine, Feature); }
bool CpuKernel::isX86() const { return Machine.getTargetTriple().isX86(); }
bool CpuKernel::hasMaskRegisters() const { return isX86() && has("avx512vl") && has("avx512bw") && has("avx512dq"); }
unsigned CpuKernel::registers() const { return has("avx512vl") ? 32 : 16; }
bool CpuKernel::isLinux() const { return Machine.getTargetTriple().isOSLinux(); }

PermuteFeatures CpuKernel::permutes() const { return {CPU.vectorBits, isX86(), has("avx512vbmi")}; }
EstimateFeatures CpuKernel::estimates() const {
  return {has("avx512vl"), has("fma"), isX86() ? CPU.vectorBits : 0, StringRef(CPU.cpu).starts_with("znver")};
}
DpasFeatures CpuKernel::dpas() const {
  constexpr unsigned Otherwise = RoundingMode | FloatDenormals | DoubleDenormals; // than the instruction has it
  return {.Fused = !isX86() || has("fma"),
          .PairBits = isX86() ? CPU.vectorBits : 0,
          .Fours = has("avx512vnni") || has("avxvnni"),
          .Bfloats = has("avx512bf16") && has("avx512vl") && !(Traits.FloatControl & Otherwise),
          .Registers = registers()};
}

bool CpuKernel::clean(StringRef Pipeline, TargetMachine *For) { return runLlvmPasses(M, Pipeline, For); }

bool CpuKernel::cleanAfter(bool Changed, StringRef Pipeline) {
  if (Changed)
    clean(Pipeline);
  return Changed;
}

void CpuKernel::require(const std::string &Problem) const {
  if (!Problem.empty())
    throw Error("kernel '" + Name + "': " + Problem);
}

void CpuKernel::bind() {
  Function *Kernel = Body;
  Traits.ByAddress = reachesByAddress(*Kernel);
  Body = bindThread(*Kernel, Traits);
  Kernel->eraseFromParent();
  prepare(*Body, *this);
}

void CpuKernel::suspend() {
  if (Traits.Waits)
    makeCoroutine(*Body);
  else
    Traits.EndsSoon = endsSoon(*Body);
}

void CpuKernel::walk() {
  prepare(*buildWalker(*Body, Traits, entrySymbol), *this);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    throw Error("bug in PoCM's code generator, kernel '" + Name + "': " + Broken);
}

void CpuKernel::splitCoroutine() {
  if (Traits.Waits) { // what is computed again and again would live across barriers, in the frame
    clean("function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce)");
    keepVectorsAcrossBarriers(*Body);
    clean("coro-early,cgscc(coro-split),coro-cleanup,globaldce");
    nameFrames(*Body);
    if (!M.getModuleFlag(KeepVariablesFlag)) // variables of -O0 are read from memory
      dropFrameCopies(M);
  }
  if (std::uint64_t Bytes = frameBytes(M); Bytes > MostFrame)
    throw Error("kernel '" + Name + "': a thread keeps " + std::to_string(Bytes) +
                " bytes while it waits at barriers; at most " + std::to_string(MostFrame) + " are allowed");
}

bool CpuKernel::linkHelpers() {
  bool WithLines = !M.debug_compile_units().empty();
  std::vector<Function *> Linked = pocm::linkHelpers(M, CpuSurfaces::links);
  for (Function *F : Linked) {
    prepare(*F, *this);
    if (WithLines) // faults are in the line of the message then
      F->addFnAttr(Attribute::AlwaysInline);
  }
  return !Linked.empty();
}

void CpuKernel::flush() {
  for (Function &F : M)
    expandFlushes(F);
}

void runCpuPasses(CpuKernel &Kernel, StringRef Last, const std::vector<std::string> &Disabled, const PassWatch &Watch) {
  for (StringRef Name : Disabled)
    if (const CpuPassRow *Row = find(Name); !Row || Row->Needed)
      throw Error(Row ? "code for CPUs needs the pass '" + Name.str() + "'" : "unknown pass '" + Name.str() + "'");
  if (!Last.empty() && !find(Last))
    throw Error("unknown pass '" + Last.str() + "'");
  for (const CpuPassRow &Row : Rows) {
    if (!is_contained(Disabled, Row.Name))
      run(Kernel, Row, Watch);
    if (Last == Row.Name)
      return;
  }
}

bool runCpuPass(CpuKernel &Kernel, StringRef Name, const PassWatch &Watch) {
  const CpuPassRow *Row = find(Name);
  if (Row)
    run(Kernel, *Row, Watch);
  return Row;
}

std::vector<PassDescription> cpuPassDescriptions() {
  std::vector<PassDescription> All;
  for (const CpuPassRow &Row : Rows)
    All.push_back({Row.Name, Row.Description});
  return All;
}

} // namespace pocm::cpu
