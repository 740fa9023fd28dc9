//===- GenPipeline.cpp - Runs the passes of GenPasses.def -------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::gen {

/// Constants seen as elements of another size, which what follows takes apart, as the elements that they are.
static bool foldConstants(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      for (Use &U : I.operands())
        if (auto *C = dyn_cast<ConstantExpr>(U.get()))
          if (Constant *New = ConstantFoldConstant(C, M.getDataLayout()); New != C) {
            U.set(New);
            Changed = true;
          }
  return Changed;
}

bool simplifyRegions(Module &M, const GenTarget &) {
  bool Changed = foldConstants(M);
  Changed |= foldRegionsOfConstants(M);
  Changed |= pickElements(M); // gathers whose offsets became constants
  return collapseRegionsInPlace(M) || Changed;
}

bool expandIntrinsics(Module &M, const GenTarget &) { return pocm::expandIntrinsics(M); }

bool expandFloatFunctions(Module &M, const GenTarget &) { return pocm::expandFloatFunctions(M); }

bool removeDeadElements(Module &M, const GenTarget &) { return pocm::removeDeadElements(M); }

bool widenBfloats(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= widenBfloat(F);
  return Changed;
}

namespace {

struct GenPassRow {
  const char *Name, *Description;
  bool (*Run)(Module &, const GenTarget &); // ours, or null
  const char *LlvmPipeline;                 // LLVM's, or null; neither for a step of emission
};

const GenPassRow Rows[] = {
#define GEN_PASS(name, function, description) {name, description, function, nullptr},
#define LLVM_PASS(name, pipeline, description) {name, description, nullptr, pipeline},
#define EMISSION(name, description) {name, description, nullptr, nullptr},
#include "codegen/gen/GenPasses.def"
};

const GenPassRow *find(StringRef Name) {
  for (const GenPassRow &Row : Rows)
    if (Name == Row.Name)
      return &Row;
  return nullptr;
}

std::string run(Module &M, const GenTarget &Target, const GenPassRow &Row, const PassWatch &Watch) {
  return runWatched(M, Row.Name, Watch, [&] {
    return Row.Run ? Row.Run(M, Target) : Row.LlvmPipeline && runLlvmPasses(M, Row.LlvmPipeline);
  });
}

} // namespace

std::vector<PassDescription> genPassDescriptions() {
  std::vector<PassDescription> All;
  for (const GenPassRow &Row : Rows)
    All.push_back({Row.Name, Row.Description});
  return All;
}

std::string runGenPass(Module &M, const GenTarget &Target, const std::string &Name, const PassWatch &Watch) {
  const GenPassRow *Row = find(Name);
  return Row ? run(M, Target, *Row, Watch) : runPasses(M, {Name}, Watch);
}

std::string runGenPasses(Module &M, const GenTarget &Target, StringRef Last, const std::vector<std::string> &Disabled,
                         const PassWatch &Watch) {
  if (!Last.empty() && !find(Last))
    return "unknown pass '" + Last.str() + "'";
  for (const GenPassRow &Row : Rows) {
    if (!is_contained(Disabled, Row.Name))
      if (std::string Problem = run(M, Target, Row, Watch); !Problem.empty())
        return Problem;
    if (Last == Row.Name)
      break;
  }
  return brokenBy(M, Last.empty() ? "gen-finish" : Last);
}

} // namespace pocm::gen
