//===- report.h - What the cpu device's compiler made of a kernel ------------===//
//
//     pocm::CpuReport report = pocm::cpuReport(program, "linear", "");
//     for (const pocm::GenRemark &remark : report.remarks) ...    what costs time, by lines
//
//===--------------------------------------------------------------------------===//
#pragma once

#include "pocm/gen.h"

namespace pocm {

/// A line of assembly: where in the source it comes from, and how many loops are around it.
struct CpuLine {
  std::string text;
  std::uint32_t file = 0; ///< Index in CpuReport::files.
  std::uint32_t line = 0; ///< 0: unknown.
  std::uint32_t loops = 0;
};

/// What the cpu device's compiler made of a kernel.
struct CpuReport {
  std::string kernel, cpu;
  std::uint32_t registerBytes = 0, instructions = 0;
  std::uint32_t threadLoops = 0; ///< Loops over threads, around all of the kernel.
  std::vector<std::string> files;
  std::vector<CpuLine> lines;
  std::vector<GenVariable> variables;            ///< Places are "registers", "memory", "arguments", ...
  std::vector<GenRemark> loops, remarks, spills; ///< Unrolled; what costs time; registers that go to memory.
  std::vector<GenRemark> costlySpills;           ///< Those of them in loops of which they are 5 % or more.
};

/// The same code as cpuCode, looked at. Lines, variables and loops take a program that was compiled with
/// CompileOptions::debugInfo.
POCM_API CpuReport cpuReport(const Program &program, std::string_view kernel, const std::string &cpu);

/// Host threads that the cpu device uses when so many are asked for (DeviceOptions::threads). Throws Error when
/// CM_RT_PARALLEL_THREADS is no number of them.
POCM_API unsigned hostThreads(unsigned asked);

} // namespace pocm
