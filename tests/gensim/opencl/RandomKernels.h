// OpenCL kernels made at random, whose results are exact: unsigned arithmetic, conversions, divergence, vectors, arrays,
// local memory between barriers.
#pragma once

#include <cstdint>
#include <string>

namespace test {

/// A source with `count` kernels, k0 of `first` and so on; a kernel depends on its own seed alone.
std::string randomKernels(std::uint64_t first, unsigned count);

} // namespace test
