//===- Roofline.h - What a kernel does under what a machine can do -------------------------===//
#pragma once

#include <string>
#include <vector>

namespace pocm::html {

/// Operations a second by operations a byte, both logarithmic.
struct Roofline {
  struct Rate {
    std::string name;
    double bytes; ///< A second.
  };
  struct Point {
    std::string name;
    double operations; ///< A byte.
  };
  double done; ///< Operations a second.
  double peak; ///< Those that the machine can do.
  std::vector<Rate> roofs;
  std::vector<Point> points;

  std::string svg() const;
};

} // namespace pocm::html
