// Loops that one would write in C++ instead of places_genx.cpp; g++ -O3 -march=native.
#include "plain_further.h"
#include <algorithm>
#include <cstdlib>

void plainMotion(const Bytes *now, const Bytes *before, std::uint32_t *out, int width, int across, int down) {
  for (int y = 0; y < down; ++y)
    for (int x = 0; x < across; ++x) {
      std::uint32_t best = ~0u;
      for (int k = 0; k < 64; ++k) {
        const Bytes *a = now + (y * 16 + 8) * width + x * 16 + 8,
                    *b = before + (y * 16 + 4 + (k >> 3)) * width + x * 16 + 4 + (k & 7);
        std::uint32_t sum = 0;
        for (int row = 0; row < 16; ++row, a += width, b += width)
          for (int i = 0; i < 16; ++i)
            sum += std::uint32_t(std::abs(a[i] - b[i]));
        best = std::min(best, sum << 6 | std::uint32_t(k));
      }
      out[y * across + x] = best;
    }
}

void plainFields(const Bytes *in, Bytes *out, int width, int rows) {
  for (int y = 0; y < rows; ++y, in += 2 * width, out += width)
    for (int x = 0; x < width; ++x)
      out[x] = Bytes((in[x] + in[width + x] + 1) >> 1);
}

void plainVertices(const float *in, float *out, const float *m, int count) {
  for (int i = 0; i < count; ++i, in += 4, out += 4)
    for (int c = 0; c < 4; ++c)
      out[c] = in[0] * m[c] + in[1] * m[4 + c] + in[2] * m[8 + c] + in[3] * m[12 + c];
}

void plainBorders(const float *in, float *out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int column = std::clamp(x + dx, 0, width - 1), row = std::clamp(y + dy, 0, height - 1);
          sum += in[row * width + column] * float((2 - dx * dx) * (2 - dy * dy));
        }
      out[y * width + x] = sum * (1.0f / 16);
    }
}

void plainLetters(const Bytes *in, Bytes *out, int letter, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = in[i] == letter ? '*' : in[i] >= 'a' && in[i] <= 'z' ? Bytes(in[i] - 32) : in[i];
}

void plainLayers(const std::int8_t *a, const std::int8_t *b, std::int8_t *out, int zero, int count) {
  for (int i = 0; i < count; ++i)
    out[i] = std::int8_t(std::clamp((((a[i] + 5) * 181 + (b[i] - 7) * 97 + 128) >> 8) + zero, -128, 127));
}
