//===- CodeRange.h - Where the code of a kernel lies ----------------------------===//
#pragma once

#include <cstdint>

namespace pocm::cpu {

/// Addresses in this process, [begin, end).
struct CodeRange {
  std::uintptr_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
  bool has(std::uintptr_t pc) const { return pc >= begin && pc < end; }
};

} // namespace pocm::cpu
