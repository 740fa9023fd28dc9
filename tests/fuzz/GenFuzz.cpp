// Random CM IR becomes Gen code: regions of all shapes, element types of all sizes, vectors of odd lengths, predicates,
// branches and loops. Nothing may be refused by the second reader of vISA text or by the finalizer, nothing may crash,
// and what the passes leave has to compute on the cpu device what the module computed before them.
//
//     gen-fuzz --modules 10000 --jobs 2 [--first SEED] [--run-every 10] [--no-finalizer] [--execute] [--print SEED]
//         prints "10000 modules, N run, 0 problems"
//
// With --execute the finished code of those that run is executed on the simulated GPU as well, which has to give the
// same bytes.
#include "Jobs.h"
#include "RandomKernel.h"
#include "codegen/gen/GenTarget.h"
#include "pocm/pocm.h"
#include "program/Container.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstring>
#include <map>

using namespace llvm;
using namespace pocm;
using namespace pocm::fuzz;

namespace {

std::vector<std::uint8_t> programOf(Module &M) {
  program::Container Container;
  Container.kernels = {{"k",
                        {{ParameterKind::Surface, "SurfaceIndex", 1, 4},
                         {ParameterKind::Surface, "SurfaceIndex", 1, 4},
                         {ParameterKind::General, "int", 1, 4},
                         {ParameterKind::General, "float", 32, 128},
                         {ParameterKind::General, "int", 16, 64},
                         {ParameterKind::General, "svmptr_t", 1, 8}}}};
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  Container.ir.assign(Bitcode.begin(), Bitcode.end());
  return program::write(Container);
}

std::vector<char> resultOf(const std::vector<std::uint8_t> &File, const std::string &Name = "cpu") {
  static std::map<std::string, Device> Devices;
  Device &Cpu = Devices.try_emplace(Name, Device::open(Name, {1, Name == "cpu" ? "native" : ""})).first->second;
  Kernel K = Cpu.createKernel(Program::load(File), "k");
  std::vector<std::uint32_t> Words(256);
  for (size_t I = 0; I < Words.size(); ++I)
    Words[I] = std::uint32_t(I * 2654435761u);
  Buffer In = Cpu.createBuffer(4 * Words.size()), Out = Cpu.createBuffer(OutputBytes);
  In.write(Words.data(), 4 * Words.size());
  std::vector<char> Bytes(OutputBytes, 0);
  Out.write(Bytes.data(), Bytes.size());
  std::int32_t N = 7, Ints[16];
  float Floats[32];
  for (int I = 0; I < 32; ++I)
    Floats[I] = float(I) * 1.25f - 9;
  for (int I = 0; I < 16; ++I)
    Ints[I] = I * 77773 - 400000;
  K.setArgument(0, In);
  K.setArgument(1, Out);
  K.setArgument(2, &N, 4);
  K.setArgument(3, Floats, sizeof(Floats));
  K.setArgument(4, Ints, sizeof(Ints));
  alignas(64) static std::uint32_t Memory[MemoryBytes / 4];
  std::fill(std::begin(Memory), std::end(Memory), 0);
  std::copy(Words.begin(), Words.begin() + ReadBytes / 4, Memory);
  auto Address = reinterpret_cast<std::uint64_t>(Memory);
  K.setArgument(5, &Address, 8);
  Cpu.enqueue(K, {1, 1}).wait();
  Out.read(Bytes.data(), Bytes.size());
  Bytes.insert(Bytes.end(), reinterpret_cast<char *>(Memory), reinterpret_cast<char *>(Memory) + MemoryBytes);
  return Bytes;
}

struct Options {
  unsigned Modules = 1000, First = 0, Jobs = 1, RunEvery = 10;
  bool Finalize = true, Execute = false;
};

bool isNotANumber(const char *Float) {
  float Value;
  std::memcpy(&Value, Float, sizeof(Value));
  return Value != Value;
}

/// Where two results differ; -1 nowhere. Which NaN a float is does not matter.
int differenceOf(const std::vector<char> &A, const std::vector<char> &B) {
  for (size_t K = 0; K + 4 <= A.size(); K += 4)
    if (std::memcmp(&A[K], &B[K], 4) != 0 && !(isNotANumber(&A[K]) && isNotANumber(&B[K])))
      return int(K);
  return -1;
}

const char *targetOf(unsigned Seed) {
  static const char *const Targets[] = {"skl", "icllp", "tgllp", "dg2", "pvc", "pvcxt"};
  return Targets[Seed % std::size(Targets)];
}

std::unique_ptr<Module> moduleOf(LLVMContext &Context, unsigned Seed) {
  const gen::GenTarget &Target = gen::genTargetNamed(targetOf(Seed));
  return Generator(Context, Seed, {Target.has(gen::HasLsc), Target.has(gen::HasLsc2d), Seed / 6 % 8 == 7}).module();
}

/// What is wrong with one module; empty when nothing is.
std::string problemOf(unsigned Seed, const Options &O, bool &Run) {
  const char *Target = targetOf(Seed);
  LLVMContext Context;
  std::unique_ptr<Module> M = moduleOf(Context, Seed);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(*M, &Stream))
    return "the generator made broken IR: " + Broken;
  std::vector<std::uint8_t> File = programOf(*M);
  try {
    GenOptions Wanted;
    Run = Seed / 6 % O.RunEvery == 0; // of every target
    Wanted.check = true;
    Wanted.verifyEachPass = Run;
    Wanted.finalize = O.Finalize;
    if (O.Execute && std::string_view(Target) == "pvcxt")
      Wanted.finalizer = {"-nocompaction"}; // short instructions of PVC cannot be read yet
    std::vector<GenKernel> Code = genCode(File, Target, Wanted);
    if (!Run)
      return "";
    std::vector<char> Right = resultOf(File);
    if (O.Execute) {
      std::vector<char> Executed = resultOf(addGenCode(File, Target, Code), std::string("gensim:") + Target);
      if (int At = differenceOf(Right, Executed); At >= 0) {
        std::uint32_t Words[2];
        std::memcpy(&Words[0], &Executed[size_t(At)], 4);
        std::memcpy(&Words[1], &Right[size_t(At)], 4);
        return std::string("another result of the finished code for ") + Target + ", at byte " + std::to_string(At) +
               ": 0x" + utohexstr(Words[0]) + ", not 0x" + utohexstr(Words[1]);
      }
    }
    if (Right == resultOf(afterGenPasses(File, Target, "")))
      return "";
    for (const PassInfo &Pass : genPasses())
      if (resultOf(afterGenPasses(File, Target, Pass.name)) != Right)
        return "another result after the pass " + Pass.name + " for " + Target;
    return std::string("another result after all passes for ") + Target;
  } catch (const std::exception &Problem) {
    return Problem.what();
  }
  return "";
}

