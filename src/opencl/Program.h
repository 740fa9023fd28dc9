//===- Program.h - OpenCL binaries on the simulated GPU ------------------------------------===//
//
//     Program program(readBinary(bytes));
//     std::vector<Setting> settings{Setting::buffer(a), Setting::value(7)};
//     program.run("add", {1, {1024, 1, 1}, {64, 1, 1}}, settings, {});
//
// A launch is what Intel's driver makes of clEnqueueNDRangeKernel: groups of hardware threads,
// each with a header, the local ids of its work items, and the same data for all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Machine.h"
#include "opencl/Binary.h"
#include "opencl/Image.h"

namespace pocm::opencl {

/// Work items, by dimension.
struct Range {
  unsigned dimensions = 1;
  std::uint32_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, offset[3] = {0, 0, 0};
};

/// What an argument is set to.
struct Setting {
  ArgumentKind kind = ArgumentKind::Value;
  std::vector<std::uint8_t> value; ///< Of a value.
  std::span<std::uint8_t> buffer;  ///< The host's memory, which has to live through the launch.
  std::uint32_t localBytes = 0;    ///< Of a local argument.
  std::shared_ptr<Image> image;
  Sampler sampler;
};

struct LaunchOptions {
  std::ostream *trace = nullptr;
  std::uint64_t mostInstructions = 2'000'000'000; ///< Of a thread.
  std::string timing = {}; ///< File for a report of what the launch would take (gensim/timing/Reports.h); empty: none.
  std::vector<std::function<std::unique_ptr<gensim::Observer>(const gensim::Kernel &)>> observers = {};
  bool checks = false;      ///< Look for mistakes of the kernel (gensim/watch/Checks.h).
  unsigned hostThreads = 1; ///< Which changes nothing that the launch leaves or says.
};

/// What a launch has done.
struct LaunchReport {
  std::uint64_t instructions = 0;
  std::string printed;               ///< By calls of printf.
  std::vector<std::string> findings; ///< Unwritten bits that have decided something.
};

/// A binary with its variables in memory, and kernels decoded when they are wanted.
class Program {
public:
  explicit Program(Binary binary);
  Program(const Program &) = delete; // code holds addresses of its data
  Program &operator=(const Program &) = delete;
  const Binary &binary() const { return file; }

  /// Throws Problem: what does not fit the kernel, or what its code did.
  LaunchReport run(const std::string &kernel, const Range &range, std::span<const Setting> settings,
                   const LaunchOptions &options);

  /// The kernel's instructions, addresses of the program's data put in.
  const gensim::Kernel &code(const std::string &kernel);

private:
  void appendFunctions();
  std::uint64_t addressOf(Relocation::Target target) const;
  void relocate(std::vector<std::uint8_t> &bytes, const std::vector<Relocation> &relocations, bool isData) const;

  Binary file;
  std::uint64_t functionsAt = 0; ///< Where they lie behind each kernel.
  std::map<std::string, gensim::Kernel> decoded;
};

} // namespace pocm::opencl
