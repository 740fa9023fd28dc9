//===- CodeCache.h - Compiled kernels on disk -----------------------------------===//
#pragma once

#include "program/DiskCache.h"

namespace pocm::cpu {

/// Object files of kernels.
class CodeCache : public program::DiskCache {
public:
  using DiskCache::DiskCache;
  /// Name of an entry: hash over these parts and the versions of PoCM and LLVM.
  static std::string key(std::span<const std::uint8_t> ir, const std::string &signature, const std::string &target);
};

} // namespace pocm::cpu
