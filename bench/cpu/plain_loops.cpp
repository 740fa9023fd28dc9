// Loops that one would write in C++ instead of the applications' kernels; g++ -O3 -march=native.
#include "plain_loops.h"
#include <cstring>
#include <numeric>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

void plain_convolution(const float *image, const float *weights, float *to, std::size_t size, std::size_t width,
                       std::size_t channels, std::size_t outputs, std::size_t begin, std::size_t end) {
  for (std::size_t y = begin; y < end; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      float *out = to + (y * width + x) * outputs;
      std::memset(out, 0, outputs * sizeof(float));
      for (std::size_t dy = 0; dy < size; ++dy)
        for (std::size_t dx = 0; dx < size; ++dx)
          for (std::size_t c = 0; c < channels; ++c) {
            const float in = image[((y + dy) * (width + size - 1) + x + dx) * channels + c];
            const float *w = weights + ((dy * size + dx) * channels + c) * outputs;
            for (std::size_t o = 0; o < outputs; ++o)
              out[o] += in * w[o];
          }
    }
}

void plain_copy(const float *from, float *to, std::size_t begin, std::size_t end) {
  std::memcpy(to + begin, from + begin, (end - begin) * sizeof(float));
}

void plain_histogram(const std::uint8_t *pixels, std::size_t begin, std::size_t end, std::uint32_t *counts) {
  std::uint32_t tables[8][256] = {};
  std::size_t i = begin;
  for (; i + 8 <= end; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, pixels + i, 8);
    for (int k = 0; k < 8; ++k)
      ++tables[k][eight >> (8 * k) & 255];
  }
  for (; i < end; ++i)
    ++tables[0][pixels[i]];
  for (int v = 0; v < 256; ++v)
    for (auto &table : tables)
      counts[v] += table[v];
}

void plain_kmeans(const float *x, const float *y, std::size_t begin, std::size_t end, const float *centres,
                  std::uint32_t count, std::uint32_t *labels, float *sums) {
  for (std::size_t i = begin; i < end; ++i) {
    float least = 3.4e38f;
    std::uint32_t label = 0;
    for (std::uint32_t c = 0; c < count; ++c) {
      float dx = x[i] - centres[2 * c], dy = y[i] - centres[2 * c + 1], distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        label = c;
      }
    }
    labels[i] = label;
    sums[3 * label] += x[i];
    sums[3 * label + 1] += y[i];
    ++sums[3 * label + 2];
  }
}

void plain_scan(const std::uint32_t *from, std::uint32_t *to, std::size_t count) {
  std::inclusive_scan(from, from + count, to);
}

void plain_gathers(const std::uint32_t *columns, const float *x, float *sum, std::size_t begin, std::size_t end) {
  std::size_t k = begin;
  float all = 0;
#ifdef __AVX512F__
  __m512 four[4] = {};
  for (; k + 64 <= end; k += 64)
    for (std::size_t i = 0; i < 4; ++i)
      four[i] = _mm512_add_ps(four[i], _mm512_i32gather_ps(_mm512_loadu_si512(columns + k + 16 * i), x, 4));
  for (__m512 part : four)
    all += _mm512_reduce_add_ps(part);
#endif
  for (; k < end; ++k)
    all += x[columns[k]];
  *sum = all;
}

void plain_spmv(const std::uint32_t *first, const std::uint32_t *columns, const float *values, const float *x, float *y,
                std::size_t begin, std::size_t end) {
  for (std::size_t r = begin; r < end; ++r) {
    float sum = 0;
    for (std::uint32_t k = first[r]; k < first[r + 1]; ++k)
      sum += values[k] * x[columns[k]];
    y[r] = sum;
  }
}

void plain_stencil(const float *__restrict from, float *__restrict to, std::size_t width, std::size_t begin,
                   std::size_t end, float center, float cardinal, float diagonal) {
  for (std::size_t y = begin; y < end; ++y)
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const float *here = from + y * width + x, *above = here - width, *below = here + width;
      to[y * width + x] = center * here[0] + cardinal * (here[-1] + here[1] + above[0] + below[0]) +
                          diagonal * (above[-1] + above[1] + below[-1] + below[1]);
    }
}
