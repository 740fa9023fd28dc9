// The same filters as plain C++, one byte at a time. They share nothing with the kernels but the arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace linear {

/// Packed bytes, `rowBytes` to a row, seen as a surface whose pixels have four bytes.
struct Bytes {
  int rowBytes, rows;
  std::vector<std::uint8_t> data;

  /// The byte at column x, row y; outside the surface the nearest pixel repeats.
  int at(int x, int y) const {
    constexpr int pixel = 4;
    y = std::clamp(y, 0, rows - 1);
    if (x < 0)
      x = (x % pixel + pixel) % pixel;
    else if (x >= rowBytes)
      x = rowBytes - pixel + (x - rowBytes) % pixel;
    return data[std::size_t(y) * std::size_t(rowBytes) + std::size_t(x)];
  }
};

/// What the kernel of this name makes of the image.
inline Bytes reference(std::string_view kernel, const Bytes &in) {
  Bytes out = in;
  for (int y = 0; y < in.rows; ++y)
    for (int x = 0; x < in.rowBytes; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -3; dx <= 3; dx += 3)
          sum += in.at(x + dx, y + dy);
      float scale = kernel == "linear" ? 0.1111f : 0.111f;
      out.data[std::size_t(y) * std::size_t(in.rowBytes) + std::size_t(x)] = std::uint8_t(float(sum) * scale);
    }
  return out;
}

constexpr std::string_view kernels[] = {"linear", "linear1d2", "linearslide", "linearslide2"};

} // namespace linear