/// The vISA text of a module.
std::string visaOf(unsigned Seed) {
  LLVMContext Context;
  GenOptions Wanted;
  Wanted.finalize = false;
  return genCode(programOf(*moduleOf(Context, Seed)), targetOf(Seed), Wanted).front().visa;
}

} // namespace

int main(int Count, char **Arguments) {
  Options O;
  for (int K = 1; K < Count; ++K) {
    std::string_view Name = Arguments[K];
    if (Name == "--execute") {
      O.Execute = true;
      continue;
    }
    if (Name == "--no-finalizer") {
      O.Finalize = false;
      continue;
    }
    unsigned Value = K + 1 < Count ? unsigned(std::strtoul(Arguments[K + 1], nullptr, 10)) : 0;
    unsigned *Setting = Name == "--modules"     ? &O.Modules
                        : Name == "--first"     ? &O.First
                        : Name == "--jobs"      ? &O.Jobs
                        : Name == "--run-every" ? &O.RunEvery
                                                : nullptr;
    if (Name == "--print-visa") {
      std::fputs(visaOf(Value).c_str(), stdout);
      return 0;
    }
    if (Name == "--print") {
      LLVMContext Context;
      moduleOf(Context, Value)->print(outs(), nullptr);
      return 0;
    }
    if (!Setting || K + 1 == Count || (Setting != &O.First && !Value)) {
      std::fprintf(
          stderr,
          "usage: gen-fuzz [--modules N] [--first SEED] [--jobs N] [--run-every N] [--no-finalizer] [--execute] "
          "[--print SEED] [--print-visa SEED]\n");
      return 2;
    }
    *Setting = Value;
    ++K;
  }
  setenv("POCM_CACHE_DIR", "off", 0);
  return runJobs({O.Modules, O.First, O.Jobs}, "module",
                 [&](unsigned Seed, bool &Run) { return problemOf(Seed, O, Run); });
}
