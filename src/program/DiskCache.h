//===- DiskCache.h - What was made once and may be wanted again -------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pocm::program {

/// A folder of files named by the hash of all that they were made from. It holds code that will run: the folder and its
/// files are used only when they belong to the effective user and nobody else may write them. Damaged and foreign
/// entries count as absent; a folder that cannot be used means that nothing is kept. When all entries together are
/// larger than POCM_CACHE_SIZE (mebibytes, 1024 when it is not set), those that were not used for longest go.
/// Any thread, any process.
class DiskCache {
public:
  /// POCM_CACHE_DIR, or pocm under XDG_CACHE_HOME or ~/.cache; "off" in POCM_CACHE_DIR keeps nothing, nor does a
  /// program that runs with another user's rights.
  DiskCache();
  explicit DiskCache(std::string folder);

  std::optional<std::vector<char>> find(const std::string &name) const;
  void store(const std::string &name, std::span<const char> contents) const;
  /// What was found there cannot be used.
  void remove(const std::string &name) const;
  /// Where entries lie; empty when nothing is kept.
  const std::string &path() const { return folder; }

private:
  void evict(int directory) const;
  std::string folder;
  std::uint64_t most; ///< Bytes of all entries.
};

/// The environment variable; empty when it is not set, and in programs that run with another user's rights.
std::string environment(const char *name);

} // namespace pocm::program
