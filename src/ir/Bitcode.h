//===- Bitcode.h - CM IR as bytes, the way program files hold it ------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pocm {

/// The module in a program's bytes. Throws Error when they hold none. With the name of a kernel, other kernels have no
/// bodies, nor has what only they call: none of that is read.
std::unique_ptr<llvm::Module> readBitcode(std::span<const std::uint8_t> Bytes, llvm::LLVMContext &Context,
                                          std::string_view Kernel = {});
std::vector<std::uint8_t> writeBitcode(const llvm::Module &M);

} // namespace pocm
