//===- Programs.h - Kernels that a benchmark compiles itself --------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace bench {

/// The program of a source. Throws pocm::Error with the compiler's text where it has errors.
inline pocm::Program compiled(const pocm::CompileOptions &options) {
  const pocm::CompileResult built = pocm::compile(options);
  if (!built.ok)
    throw pocm::Error(built.diagnostics);
  return pocm::Program::load(built.program);
}

} // namespace bench
