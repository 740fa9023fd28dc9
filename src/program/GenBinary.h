//===- GenBinary.h - Gen code inside a program file --------------------------===//
//
// What a target's code section holds for a Gen target: per kernel its name, the
// arguments' places in the register file, what a dispatch has to provide, and the code.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/gen.h"

namespace pocm::program {

std::vector<std::uint8_t> writeGenKernels(const std::vector<GenKernel> &kernels);
/// Kernels without the vISA and assembly text, which are not kept. Throws Error when the bytes are damaged.
std::vector<GenKernel> readGenKernels(std::span<const std::uint8_t> bytes);

} // namespace pocm::program
