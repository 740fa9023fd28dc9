//===- Addresses.h - Stretches of memory, as kernels and the host know them ----------------===//
#pragma once

#include <cstdint>

namespace pocm::runtime {

/// Bytes from begin to end - 1.
struct AddressRange {
  std::uintptr_t begin = 0, end = 0;
};

/// So many bytes from here on, as far as there are addresses.
inline AddressRange addressesOf(const void *first, std::uint64_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  return {begin, bytes > UINTPTR_MAX - begin ? UINTPTR_MAX : std::uintptr_t(begin + bytes)};
}

} // namespace pocm::runtime
