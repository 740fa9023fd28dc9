// The 5x5 Gaussian as it is defined, under the name of examples/gauss/gauss.ispc's function.
#include <cstdint>

extern "C" void gauss_ispc(const std::uint8_t *in, std::uint8_t *out, std::uint16_t *, int pitch, int height) {
  const int weights[5] = {1, 4, 6, 4, 1};
  for (int y = 2; y < height - 2; ++y)
    for (int x = 6; x < pitch - 6; ++x) {
      int sum = 128;
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
          sum += in[(y + i - 2) * pitch + x + 3 * (j - 2)] * weights[i] * weights[j];
      out[y * pitch + x] = std::uint8_t(sum >> 8);
    }
}
