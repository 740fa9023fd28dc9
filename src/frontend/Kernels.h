//===- Kernels.h - The kernels of a translation unit --------------------------===//
#pragma once

#include "ir/Kernel.h"
#include "clang/AST/ASTConsumer.h"

namespace pocm::frontend {

/// What the source says of a kernel, by the name of its function in the IR.
struct ParsedKernel {
  std::string Symbol, Name;
  std::vector<pocm::KernelParameter> Parameters;
};

/// Collects functions marked _GENX_MAIN_ and reports kernels that no host could call.
std::unique_ptr<clang::ASTConsumer> collectKernels(std::vector<ParsedKernel> &Kernels);

} // namespace pocm::frontend
