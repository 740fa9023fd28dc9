//===- Bitcode.h - CM IR as bytes, the way program files hold it ------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pocm {

/// The module in a program's bytes. Throws Error when they hold none.
std::unique_ptr<llvm::Module> readBitcode(std::span<const std::uint8_t> Bytes, llvm::LLVMContext &Context);
std::vector<std::uint8_t> writeBitcode(const llvm::Module &M);

} // namespace pocm
