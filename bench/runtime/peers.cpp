// Peers in plain C++, built by Debian's g++ with -O3 -march=native.
#include "peers.h"
#include <cmath>

void plain_nbody(int n, const float *x, const float *y, const float *z, const float *m, float softening, float *ax,
                 float *ay, float *az) {
  for (int i = 0; i < n; i++) {
    float sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      float q = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening), f = m[j] * q * q * q;
      sx += f * dx;
      sy += f * dy;
      sz += f * dz;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}

void plain_integral(int width, int height, const std::uint8_t *in, std::uint32_t *out) {
  for (int y = 0; y < height; y++) {
    std::uint32_t row = 0;
    const std::uint32_t *above = out + (y - 1) * width;
    for (int x = 0; x < width; x++) {
      row += in[y * width + x];
      out[y * width + x] = row + (y ? above[x] : 0);
    }
  }
}
