// Random CM IR becomes Gen code: regions of all shapes, element types of all sizes, vectors of odd lengths, predicates,
// branches and loops. Nothing may be refused by the second reader of vISA text or by the finalizer, nothing may crash,
// and what the passes leave has to compute on the cpu device what the module computed before them.
//
//     gen-fuzz --modules 10000 --jobs 2 [--first SEED] [--run-every 10] [--no-finalizer] [--execute] [--print SEED]
//         prints "10000 modules, N run, 0 problems"
//
//     gen-fuzz --reduce SEED [--execute]       as much of a module as shows its problem, what that is, and passes whose
//                                              absence cures it
//     gen-fuzz --text FILE [--target NAME] [--execute]     the problem of a module as text (what --reduce prints), its
//                                                          vISA text and its assembly; status 1 when there is one
//
// With --execute the finished code of those that run is executed on the simulated GPU as well, which has to give the
// same bytes.
#include "Jobs.h"
#include "RandomKernel.h"
#include "ReduceKernel.h"
#include "codegen/gen/GenTarget.h"
#include "passes/Passes.h"
#include "pocm/gen.h"
#include "pocm/passes.h"
#include "program/Container.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
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
  std::string Target; ///< Of a module in a file.
  std::vector<std::string> DisabledPasses;
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
std::string problemOf(Module &M, const std::string &Target, const Options &O, bool Run) {
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return "the generator made broken IR: " + Broken;
  std::vector<std::uint8_t> File = programOf(M);
  try {
    GenOptions Wanted;
    Wanted.check = true;
    Wanted.verifyEachPass = Run;
    Wanted.finalize = O.Finalize;
    Wanted.disabledPasses = O.DisabledPasses;
    if (O.Execute && Target == "pvcxt")
      Wanted.finalizer = {"-nocompaction"}; // short instructions of PVC cannot be read yet
    std::vector<GenKernel> Code = genCode(File, Target, Wanted);
    if (!Run)
      return "";
    std::vector<char> Right = resultOf(File);
    if (O.Execute) {
      std::vector<char> Executed = resultOf(addGenCode(File, Target, Code), "gensim:" + Target);
      if (int At = differenceOf(Right, Executed); At >= 0) {
        std::uint32_t Words[2];
        std::memcpy(&Words[0], &Executed[size_t(At)], 4);
        std::memcpy(&Words[1], &Right[size_t(At)], 4);
        return "another result of the finished code for " + Target + ", at byte " + std::to_string(At) + ": 0x" +
               utohexstr(Words[0]) + ", not 0x" + utohexstr(Words[1]);
      }
    }
    if (Right == resultOf(afterGenPasses(File, Target, "", O.DisabledPasses)))
      return "";
    for (const pocm::PassInfo &Pass : genPasses())
      if (resultOf(afterGenPasses(File, Target, Pass.name, O.DisabledPasses)) != Right)
        return "another result after the pass " + Pass.name + " for " + Target;
    return "another result after all passes for " + Target;
  } catch (const std::exception &Problem) {
    return Problem.what();
  }
  return "";
}

/// The same in a process of its own, which may crash.
std::string problemApart(Module &M, const std::string &Target, const Options &O) {
  int Ends[2];
  if (pipe(Ends) != 0)
    return "no pipe";
  pid_t Child = fork();
  if (Child == 0) {
    alarm(60);
    std::string Problem = problemOf(M, Target, O, true);
    ssize_t Written = write(Ends[1], Problem.data(), std::min<size_t>(Problem.size(), 4096));
    _exit(Written < 0);
  }
  close(Ends[1]);
  std::string Problem(4096, ' ');
  size_t Length = 0;
  for (ssize_t Got; (Got = read(Ends[0], &Problem[Length], Problem.size() - Length)) > 0;)
    Length += size_t(Got);
  close(Ends[0]);
  Problem.resize(Length);
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFSIGNALED(Status) ? "crashed (signal " + std::to_string(WTERMSIG(Status)) + ")" : Problem;
}

/// The first line of a problem, without what it quotes and without numbers.
std::string kindOf(StringRef Problem) {
  std::string Kind;
  bool Quoted = false;
  for (char C : Problem.take_until([](char C) { return C == '\n'; })) {
    Quoted ^= C == '\'';
    if (!Quoted && !isDigit(C))
      Kind += C;
  }
  return Kind;
}

