//===- Comparison.h - Results beside results ----------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cmrun {

/// How two blocks of bytes, or of elements of a CM type, differ.
struct Comparison {
  std::size_t elements = 0, different = 0;
  std::size_t first = 0;         ///< Number of the first element that does.
  double most = 0;               ///< The greatest difference; NaN beside a number counts as infinite.
  std::string firstIs, firstWas; ///< That element on both sides.
};

/// Compares elements of a CM type ("uchar", "float", ...). Throws pocm::Error for another type, and for sizes that
/// differ.
Comparison compare(const std::vector<std::uint8_t> &is, const std::vector<std::uint8_t> &was, const std::string &type);
/// "equal", or "3 of 16 values differ, by 4 at most; the first is value 5: 7 instead of 3".
std::string textOf(const Comparison &comparison);

} // namespace cmrun
