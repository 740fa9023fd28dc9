// Intel's offline compiler and gensim, with the launches that the peer gets.
#pragma once

#include "Launch.h"
#include <stdexcept>

namespace test {

/// How ocloc is asked for a binary.
struct BinaryForm {
  const char *name, *options, *internal;
  bool strict; ///< Code that is not optimised copies what nobody has written.
};
constexpr BinaryForm binaryForms[] = {
    {"tokens", "", "", true},
    {"zebin", "", "-cl-allow-zebin", true},
    {"unoptimised", "-cl-opt-disable", "", false},
};

/// ocloc makes nothing of a source; its words, or that it crashed.
struct CompilerRefuses : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What ocloc makes of a source. Throws CompilerRefuses.
pocm::opencl::Binary compiled(const KernelFile &file, const std::string &target, const BinaryForm &form);

/// Contents of each buffer and image after the launch, whose report of the model of time goes to a file where one is
/// named. Throws pocm::opencl::Problem, also for unwritten bits that decide something when strict.
std::vector<std::vector<std::uint8_t>> simulated(pocm::opencl::Program &program, const KernelLaunch &launch,
                                                 bool strict, const std::string &timing = {});

} // namespace test
