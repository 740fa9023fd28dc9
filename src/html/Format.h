//===- Format.h - Short texts of numbers ---------------------------------------------------------===//
#pragma once

#include <cstdio>
#include <string>

namespace pocm::html {

/// What printf makes of it, 255 characters at most.
template <class... Values> std::string format(const char *pattern, Values... values) {
  static_assert(sizeof...(Values) > 0, "write the text itself");
  char text[256];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

inline double percent(double part, double whole) { return whole > 0 ? part / whole * 100 : 0; }

} // namespace pocm::html
