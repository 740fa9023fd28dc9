//===- Bits.h - The 128 bits of an instruction --------------------------------------===//
#pragma once

#include <cstdint>

namespace pocm::gensim {

struct Bits {
  std::uint64_t low = 0, high = 0;

  /// Bits last to first, as documents give them; at most 64.
  std::uint64_t get(unsigned last, unsigned first) const {
    unsigned count = last - first + 1;
    std::uint64_t value = first >= 64 ? high >> (first - 64) : low >> first;
    if (first < 64 && last >= 64)
      value |= high << (64 - first);
    return count >= 64 ? value : value & ((std::uint64_t(1) << count) - 1);
  }
  bool get(unsigned bit) const { return get(bit, bit); }
  void set(unsigned last, unsigned first, std::uint64_t value) {
    for (unsigned bit = first; bit <= last; ++bit, value >>= 1) {
      std::uint64_t &half = bit < 64 ? low : high;
      std::uint64_t mask = std::uint64_t(1) << (bit % 64);
      half = value & 1 ? half | mask : half & ~mask;
    }
  }
  std::int64_t getSigned(unsigned last, unsigned first) const {
    unsigned count = last - first + 1;
    return std::int64_t(get(last, first) << (64 - count)) >> (64 - count);
  }
};

} // namespace pocm::gensim
