//===- plain_indexed.cpp - What one would write without PoCM --------------------------===//
#include "indexed.h"
#include <cstring>

void plainHistogram(const std::uint8_t *in, std::uint32_t *h, int count) {
  std::uint32_t own[256] = {};
  for (int i = 0; i < count; i++)
    own[in[i]]++;
  std::memcpy(h, own, sizeof own);
}

void plainTableBytes(const std::uint8_t *in, const std::uint8_t *table, std::uint8_t *out, int count) {
  for (int i = 0; i < count; i++)
    out[i] = table[in[i]];
}

void plainTableFloats(const std::uint8_t *in, const float *table, float *out, int count) {
  for (int i = 0; i < count; i++)
    out[i] = table[in[i] & 63];
}

void plainRows(const std::uint8_t *classes, const float *in, float *sums, int count) {
  float own[16][16] = {};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 16; k++)
      own[classes[i] & 15][k] += in[i * 16 + k];
  std::memcpy(sums, own, sizeof own);
}

void plainColumns(const std::uint8_t *classes, const float *in, float *sums, int count) {
  float own[8][16] = {};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 8; k++)
      own[k][classes[i] & 15] += in[i * 8 + k];
  std::memcpy(sums, own, sizeof own);
}

void plainInsertion(const std::uint32_t *in, std::uint32_t *out, int count, int blocks) {
  for (int b = 0; b < blocks; b++) {
    std::uint32_t v[32];
    std::memcpy(v, in + b * 32, sizeof v);
    for (int i = 1; i < count; i++) {
      std::uint32_t x = v[i];
      int k = i;
      while (k > 0 && v[k - 1] > x) {
        v[k] = v[k - 1];
        k--;
      }
      v[k] = x;
    }
    std::memcpy(out + b * 32, v, sizeof v);
  }
}
