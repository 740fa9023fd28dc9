//===- Debugging.h - Compiled kernels for debuggers and profilers ------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace pocm::cpu {

/// Debuggers learn of code with debug information when it is linked: gdb's and lldb's interface for JIT compilers.
void registerWithDebuggers(llvm::orc::LLJIT &jit);

/// Adds the functions of an object file to /tmp/perf-PID.map, where POCM_PERF_MAP is set, by the kernel's name, and to
/// the file that POCM_JITDUMP asks for. `entry` is where its entry symbol has been put.
void noteForProfilers(const std::vector<char> &object, std::uint64_t entry, const std::string &kernel);

} // namespace pocm::cpu
