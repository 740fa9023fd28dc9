// Intel's offline compiler and gensim, with the launches that the peer gets.
#pragma once

#include "Launch.h"

namespace test {

/// How ocloc is asked for a binary.
struct BinaryForm {
  const char *name, *options, *internal;
};
constexpr BinaryForm binaryForms[] = {
    {"tokens", "", ""},
    {"zebin", "", "-cl-allow-zebin"},
    {"unoptimised", "-cl-opt-disable", ""},
};

/// What ocloc makes of a source. Throws std::runtime_error with its words.
pocm::opencl::Binary compiled(const KernelFile &file, const std::string &target, const BinaryForm &form);

/// Contents of each buffer and image after the launch. Throws pocm::opencl::Problem, also for unwritten bits that
/// decide something when the launch is strict.
std::vector<std::vector<std::uint8_t>> simulated(pocm::opencl::Program &program, const KernelLaunch &launch);

} // namespace test
