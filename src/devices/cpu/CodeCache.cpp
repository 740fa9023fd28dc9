//===- CodeCache.cpp - Compiled kernels on disk ---------------------------------===//
//
// Entry: 8 bytes of checksum, then the object file. Entries are written under another
// name and renamed, so that a reader never sees half of one.
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/CodeCache.h"
#include "BuildId.h"
#include "program/Container.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace pocm::cpu {
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
  return program::checksum({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
}

} // namespace

CodeCache::CodeCache() : folder(chooseFolder()) {}

std::string CodeCache::key(std::span<const std::uint8_t> ir, const std::string &signature, const std::string &target) {
  llvm::BLAKE3 hash;
  auto part = [&](llvm::StringRef text) {
    std::uint64_t size = text.size();
    hash.update(llvm::StringRef(reinterpret_cast<const char *>(&size), sizeof(size)));
    hash.update(text);
  };
  part(version());
  part(POCM_BUILD_ID);
  part(LLVM_VERSION_STRING);
  part(signature);
  part(target);
  part(llvm::StringRef(reinterpret_cast<const char *>(ir.data()), ir.size()));
  auto digest = hash.final<16>();
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(digest), /*LowerCase=*/true);
}

std::string CodeCache::pathOf(const std::string &key) const { return folder + "/" + key + ".o"; }

std::optional<std::vector<char>> CodeCache::find(const std::string &key) const {
  if (folder.empty())
    return std::nullopt;
  std::ifstream file(pathOf(key), std::ios::binary);
  std::uint64_t sum = 0;
  if (!file.read(reinterpret_cast<char *>(&sum), sizeof(sum)))
    return std::nullopt;
  std::vector<char> object((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (object.empty() || sumOf(object) != sum)
    return std::nullopt;
  return object;
}

void CodeCache::store(const std::string &key, std::span<const char> object) const {
  if (folder.empty())
    return;
  static std::atomic<unsigned> serial{0};
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  std::string temporary = pathOf(key) + "." + std::to_string(getpid()) + "." + std::to_string(serial++);
  {
    std::ofstream file(temporary, std::ios::binary);
    std::uint64_t sum = sumOf(object);
    file.write(reinterpret_cast<const char *>(&sum), sizeof(sum));
    file.write(object.data(), std::streamsize(object.size()));
    if (!file.flush()) {
      std::filesystem::remove(temporary, problem);
      return;
    }
  }
  std::filesystem::rename(temporary, pathOf(key), problem);
  if (problem)
    std::filesystem::remove(temporary, problem);
}

} // namespace pocm::cpu
