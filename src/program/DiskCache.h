//===- DiskCache.h - What was made once and may be wanted again -------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pocm::program {

/// A folder of files named by the hash of all that they were made from. Damaged entries count as absent; a folder that
/// cannot be used means that nothing is kept. Any thread, any process.
class DiskCache {
public:
  /// POCM_CACHE_DIR, or pocm under XDG_CACHE_HOME or ~/.cache; "off" in POCM_CACHE_DIR keeps nothing.
  DiskCache();
  explicit DiskCache(std::string folder) : folder(std::move(folder)) {}

  std::optional<std::vector<char>> find(const std::string &name) const;
  void store(const std::string &name, std::span<const char> contents) const;
  /// Where entries lie; empty when nothing is kept.
  const std::string &path() const { return folder; }

private:
  std::string folder;
};

} // namespace pocm::program
