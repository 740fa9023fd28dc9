//===- SpirvWriter.h - CM IR as SPIR-V for OpenCL -------------------------------------------===//
//
//     %r = call @llvm.genx.rdregionf(...)   ->   OpFunctionCall of an imported function of that name
//     i32 %surface                          ->   a buffer or image, and address.convert to its number
//
// The form that Intel's vector compiler takes (SPV_INTEL_vector_compute): the public dialect's
// operations are imported functions, vectors have any length, kernels are marked as vector
// functions.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pocm::spirv {

/// SPIR-V of all kernels of a module, which this prepares for that. Sets `Problem` to what OpenCL programs cannot have,
/// with the kernel and the line.
std::vector<std::uint32_t> write(llvm::Module &M, std::string &Problem);

/// Gives messages the forms that the public dialect has (PublicMessages.cpp).
void makeMessagesPublic(llvm::Module &M);

} // namespace pocm::spirv
