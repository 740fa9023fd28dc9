// What the kernels of models_genx.cpp compute.
#include "plain_further.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

void plainLattice(const float *in, float *out, int pitch, int rows, int cells, float omega) {
  const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, plane = pitch * (rows + 2);
  for (int y = 1; y <= rows; ++y)
    for (int x = 16; x < 16 + cells; ++x) {
      float f[9], density = 0, u = 0, v = 0;
      for (int k = 0; k < 9; ++k) {
        f[k] = in[k * plane + (y - dy[k]) * pitch + x - dx[k]];
        density += f[k];
        u += f[k] * float(dx[k]);
        v += f[k] * float(dy[k]);
      }
      u /= density;
      v /= density;
      const float square = 1 - 1.5f * (u * u + v * v);
      for (int k = 0; k < 9; ++k) {
        const float weight = k == 0 ? 4.0f / 9 : k < 5 ? 1.0f / 9 : 1.0f / 36;
        const float along = 3 * (u * float(dx[k]) + v * float(dy[k]));
        const float rest = weight * density * (square + along + 0.5f * along * along);
        out[k * plane + y * pitch + x] = f[k] + omega * (rest - f[k]);
      }
    }
}

void plainFourbit(const Bytes *weights, const _Float16 *scales, const float *x, float *y, int rows, int width) {
  for (int r = 0; r < rows; ++r) {
    float all = 0;
    for (int k = 0; k < width; k += 32) {
      float sum = 0;
      for (int i = 0; i < 32; i += 2) {
        const int two = weights[(r * width + k + i) / 2];
        sum += float((two & 15) - 8) * x[k + i] + float((two >> 4) - 8) * x[k + i + 1];
      }
      all += sum * float(scales[(r * width + k) / 32]);
    }
    y[r] = all;
  }
}

void plainAttention(const float *queries, const float *keys, const float *values, float *out, int queryCount,
                    int count) {
  for (int n = 0; n < queryCount; ++n, queries += 64, out += 64) {
    float most = -1e30f, total = 0, sum[64] = {};
    for (int k = 0; k < count; ++k) {
      float score = 0;
      for (int i = 0; i < 64; ++i)
        score += queries[i] * keys[64 * k + i];
      score *= 0.125f;
      const float now = std::max(most, score), before = std::exp(most - now), weight = std::exp(score - now);
      total = total * before + weight;
      for (int i = 0; i < 64; ++i)
        sum[i] = sum[i] * before + weight * values[64 * k + i];
      most = now;
    }
    for (int i = 0; i < 64; ++i)
      out[i] = sum[i] / total;
  }
}

void plainTables(const std::uint32_t *in, const std::uint32_t *table, const std::uint32_t *keys, std::uint32_t *out,
                 int blocks) {
  for (int n = 0; n < blocks; ++n, in += 4, out += 4) {
    std::uint32_t s[4] = {in[0], in[1], in[2], in[3]};
    for (int round = 0; round < 9; ++round) {
      std::uint32_t t[4];
      for (int i = 0; i < 4; ++i)
        t[i] = table[s[i] & 255] ^ table[256 + (s[(i + 1) & 3] >> 8 & 255)] ^
               table[512 + (s[(i + 2) & 3] >> 16 & 255)] ^ table[768 + (s[(i + 3) & 3] >> 24)] ^ keys[4 * round + i];
      std::copy(t, t + 4, s);
    }
    std::copy(s, s + 4, out);
  }
}

void plainSponge(const std::uint64_t *in, const std::uint64_t *constants, std::uint64_t *out, int groups) {
  const int by[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
  auto turned = [](std::uint64_t x, int n) { return n ? x << n | x >> (64 - n) : x; };
  for (int n = 0; n < groups * 8; ++n) {
    const std::uint64_t *from = in + n / 8 * 200 + n % 8;
    std::uint64_t s[25], b[25], c[5];
    for (int i = 0; i < 25; ++i)
      s[i] = from[8 * i];
    for (int round = 0; round < 24; ++round) {
      for (int x = 0; x < 5; ++x)
        c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
      for (int x = 0; x < 5; ++x)
        for (int y = 0; y < 5; ++y)
          b[y + 5 * ((2 * x + 3 * y) % 5)] =
              turned(s[x + 5 * y] ^ c[(x + 4) % 5] ^ turned(c[(x + 1) % 5], 1), by[x + 5 * y]);
      for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x)
          s[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
      s[0] ^= constants[2 * round];
    }
    for (int i = 0; i < 25; ++i)
      out[n / 8 * 200 + n % 8 + 8 * i] = s[i];
  }
}

void plainPerspective(const std::uint32_t *in, std::uint32_t *out, const float *m, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float w = 1 / (m[6] * float(x) + (m[7] * float(y) + m[8]));
      const float u = (m[0] * float(x) + (m[1] * float(y) + m[2])) * w;
      const float v = (m[3] * float(x) + (m[4] * float(y) + m[5])) * w, left = std::floor(u), top = std::floor(v);
      const int i = int(left), j = int(top);
      std::uint32_t all = 0;
      if (i >= 0 && i < width - 1 && j >= 0 && j < height - 1) {
        const std::uint32_t *p = in + j * width + i, fx = std::uint32_t((u - left) * 256),
                            fy = std::uint32_t((v - top) * 256);
        for (int channel = 0; channel < 32; channel += 8) {
          const std::uint32_t upper = (p[0] >> channel & 255) * (256 - fx) + (p[1] >> channel & 255) * fx;
          const std::uint32_t lower = (p[width] >> channel & 255) * (256 - fx) + (p[width + 1] >> channel & 255) * fx;
          all |= (upper * (256 - fy) + lower * fy) >> 16 << channel;
        }
      }
      out[y * width + x] = all;
    }
}

