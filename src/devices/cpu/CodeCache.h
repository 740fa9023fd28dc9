//===- CodeCache.h - Compiled kernels on disk -----------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pocm::cpu {

/// A folder of object files named by the hash of all that they were made from. Damaged entries count as absent; a
/// folder that cannot be used means that nothing is kept. Any thread, any process.
class CodeCache {
public:
  /// POCM_CACHE_DIR, or pocm under XDG_CACHE_HOME or ~/.cache; "off" in POCM_CACHE_DIR keeps nothing.
  CodeCache();
  explicit CodeCache(std::string folder) : folder(std::move(folder)) {}

  /// Name of an entry: hash over these parts and the versions of PoCM and LLVM.
  static std::string key(std::span<const std::uint8_t> ir, const std::string &signature, const std::string &target);
  std::optional<std::vector<char>> find(const std::string &key) const;
  void store(const std::string &key, std::span<const char> object) const;

private:
  std::string pathOf(const std::string &key) const;
  std::string folder; // empty: off
};

} // namespace pocm::cpu
