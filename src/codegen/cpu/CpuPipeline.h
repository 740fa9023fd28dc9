//===- CpuPipeline.h - A kernel on its way to code of a CPU -----------------------------------===//
//
// The passes of CpuPasses.def work on one kernel, from its CM IR to a function of type Walk.
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/cpu/CodeGen.h"
#include "codegen/cpu/Lowering.h"
#include "passes/Passes.h"
#include "llvm/Target/TargetMachine.h"

namespace pocm::cpu {

struct CpuKernel {
  llvm::Module &M;
  llvm::Function *Body; ///< The kernel; from cpu-bind on the function that runs one thread.
  const std::string Name;
  const Target &CPU;
  llvm::TargetMachine &Machine;
  KernelTraits Traits;

  /// Gives the module the target's layout.
  CpuKernel(llvm::Module &M, llvm::Function &Entry, std::string Name, const Target &CPU, llvm::TargetMachine &Machine);

  /// Whether this is an x86 CPU with the feature.
  bool has(const char *Feature) const;
  bool isX86() const;
  bool isLinux() const;
  unsigned registers() const;    ///< Of vectors, on x86.
  bool hasMaskRegisters() const; ///< With instructions for 8, 16 and 32 channels.
  PermuteFeatures permutes() const;
  EstimateFeatures estimates() const;
  DpasFeatures dpas() const;

  /// Runs LLVM's passes; whether they changed something.
  bool clean(llvm::StringRef Pipeline, llvm::TargetMachine *For = nullptr);
  /// The same behind something else, if that changed something; whether it did.
  bool cleanAfter(bool Changed, llvm::StringRef Pipeline);
  /// The same in any case; whether one of them changed something.
  bool cleanAnyway(bool Changed, llvm::StringRef Pipeline) { return clean(Pipeline) || Changed; }
  /// Throws Error with the kernel's name when there is a problem.
  void require(const std::string &Problem) const;

  void bind();
  void suspend();
  void walk();
  void splitCoroutine();
  bool linkHelpers();
  void flush();
};

/// LLVM's code generator for a CPU (CodeGen.cpp).
std::unique_ptr<llvm::TargetMachine> machineFor(const Target &T);
/// Whether this is an x86 CPU with the feature (CodeGen.cpp).
bool has(const llvm::TargetMachine &Machine, const char *Feature);

/// Runs the passes up to and including `Last` (all when it is empty), without those that are disabled. Throws Error for
/// a name that is no pass or one that code needs, and for what the passes refuse.
void runCpuPasses(CpuKernel &Kernel, llvm::StringRef Last = {}, const std::vector<std::string> &Disabled = {},
                  const PassWatch &Watch = {});
/// Runs one pass of CpuPasses.def; false when it is none. Throws Error for what it refuses.
bool runCpuPass(CpuKernel &Kernel, llvm::StringRef Name, const PassWatch &Watch);
/// The passes, in order.
std::vector<PassDescription> cpuPassDescriptions();

} // namespace pocm::cpu
