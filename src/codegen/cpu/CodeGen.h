//===- CodeGen.h - CM IR to native code ---------------------------------------===//
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace llvm {
class Function;
}
namespace pocm {
struct PassChoice;
}

namespace pocm::cpu {

/// Changes a kernel's CM IR before code is made of it, and returns the kernel, another function perhaps.
using Rewrite = std::function<llvm::Function *(llvm::Function &)>;

/// A CPU to generate code for: LLVM's names of the CPU and its features.
struct Target {
  std::string triple, cpu, features;
  unsigned vectorBits = 128; ///< Width of the registers that pieces are cut to.
  /// Text that differs whenever generated code may.
  std::string key() const;
};

/// Makes LLVM ready for this machine's code. The following do so, too; once is enough for a process.
void initializeLlvm();

/// This machine, or the CPU of this LLVM name ("x86-64", "haswell", "znver5", ...). Throws Error for an unknown name,
/// and, where the code is to run here, for a CPU with instructions that this machine lacks.
Target chooseTarget(const std::string &cpu, bool runsHere = true);

/// Native code for one kernel, as an object file with one function `entrySymbol`. `ir` is CM IR as bitcode.
/// `argumentBytes` is what the program file says of the kernel's parameters. Throws Error when the IR is broken, has
/// other parameters, or needs something that is not supported. `argumentBytes` are those of the kernel that `rewrite`
/// returns, where there is one.
std::vector<char> generateObject(std::span<const std::uint8_t> ir, const std::string &kernel,
                                 std::span<const std::uint32_t> argumentBytes, const Target &target,
                                 const Rewrite &rewrite = {});
/// The same, made by a process of its own: none when there is none to be had. `worker` is what it is asked for.
std::optional<std::vector<char>> generateObjectApart(const std::string &worker, std::span<const std::uint8_t> ir,
                                                     const std::string &kernel,
                                                     std::span<const std::uint32_t> argumentBytes,
                                                     const Target &target);
/// What that process does (program/OwnProcess.h), for a worker that rewrites kernels so.
std::vector<char> makeObject(std::span<const std::string> words, std::span<const std::uint8_t> ir,
                             const Rewrite &rewrite = {});
/// The same as text: assembly, or the LLVM IR that it is made from or that a pass of CpuPasses.def leaves.
std::string generateText(std::span<const std::uint8_t> ir, const std::string &kernel,
                         std::span<const std::uint32_t> argumentBytes, const Target &target, bool assembly,
                         const PassChoice &passes);

constexpr const char *entrySymbol = "pocm_walk"; ///< Of type Walk.
constexpr const char *infoSymbol = "pocm_info";  ///< Of type KernelInfo.

} // namespace pocm::cpu
