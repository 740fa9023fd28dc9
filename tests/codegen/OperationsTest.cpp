// Each code generator lowers each operation of Intrinsics.def, or refuses it by name. A new row needs a lowering in all
// of them, or a line here.
#include "codegen/cpu/CodeGen.h"
#include "codegen/gen/CodeGen.h"
#include "codegen/gen/GenTarget.h"
#include "codegen/spirv/SpirvWriter.h"
#include "ir/Bitcode.h"
#include "ir/SampleCalls.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "pocm/passes.h"
#include <gtest/gtest.h>
#include <set>

using namespace pocm;
using samples::operations;

namespace {

using Names = std::set<std::string>;

/// What the middle end leaves nothing of: no code generator sees it.
const Names &middleEnds() {
  static const Names all{"RegionFormat", "SpaceOf"};
  return all;
}

/// Operations by whether a code generator refuses them: the problem is empty for what it makes code of.
template <class Generate> Names refused(Generate generate) {
  Names all;
  for (auto [name, operation] : operations()) {
    if (middleEnds().contains(name))
      continue;
    samples::Kernel kernel(name, operation);
    std::string problem = generate(kernel);
    EXPECT_EQ(problem.find("bug in"), std::string::npos) << name << ": " << problem;
    if (!problem.empty())
      all.insert(name);
  }
  return all;
}

std::string onCpu(samples::Kernel &kernel) {
  takeSpecDefaults(*kernel.module);
  try {
    cpu::generateText(writeBitcode(*kernel.module), "k", std::vector<std::uint32_t>{4, 64},
                      cpu::chooseTarget("haswell", false), true, {});
    return "";
  } catch (const Error &problem) {
    return problem.what();
  }
}

std::string onGen(samples::Kernel &kernel, const char *target) {
  std::string problem;
  gen::CompileRequest request;
  if (std::string(kernel.name).starts_with("Frame")) // which that pass makes
    request.Disabled = {"gen-thread-memory"};
  request.Finalize = false;
  request.Check = true;
  forgetUnwritten(*kernel.module);
  gen::compileKernels(*kernel.module, *gen::findGenTarget(target), request, problem);
  return problem;
}

TEST(Operations, haveCodeForCpus) { EXPECT_EQ(refused(onCpu), Names()); }

/// Operations whose names begin like one of these.
Names beginning(std::initializer_list<std::string> prefixes) {
  Names all;
  for (auto [name, operation] : operations())
    for (const std::string &prefix : prefixes)
      if (std::string(name).starts_with(prefix))
        all.insert(name);
  return all;
}

Names operator|(Names a, const Names &b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// What is the cpu device's alone, what no message does, and what has no lowering yet.
const Names NotOnGen = {"Flush", "PairExchange", "AtomicRevsub", "SvmAtomicRevsub"};

TEST(Operations, haveGenCode) {
  // Prefetches are nothing where there is no message for them.
  const Names gen9 = NotOnGen | beginning({"LscLoad", "LscPlain", "LscStore", "LscAtomic", "Dpas", "Named"});
  const std::map<const char *, Names> wanted{
      {"skl", gen9},
      {"icllp", gen9},
      {"tgllp", gen9},
      {"dg2", NotOnGen | beginning({"LscLoad2d", "LscStore2d", "Named"})},
      {"pvc", NotOnGen | beginning({"Dpas"})}}; // the sample has 8 lanes, PVC's have 16
  for (const auto &[target, names] : wanted)
    EXPECT_EQ(refused([&](samples::Kernel &kernel) { return onGen(kernel, target); }), names) << target;
}

TEST(Operations, haveSpirv) {
  auto generate = [](samples::Kernel &kernel) {
    std::string problem;
    takeSpecDefaults(*kernel.module);
    forgetUnwritten(*kernel.module);
    promoteArrays(*kernel.module, 3071);
    spirv::makeMessagesPublic(*kernel.module);
    spirv::write(*kernel.module, problem);
    return problem;
  };
  // What the dialect has no name for, and what OpenCL programs have no place for.
  const Names wanted = {"BlockWrite",     "EndOfThread", "Flush",      "LocalBase", "LocalOffset", "PairExchange",
                        "ProgramAddress", "ProgramBase", "RotateLeft", "Sample",    "TypedAtomic"};
  EXPECT_EQ(refused(generate), wanted | beginning({"Frame"}));
}

} // namespace
