//===- CodeCache.h - Compiled kernels on disk -----------------------------------===//
#pragma once

#include "program/DiskCache.h"
#include <array>

namespace pocm::cpu {

/// Object files of kernels.
class CodeCache : public program::DiskCache {
public:
  using DiskCache::DiskCache;
  /// Of a program's IR.
  using Digest = std::array<std::uint8_t, 32>;
  static Digest digest(std::span<const std::uint8_t> ir);
  /// Name of an entry: hash over these parts and the versions of PoCM and LLVM.
  static std::string key(const Digest &ir, const std::string &signature, const std::string &target);
};

} // namespace pocm::cpu