void printReduced(unsigned Seed, const Options &O) {
  LLVMContext Context;
  std::string Target = targetOf(Seed);
  std::unique_ptr<Module> M = moduleOf(Context, Seed);
  std::string Problem = problemApart(*M, Target, O);
  if (!Problem.empty())
    M = reduced(*M, [&](Module &Smaller) { return kindOf(problemApart(Smaller, Target, O)) == kindOf(Problem); });
  outs() << *M << "; " << Target << ": " << problemApart(*M, Target, O) << "\n";
  for (const pocm::PassInfo &Pass : genPasses()) {
    Options Fewer = O;
    Fewer.DisabledPasses = {Pass.name};
    if (!Problem.empty() && problemApart(*M, Target, Fewer).empty())
      outs() << "; no problem without the pass " << Pass.name << "\n";
  }
}

/// The problem of a module in a file, behind its vISA text and its assembly.
bool printProblem(const std::string &File, const Options &O) {
  LLVMContext Context;
  auto Text = MemoryBuffer::getFile(File);
  if (!Text)
    throw pocm::Error("cannot read " + File);
  std::unique_ptr<Module> M = readText((*Text)->getBuffer(), File, Context);
  GenOptions Wanted;
  Wanted.finalize = O.Finalize;
  for (const GenKernel &Kernel : genCode(programOf(*M), O.Target, Wanted))
    outs() << Kernel.visa << Kernel.assembly;
  outs().flush();
  std::string Problem = problemApart(*M, O.Target, O);
  outs() << "// " << (Problem.empty() ? "no problem" : Problem) << "\n";
  return !Problem.empty();
}

/// The vISA text of a module.
std::string visaOf(unsigned Seed) {
  LLVMContext Context;
  GenOptions Wanted;
  Wanted.finalize = false;
  return genCode(programOf(*moduleOf(Context, Seed)), targetOf(Seed), Wanted).front().visa;
}

int usage() {
  std::fputs("usage: gen-fuzz [--modules N] [--first SEED] [--jobs N] [--run-every N] [--no-finalizer] [--execute] "
             "[--print SEED] [--print-visa SEED] [--reduce SEED] [--text FILE --target NAME]\n",
             stderr);
  return 2;
}

} // namespace

int main(int Count, char **Arguments) {
  Options O;
  std::string_view What;
  std::string Of;
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
    if (++K == Count)
      return usage();
    if (Name == "--target") {
      O.Target = Arguments[K];
      continue;
    }
    if (is_contained({"--print", "--print-visa", "--reduce", "--text"}, Name)) {
      What = Name;
      Of = Arguments[K];
      continue;
    }
    auto Value = unsigned(std::strtoul(Arguments[K], nullptr, 10));
    unsigned *Setting = Name == "--modules"     ? &O.Modules
                        : Name == "--first"     ? &O.First
                        : Name == "--jobs"      ? &O.Jobs
                        : Name == "--run-every" ? &O.RunEvery
                                                : nullptr;
    if (!Setting || (Setting != &O.First && !Value))
      return usage();
    *Setting = Value;
  }
  setenv("POCM_CACHE_DIR", "off", 0);
  auto Seed = unsigned(std::strtoul(Of.c_str(), nullptr, 10));
  if (What == "--print-visa") {
    std::fputs(visaOf(Seed).c_str(), stdout);
  } else if (What == "--print") {
    LLVMContext Context;
    outs() << "; target: " << targetOf(Seed) << '\n';
    moduleOf(Context, Seed)->print(outs(), nullptr);
  } else if (What == "--reduce") {
    printReduced(Seed, O);
  } else if (What == "--text") {
    return printProblem(Of, O);
  } else {
    return runJobs({O.Modules, O.First, O.Jobs}, "module", [&](unsigned Number, bool &Run) {
      LLVMContext Context;
      Run = Number / 6 % O.RunEvery == 0; // of every target
      return problemOf(*moduleOf(Context, Number), targetOf(Number), O, Run);
    });
  }
  return 0;
}
