#include "plain.h"
#include <algorithm>

namespace {

template <class Pixel> void filter(const std::uint8_t *__restrict in, std::uint8_t *__restrict out, int rowBytes,
                                   int rows, int y0, int y1, Pixel pixel) {
  for (int y = y0; y < y1; ++y) {
    const std::uint8_t *a = in + std::size_t(std::max(y - 1, 0)) * rowBytes;
    const std::uint8_t *b = in + std::size_t(y) * rowBytes;
    const std::uint8_t *c = in + std::size_t(std::min(y + 1, rows - 1)) * rowBytes;
    std::uint8_t *o = out + std::size_t(y) * rowBytes;
    for (int x = 0; x < std::min(3, rowBytes); ++x)
      o[x] = pixel(a, b, c, x, x, std::min(x + 3, rowBytes - 3 + x));
    for (int x = 3; x < rowBytes - 3; ++x)
      o[x] = pixel(a, b, c, x - 3, x, x + 3);
    for (int x = std::max(3, rowBytes - 3); x < rowBytes; ++x)
      o[x] = pixel(a, b, c, x - 3, x, x);
  }
}

} // namespace

extern "C" void plain_float(const std::uint8_t *in, std::uint8_t *out, int rowBytes, int rows, int y0, int y1) {
  filter(in, out, rowBytes, rows, y0, y1,
         [](const std::uint8_t *a, const std::uint8_t *b, const std::uint8_t *c, int l, int m, int r) {
           float s = float(a[l]) + a[m] + a[r] + b[l] + b[m] + b[r] + c[l] + c[m] + c[r];
           return std::uint8_t(s * 0.1111f);
         });
}

extern "C" void plain_integer(const std::uint8_t *in, std::uint8_t *out, int rowBytes, int rows, int y0, int y1) {
  filter(in, out, rowBytes, rows, y0, y1,
         [](const std::uint8_t *a, const std::uint8_t *b, const std::uint8_t *c, int l, int m, int r) {
           std::uint16_t s = std::uint16_t(a[l] + a[m] + a[r] + b[l] + b[m] + b[r] + c[l] + c[m] + c[r]);
           return std::uint8_t(s * 7282u >> 16);
         });
}
