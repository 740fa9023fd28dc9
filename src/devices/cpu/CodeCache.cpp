//===- CodeCache.cpp - Compiled kernels on disk ---------------------------------===//
#include "devices/cpu/CodeCache.h"
#include "BuildId.h"
#include "pocm/pocm.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"

namespace pocm::cpu {

CodeCache::Digest CodeCache::digest(std::span<const std::uint8_t> ir) {
  llvm::BLAKE3 hash;
  hash.update(llvm::StringRef(reinterpret_cast<const char *>(ir.data()), ir.size()));
  return hash.final<32>();
}

std::string CodeCache::key(const Digest &ir, const std::string &signature, const std::string &target) {
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
  std::string name; // written here: without memory LLVM's containers end the process
  for (std::uint8_t byte : hash.final<32>()) {
    constexpr const char *digits = "0123456789abcdef";
    name += digits[byte >> 4];
    name += digits[byte & 15];
  }
  return name;
}

} // namespace pocm::cpu