void plainCube(const std::uint32_t *in, const std::uint32_t *colours, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n) {
    const std::uint32_t p = in[n], r = p & 255, g = p >> 8 & 255, b = p >> 16 & 255;
    const std::uint32_t *at = colours + (r >> 4) + (g >> 4) * 17 + (b >> 4) * 289;
    std::uint32_t red = 0, green = 0, blue = 0;
    for (int k = 0; k < 8; ++k) {
      const std::uint32_t corner = at[(k & 1) + (k >> 1 & 1) * 17 + (k >> 2) * 289];
      const std::uint32_t weight =
          (k & 1 ? r & 15 : 16 - (r & 15)) * (k & 2 ? g & 15 : 16 - (g & 15)) * (k & 4 ? b & 15 : 16 - (b & 15));
      red += weight * (corner & 255);
      green += weight * (corner >> 8 & 255);
      blue += weight * (corner >> 16 & 255);
    }
    out[n] = (p & 0xff000000) | red >> 12 | green >> 12 << 8 | blue >> 12 << 16;
  }
}

void plainCodes(const std::uint32_t *in, const std::uint16_t *table, Bytes *out, int streams) {
  for (int n = 0; n < streams; ++n, in += 40, out += 64) {
    std::uint32_t bits = 0, have = 0;
    const std::uint32_t *next = in;
    for (int i = 0; i < 64; ++i) {
      if (have <= 16) {
        bits |= *next++ << have;
        have += 16;
      }
      const std::uint16_t code = table[bits & 255];
      out[i] = Bytes(code);
      bits >>= code >> 8;
      have -= code >> 8;
    }
  }
}

void plainLists(const std::uint32_t *links, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n) {
    std::uint32_t at = std::uint32_t(n), steps = 0;
    for (; steps < 1000 && links[at] != at; ++steps)
      at = links[at];
    out[n] = at << 10 | steps;
  }
}

void plainTrellis(const std::int16_t *in, const std::int16_t *signs, std::uint64_t *ways, std::int16_t *costs,
                  int streams, int count) {
  for (int n = 0; n < streams; ++n, costs += 64) {
    std::int16_t cost[64], next[64];
    std::fill(cost, cost + 64, std::int16_t(1000));
    cost[0] = 0;
    for (int i = 0; i < count; ++i, in += 2) {
      std::uint64_t taken[2] = {};
      for (int k = 0; k < 32; ++k) {
        const std::int16_t branch = std::int16_t(signs[k] * in[0] + signs[32 + k] * in[1]);
        const std::int16_t a = std::int16_t(cost[k] + branch), b = std::int16_t(cost[k + 32] - branch);
        const std::int16_t c = std::int16_t(cost[k] - branch), d = std::int16_t(cost[k + 32] + branch);
        taken[0] |= std::uint64_t(a > b) << k;
        taken[1] |= std::uint64_t(c > d) << k;
        next[2 * k] = std::min(a, b);
        next[2 * k + 1] = std::min(c, d);
      }
      *ways++ = taken[0] | taken[1] << 32;
      std::copy(next, next + 64, cost);
      if (i % 16 == 15) {
        const std::int16_t least = *std::min_element(cost, cost + 64);
        for (std::int16_t &value : cost)
          value = std::int16_t(value - least);
      }
    }
    std::copy(cost, cost + 64, costs);
  }
}

void plainSystems(const float *in, float *out, int groups) {
  for (int n = 0; n < groups * 16; ++n) {
    const float *row = in + n / 16 * 2048 + n % 16;
    float upper[32], right[32], c = 0, d = 0, x = 0;
    for (int i = 0; i < 32; ++i, row += 64) {
      const float factor = 1 / (row[16] - row[0] * c);
      c = row[32] * factor;
      d = (row[48] - row[0] * d) * factor;
      upper[i] = c;
      right[i] = d;
    }
    for (int i = 31; i >= 0; --i)
      out[n / 16 * 512 + n % 16 + i * 16] = x = right[i] - upper[i] * x;
  }
}

void plainLimbs(const std::uint32_t *in, std::uint32_t *out, int groups) {
  for (int n = 0; n < groups * 16; ++n) {
    const std::uint32_t *a = in + n / 16 * 256 + n % 16, *b = a + 128;
    std::uint32_t r[16] = {};
    for (int i = 0; i < 8; ++i) {
      std::uint64_t carry = 0;
      for (int k = 0; k < 8; ++k) {
        carry += std::uint64_t(a[16 * i]) * b[16 * k] + r[i + k];
        r[i + k] = std::uint32_t(carry);
        carry >>= 32;
      }
      r[i + 8] = std::uint32_t(carry);
    }
    for (int i = 0; i < 16; ++i)
      out[n / 16 * 256 + n % 16 + 16 * i] = r[i];
  }
}

void plainKept(const std::uint32_t *in, std::uint32_t *out, std::uint32_t *counts, std::uint32_t limit, int groups) {
  for (int n = 0; n < groups; ++n, in += 256, out += 256) {
    std::uint32_t count = 0;
    for (int i = 0; i < 256; ++i)
      if (in[i] < limit)
        out[count++] = in[i];
    counts[n] = count;
  }
}

void plainZigzag(const std::int16_t *in, const std::int16_t *factors, const std::uint16_t *order, std::int16_t *out,
                 std::uint32_t *lengths, int blocks) {
  for (int n = 0; n < blocks; ++n, in += 64, out += 64) {
    std::uint32_t length = 0;
    for (int i = 0; i < 64; ++i) {
      const int from = order[i];
      out[i] = std::int16_t((in[from] * factors[from] + 0x4000) >> 15);
      if (out[i])
        length = std::uint32_t(i + 1);
    }
    lengths[n] = length;
  }
}
