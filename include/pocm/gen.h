//===- gen.h - Code for Intel GPUs, in programs and as files of their own -----===//
//
//     auto kernels = pocm::genCode(built.program, "ICLLP");
//     auto program = pocm::addGenCode(built.program, "ICLLP", kernels);     holds both
//
// What cmc -march=TARGET does. Everything here throws pocm::Error, as in pocm.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm {

/// An argument's place in the register file when a thread starts.
struct GenInput {
  std::uint32_t kind = 0;   ///< 0 general, 1 sampler, 2 surface; 8, 16, 24: group size, group count, local id;
                            ///< 32: the address of the program's __global variables.
  std::uint32_t offset = 0; ///< In bytes from r0.
  std::uint32_t size = 0;   ///< In bytes.

  // Of a surface or sampler in a Level Zero program, where its number is fixed:
  std::uint32_t bindingIndex = 0;
  bool image = false;   ///< Read or written by rows and columns.
  bool sampled = false; ///< Read through a sampler.
};

/// Where a line of vISA text comes from, and how full the registers are there.
struct GenLine {
  std::uint32_t file = 0;      ///< Index in GenKernel::files.
  std::uint32_t line = 0;      ///< Of the source; 0: unknown.
  std::uint32_t liveBytes = 0; ///< Of variables that hold something needed later.
};

/// A variable of the source in a kernel, functions inlined into it included.
struct GenVariable {
  std::string name, type, file;
  std::uint32_t line = 0, bytes = 0;
  std::string place; ///< "registers", "registers, indexed", "scratch memory", "shared local memory", "argument".
  std::string rule;  ///< Which one decided that.
  std::vector<std::uint32_t> indexedLines; ///< Where elements are chosen at run time.
  std::vector<std::uint32_t> directLines;  ///< Where the source does that and the code does not, unrolled.
};

/// Something about a line of the source: a loop that was unrolled, an access that costs.
struct GenRemark {
  std::string file;
  std::uint32_t line = 0;
  std::string text;
};

/// A kernel compiled for a Gen target.
struct GenKernel {
  std::string name;
  std::vector<GenInput> inputs; ///< Implicit ones first, then the kernel's parameters in order.
  std::uint32_t slmBytes = 0;   ///< Shared local memory of a group.
  bool hasBarrier = false;
  std::uint32_t instructions = 0;                      ///< In the code.
  std::uint32_t registers = 0;                         ///< That the code uses.
  std::uint32_t registersThere = 0, registerBytes = 0; ///< Of a thread; the size of one.
  std::uint32_t frameBytes = 0;   ///< Of a thread's variables in scratch memory, from its beginning on.
  std::uint32_t spillBytes = 0;   ///< Of a thread's registers in scratch memory, behind them.
  bool optimized = true;          ///< False when the finalizer only got through without its optimizations.
  std::vector<std::uint8_t> code; ///< The instructions.
  std::string visa;               ///< vISA assembly. Not kept in program files.
  std::string assembly;           ///< Gen assembly, as the finalizer prints it. Not kept in program files.

  // Of programs compiled with debug information, for reports. Not kept in program files.
  std::vector<std::string> files;
  std::vector<GenLine> lines; ///< A line of `visa` each. Comments "$N" of the assembly count from visaStart.
  std::uint32_t visaStart = 0;
  std::vector<GenVariable> variables; ///< Takes CompileOptions::debugInfo.
  std::vector<GenRemark> loops;       ///< Takes CompileOptions::debugInfo.
  std::vector<GenRemark> remarks;     ///< What costs time; takes lines.
  std::vector<GenRemark> spills;      ///< Where registers go to scratch memory and come back, most of it first.
};

struct GenOptions {
  bool finalize = true;                    ///< false: vISA only, which needs no finalizer.
  std::vector<std::string> disabledPasses; ///< Names of passes of the Gen middle end to leave out.
  std::vector<std::string> finalizer;      ///< Options for the finalizer.
  unsigned registers = 128;                ///< Of a thread: 256 on targets that have them, else 128 in any case.
  std::uint32_t spillLimit = 2 << 20;      ///< Bytes of a thread's variables and registers in scratch memory.
  bool check = false;                      ///< Have a second reader check the vISA text.
  bool verifyEachPass = false;             ///< Check the IR after each pass, not after the last one alone.
  std::ostream *changes = nullptr;         ///< Gets the IR after each pass that changed it.
  bool levelZero = false;                  ///< Arguments lie as Level Zero has them, threads of a space are groups.
};

/// Whether Gen code is made for a target of this name.
POCM_API bool isGenTarget(const std::string &name);

/// Gen code of all kernels of a program, in its order. Throws Error: what a kernel uses that the target has not, what
/// the finalizer refuses, or that there is no finalizer (GenX_IR) on the PATH.
POCM_API std::vector<GenKernel> genCode(const std::vector<std::uint8_t> &program, const std::string &target,
                                        const GenOptions &options = {});

/// A Level Zero program ("zebin") of kernels that genCode has made with GenOptions::levelZero. Throws Error when the
/// target is none that Gen code is made for.
POCM_API std::vector<std::uint8_t> levelZeroProgram(const std::vector<GenKernel> &kernels, const std::string &target);

/// A program as SPIR-V for OpenCL, as Intel's vector compiler takes it (`ocloc compile -spirv_input -options
/// "-vc-codegen"`): the public dialect's operations are imported functions. Throws Error for what that cannot say.
POCM_API std::vector<std::uint8_t> openClProgram(const std::vector<std::uint8_t> &program);

/// The program file with that code in it, instead of what it held for the target (its name as genCode takes it).
POCM_API std::vector<std::uint8_t> addGenCode(const std::vector<std::uint8_t> &program, const std::string &target,
                                              const std::vector<GenKernel> &kernels);
/// The code that a program holds for a target; nothing when it has none. A specialised program has that of the kernels
/// that no value enters.
POCM_API std::vector<GenKernel> genKernels(const Program &program, const std::string &target);

} // namespace pocm
