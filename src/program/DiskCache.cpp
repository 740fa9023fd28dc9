//===- DiskCache.cpp - What was made once and may be wanted again -----------------===//
//
// Entry: 8 bytes of checksum, then the contents. Entries are written under another name
// and renamed, so that a reader never sees half of one.
//
//===----------------------------------------------------------------------===//
#include "program/DiskCache.h"
#include "program/Container.h"
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace pocm::program {
namespace {

std::string chooseFolder() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (std::string own = variable("POCM_CACHE_DIR"); !own.empty())
    return own == "off" ? "" : own;
  if (std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty())
    return xdg + "/pocm";
  if (std::string home = variable("HOME"); !home.empty())
    return home + "/.cache/pocm";
  return "";
}

std::uint64_t sumOf(std::span<const char> bytes) {
  return checksum({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
}

} // namespace

DiskCache::DiskCache() : folder(chooseFolder()) {}

std::optional<std::vector<char>> DiskCache::find(const std::string &name) const {
  if (folder.empty())
    return std::nullopt;
  std::ifstream file((folder + "/" + name), std::ios::binary);
  std::uint64_t sum = 0;
  if (!file.read(reinterpret_cast<char *>(&sum), sizeof(sum)))
    return std::nullopt;
  std::vector<char> contents((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (contents.empty() || sumOf(contents) != sum)
    return std::nullopt;
  return contents;
}

void DiskCache::store(const std::string &name, std::span<const char> contents) const {
  if (folder.empty())
    return;
  static std::atomic<unsigned> serial{0};
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  std::string temporary = (folder + "/" + name) + "." + std::to_string(getpid()) + "." + std::to_string(serial++);
  {
    std::ofstream file(temporary, std::ios::binary);
    std::uint64_t sum = sumOf(contents);
    file.write(reinterpret_cast<const char *>(&sum), sizeof(sum));
    file.write(contents.data(), std::streamsize(contents.size()));
    if (!file.flush()) {
      std::filesystem::remove(temporary, problem);
      return;
    }
  }
  std::filesystem::rename(temporary, (folder + "/" + name), problem);
  if (problem)
    std::filesystem::remove(temporary, problem);
}

} // namespace pocm::program
