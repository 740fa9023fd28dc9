//===- Outputs.h - What cmc is asked for, and what it writes --------------------------===//
#pragma once

#include "cmc/Dependencies.h"
#include "pocm/gen.h"
#include "pocm/passes.h"
#include <string>
#include <vector>

/// What the command line asks for.
struct Request {
  pocm::CompileOptions compile;
  std::string output;
  bool text = false;                          // -S
  bool llvm = false;                          // -emit-llvm
  bool cpu = false;                           // -march=cpu
  bool dry = false;                           // -###
  bool onlyCheck = false;                     // -fsyntax-only
  DependencyRule rule;                        // -MD and its kin
  bool dump = false;                          // -mdump_asm
  bool countInstructions = false;             // -Qxcm_print_asm_count
  bool levelZero = false;                     // -binary-format=ze
  bool openCl = false;                        // -binary-format=ocl
  bool openClPrograms = false;                // -fcmocl
  bool countRegisters = false;                // -mCM_printregusage
  std::uint32_t spillLimit = 2 << 20;         // -spill-limit
  std::string stopAfter;                      // -stop-after
  std::vector<std::string> reports;           // --report; "-" is standard output
  bool oldReport = false;                     // -Qxcm_opt_report
  bool remarks = false;                       // -Rcm
  std::vector<std::string> disabledGenPasses; // -disable-pass
  pocm::PassChoice cpuPasses;                 // both, of a CPU's passes
  std::vector<std::string> finalizer;         // -mCM_jit_option
  std::string cpuName;                        // -mcpu
  std::vector<std::string> otherTargets;      // -march=FIRST,OTHER,...
};

bool generatesGenCode(const Request &request);
/// -mdump_asm, or CM_FORCE_ASSEMBLY_DUMP in the environment.
bool dumpsAssembly(const Request &request);

/// Whether a path is "-" or a name of standard output.
bool isStandardOutput(const std::string &path);
/// Whether a file is at the path, or comes to be: no device, pipe or standard output, beside which nothing is put.
bool isPlainOutput(const std::string &path);
/// Writes a file, or standard output for "-". False when that fails; then no half file is left. Links stay, and so does
/// what is no file, such as a device or a pipe: it is written into.
bool writeFile(const std::string &path, const void *bytes, std::size_t size);

/// The cpu device's code of every kernel.
std::string cpuText(const std::vector<std::uint8_t> &file, const Request &request);
/// KERNEL.s of every kernel, beside the output.
void dumpAssembly(const std::vector<std::uint8_t> &file, const Request &request);

/// --report and -Rcm of the cpu device's code.
void reportCpuCode(const std::vector<std::uint8_t> &file, const Request &request);

/// Gen code of a source's kernels for one target after another: in `program`, or as `text`, with the listings, counts
/// and reports that were asked for.
class GenOutputs {
public:
  /// `compiled` is the first target's program.
  GenOutputs(const Request &request, const std::vector<std::uint8_t> &compiled, bool keepsDebugInfo);
  void add(const std::string &target, const std::vector<std::uint8_t> &compiled);
  void writeReports() const;

  std::vector<std::uint8_t> program;
  std::string text;

private:
  const Request &request;
  struct Target {
    std::string name;
    std::vector<pocm::GenKernel> kernels;
  };
  std::vector<Target> targets;

  void print(const pocm::GenKernel &kernel, const std::string &target) const;
};
