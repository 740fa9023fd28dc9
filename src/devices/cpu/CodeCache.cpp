//===- CodeCache.cpp - Compiled kernels on disk ---------------------------------===//
#include "devices/cpu/CodeCache.h"
#include "BuildId.h"
#include "pocm/pocm.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"

namespace pocm::cpu {

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
  auto digest = hash.final<32>();
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(digest), /*LowerCase=*/true);
}

} // namespace pocm::cpu
