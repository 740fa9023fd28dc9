//===- Pipeline.cpp - Runs the passes of Passes.def --------------------------===//
#include "ir/Operands.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_os_ostream.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace pocm {
namespace {

struct PassRow {
  const char *Name, *Description;
  bool (*Run)(Module &);    // ours, or null
  const char *LlvmPipeline; // LLVM's, or null
};

const PassRow Rows[] = {
#define PASS(name, function, description) {name, description, function, nullptr},
#define LLVM_PASS(name, pipeline, description) {name, description, nullptr, pipeline},
#include "passes/Passes.def"
};

const PassRow *find(StringRef Name) {
  for (const PassRow &Row : Rows)
    if (Name == Row.Name)
      return &Row;
  return nullptr;
}

/// LLVM's pass managers, set up once per stretch of passes.
struct Managers {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder;

  explicit Managers(TargetMachine *Target) : Builder(Target) {
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }
};

/// What keeps instcombine from what it gets wrong, in front of it wherever it stands in a pipeline.
struct KeepHalfOverflow : PassInfoMixin<KeepHalfOverflow> {
  static constexpr const char *Name = "keep-half-overflow";

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    return keepHalfOverflow(F) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  static bool parse(StringRef Pass, FunctionPassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
    if (Pass == Name)
      Passes.addPass(KeepHalfOverflow());
    return Pass == Name;
  }

  static std::string before(StringRef Pipeline) {
    constexpr StringRef Combine = "instcombine";
    std::string Text;
    for (size_t At; (At = Pipeline.find(Combine)) != StringRef::npos; Pipeline = Pipeline.substr(At + Combine.size())) {
      StringRef Front = Pipeline.take_front(At);
      Text += Front;
      if (!Front.ends_with("-")) // aggressive-instcombine is another one
        Text += std::string(Name) + ",";
      Text += Combine;
    }
    return Text + Pipeline.str();
  }
};

Expected<bool> runPipelineText(Module &M, StringRef Pipeline, TargetMachine *Target) {
  Managers All(Target);
  All.Builder.registerPipelineParsingCallback(KeepHalfOverflow::parse);
  ModulePassManager Passes;
  if (Error Problem = All.Builder.parsePassPipeline(Passes, KeepHalfOverflow::before(Pipeline)))
    return std::move(Problem);
  return !Passes.run(M, All.Modules).areAllPreserved();
}

/// Programs for the check device keep the branches of their source, so that what they compute has its line and
/// condition.
std::string keepingBranches(StringRef Pipeline) {
  constexpr StringRef Simplify = "simplifycfg";
  std::string Text;
  for (size_t At; (At = Pipeline.find(Simplify)) != StringRef::npos; Pipeline = Pipeline.substr(At + Simplify.size()))
    Text += (Pipeline.take_front(At) + Simplify + "<no-speculate-blocks>").str();
  return Text + Pipeline.str();
}

std::string run(Module &M, const PassRow &Row, const PassWatch &Watch) {
  return runWatched(M, Row.Name, Watch, [&] {
    if (Row.Run)
      return Row.Run(M);
    return runLlvmPasses(M, Row.LlvmPipeline);
  });
}

} // namespace

/// What is wrong with a module, or with its calls of operations; empty when nothing is.
static std::string wrongWith(Module &M) {
  std::string Problem;
  raw_string_ostream Stream(Problem);
  if (verifyModule(M, &Stream))
    return Problem;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (operationOf(&I) != Op::None)
        if (Problem = wrongOperands(cast<CallInst>(I)); !Problem.empty())
          return Problem;
  return "";
}

std::string brokenBy(Module &M, StringRef Pass) {
  std::string Problem = wrongWith(M);
  if (Problem.empty())
    return "";
  return ("bug in cmc: pass '" + Pass + "' left broken IR: " + Problem).str();
}

std::vector<PassDescription> middleEndPasses() {
  std::vector<PassDescription> All;
  for (const PassRow &Row : Rows)
    All.push_back({Row.Name, Row.Description});
  return All;
}

std::string runWatched(Module &M, StringRef Pass, const PassWatch &Watch, function_ref<bool()> Run) {
  constexpr bool Details = true;
  const stable_hash Before = Watch.VerifyEach ? StructuralHash(M, Details) : 0;
  const bool Changed = Run();
  if (Watch.Changes && Changed)
    raw_os_ostream(*Watch.Changes) << "; after " << Pass << "\n" << M << "\n";
  else if (Watch.Changes)
    raw_os_ostream(*Watch.Changes) << "; " << Pass << " changed nothing\n";
  if (!Watch.VerifyEach)
    return "";
  if (!Changed && StructuralHash(M, Details) != Before)
    return ("bug in cmc: pass '" + Pass + "' changed something and says that it did not").str();
  return Changed ? brokenBy(M, Pass) : "";
}

bool runLlvmPasses(Module &M, StringRef Pipeline, TargetMachine *Target) {
  const bool Keeps = !Target && M.getModuleFlag(KeepUnwrittenFlag); // code for a machine has its checks already
  Expected<bool> Changed = runPipelineText(M, Keeps ? keepingBranches(Pipeline) : Pipeline.str(), Target);
  if (!Changed)
    report_fatal_error(Changed.takeError());
  return *Changed;
}

std::string unknownPass(const std::vector<std::string> &Names) {
  for (const std::string &Name : Names)
    if (!find(Name))
      return "unknown pass '" + Name + "'";
  return "";
}

std::string runMiddleEnd(Module &M, const std::vector<std::string> &Disabled, const PassWatch &Watch) {
  if (std::string Problem = unknownPass(Disabled); !Problem.empty())
    return Problem;
  for (const PassRow &Row : Rows) {
    if (is_contained(Disabled, Row.Name))
      continue;
    if (std::string Problem = run(M, Row, Watch); !Problem.empty())
      return Problem;
  }
  return brokenBy(M, "finish");
}

/// LLVM's passes of that text, which may be no such text.
static std::string runNamed(Module &M, const std::string &Text, const PassWatch &Watch) {
  std::string Unknown;
  std::string Problem = runWatched(M, Text, Watch, [&] {
    Expected<bool> Changed = runPipelineText(M, Text, nullptr);
    if (!Changed)
      Unknown = "'" + Text + "' is neither a pass of PoCM nor of LLVM: " + toString(Changed.takeError());
    return Unknown.empty() && *Changed;
  });
  return Unknown.empty() ? Problem : Unknown;
}

std::string runPasses(Module &M, const std::vector<std::string> &Names, const PassWatch &Watch) {
  for (const std::string &Name : Names) {
    const PassRow *Row = find(Name);
    if (std::string Problem = Row ? run(M, *Row, Watch) : runNamed(M, Name, Watch); !Problem.empty())
      return Problem;
  }
  return "";
}

} // namespace pocm
