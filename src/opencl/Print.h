//===- Print.h - What a kernel's printf calls have left --------------------------------------===//
//
//     textOf({5, 0, 0, 0, ...}, formats)   ->   "item 3 has 7\n"
//
// A kernel appends a record for each call of a work item to a buffer: the format, and for each value its type and its
// bytes. The host makes text of them when the launch has ended, as Intel's driver does.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace pocm::opencl {

/// How records name strings.
struct PrintStrings {
  bool byAddress = false; ///< In eight bytes; else by a number in four.
  /// Throws Problem where there is none.
  std::function<std::string(std::uint64_t)> find;
};

/// Throws Problem for records that are cut short or of unknown types.
std::string textOf(std::span<const std::uint8_t> records, const PrintStrings &strings);

} // namespace pocm::opencl
