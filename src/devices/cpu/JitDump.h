//===- JitDump.h - Compiled kernels with their lines, for perf ----------------------===//
//
// With POCM_JITDUMP=FOLDER a file FOLDER/jit-PID.dump, in the format of perf's "jitdump":
//
//     $ POCM_JITDUMP=/tmp/dumps perf record -k mono cmrun -g ...
//     $ perf inject --jit -i perf.data -o lines.data; perf annotate -i lines.data
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace pocm::cpu {

/// A function of compiled code, where it has been put.
struct CompiledFunction {
  std::string name;
  std::uint64_t address = 0, bytes = 0;
};

/// Adds functions, with the lines of their instructions where the object file has them (`walk`: where its walker is).
/// Does nothing without POCM_JITDUMP.
void dumpForPerf(const std::vector<CompiledFunction> &functions, const std::vector<char> &object, std::uint64_t walk);

/// A file whose name others can foresee, in a folder where they may write: null when it is a link, somebody else's, or
/// none at all.
std::FILE *openForProfilers(const std::string &path, bool append);

} // namespace pocm::cpu
