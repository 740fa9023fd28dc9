// Loops that one would write in C++ instead of records_genx.cpp; g++ -O3 -march=native.
#include "plain_further.h"
#include <algorithm>
#include <cstring>

void plainWays(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; ++i) {
    float *least = c + i * n;
    std::copy(a + i * n, a + i * n + n, least);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        least[j] = std::min(least[j], a[i * n + k] + b[k * n + j]);
  }
}

void plainLabels(const std::uint32_t *in, std::uint32_t *out, int width, int height) {
  for (int y = 0; y < height; ++y) {
    const std::uint32_t *rows[] = {in + std::max(y - 1, 0) * width, in + y * width,
                                   in + std::min(y + 1, height - 1) * width};
    auto at = [&](int x, int left, int right) {
      std::uint32_t least = ~0u;
      for (const std::uint32_t *row : rows)
        least = std::min(least, std::min(std::min(row[left] - 1, row[x] - 1), row[right] - 1));
      out[y * width + x] = rows[1][x] ? least + 1 : 0;
    };
    at(0, 0, 1);
    for (int x = 1; x < width - 1; ++x)
      at(x, x - 1, x + 1);
    at(width - 1, width - 2, width - 1);
  }
}

void plainRuns(const Bytes *in, std::uint16_t *out, int parts) {
  for (int n = 0; n < parts; ++n, in += 64, out += 80) {
    std::memset(out, 0, 160);
    std::uint16_t count = 0;
    for (int i = 0; i < 64; ++i)
      if (i == 0 || in[i] != in[i - 1])
        out[16 + count++] = std::uint16_t(i << 8 | in[i]);
    out[0] = count;
  }
}

void plainEdits(const Bytes *in, std::uint16_t *out, int groups) {
  for (int n = 0; n < groups; ++n, in += 512, out += 16) {
    std::uint16_t row[17][16];
    for (int j = 0; j < 17; ++j)
      std::fill(row[j], row[j] + 16, std::uint16_t(j));
    for (int i = 0; i < 16; ++i) {
      std::uint16_t before[16];
      std::copy(row[0], row[0] + 16, before);
      std::fill(row[0], row[0] + 16, std::uint16_t(i + 1));
      for (int j = 0; j < 16; ++j)
        for (int lane = 0; lane < 16; ++lane) {
          std::uint16_t changed = std::uint16_t(before[lane] + (in[32 * i + lane] != in[32 * j + 16 + lane]));
          before[lane] = row[j + 1][lane];
          std::uint16_t moved = std::uint16_t(std::min(row[j][lane], before[lane]) + 1);
          row[j + 1][lane] = std::min(changed, moved);
        }
    }
    std::copy(row[16], row[16] + 16, out);
  }
}

void plainChacha(const std::uint32_t *key, std::uint32_t *out, int groups) {
  for (int n = 0; n < groups; ++n, out += 256) {
    std::uint32_t start[16][16], s[16][16];
    const std::uint32_t first[] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int lane = 0; lane < 16; ++lane) {
      for (int i = 0; i < 12; ++i)
        start[i][lane] = i < 4 ? first[i] : key[i - 4];
      start[12][lane] = std::uint32_t(n * 16 + lane);
      for (int i = 13; i < 16; ++i)
        start[i][lane] = std::uint32_t(i - 12);
    }
    std::memcpy(s, start, sizeof s);
    auto turn = [&](int d, int a, int b, int by) {
      for (int lane = 0; lane < 16; ++lane) {
        s[a][lane] += s[b][lane];
        std::uint32_t x = s[d][lane] ^ s[a][lane];
        s[d][lane] = x << by | x >> (32 - by);
      }
    };
    for (int round = 0; round < 10; ++round)
      for (int k = 0; k < 8; ++k) {
        int by = k < 4 ? 0 : 1, a = k % 4, b = 4 + (k + by) % 4, c = 8 + (k + 2 * by) % 4, d = 12 + (k + 3 * by) % 4;
        turn(d, a, b, 16);
        turn(b, c, d, 12);
        turn(d, a, b, 8);
        turn(b, c, d, 7);
      }
    for (int i = 0; i < 16; ++i)
      for (int lane = 0; lane < 16; ++lane)
        out[i * 16 + lane] = s[i][lane] + start[i][lane];
  }
}

void plainRounds(const std::uint32_t *in, const std::uint32_t *tables, const std::uint32_t *keys, std::uint32_t *out,
                 int groups) {
  for (int n = 0; n < groups; ++n, in += 64, out += 64)
    for (int lane = 0; lane < 16; ++lane) {
      std::uint32_t s[4], next[4];
      for (int i = 0; i < 4; ++i)
        s[i] = in[i * 16 + lane];
      for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 4; ++i)
          next[i] = keys[round * 4 + i] ^ tables[s[i] & 255] ^ tables[256 + (s[(i + 1) % 4] >> 8 & 255)] ^
                    tables[512 + (s[(i + 2) % 4] >> 16 & 255)] ^ tables[768 + (s[(i + 3) % 4] >> 24)];
        std::copy(next, next + 4, s);
      }
      for (int i = 0; i < 4; ++i)
        out[i * 16 + lane] = s[i];
    }
}

void plainAdler(const Bytes *in, std::uint32_t *out, int parts) {
  for (int n = 0; n < parts; ++n, in += 1024, out += 4) {
    std::uint32_t sum = 0, weighed = 0;
    for (int i = 0; i < 1024; ++i) {
      sum += in[i];
      weighed += in[i] * std::uint32_t(1024 - i);
    }
    std::fill(out, out + 4, (1024 + weighed) % 65521 << 16 | (1 + sum) % 65521);
  }
}

void plainPoints(const float *in, float *out, const float *by, int count) {
  for (int n = 0; n < count; ++n, in += 4, out += 4) {
    float result[4];
    for (int c = 0; c < 4; ++c)
      result[c] = in[0] * by[c] + in[1] * by[4 + c] + in[2] * by[8 + c] + by[12 + c];
    for (int c = 0; c < 3; ++c)
      out[c] = result[c] / result[3];
    out[3] = result[3];
  }
}

void plainRays(const float *in, const float *boxes, float *out, int count, int groups) {
  for (int n = 0; n < groups; ++n, in += 48, out += 32) {
    float inverse[3][16], best[16], which[16];
    for (int axis = 0; axis < 3; ++axis)
      for (int lane = 0; lane < 16; ++lane)
        inverse[axis][lane] = 1.0f / in[axis * 16 + lane];
    std::fill(best, best + 16, 1e30f);
    std::fill(which, which + 16, -1.0f);
    for (int i = 0; i < count; ++i)
      for (int lane = 0; lane < 16; ++lane) {
        float near = 0, far = best[lane];
        for (int axis = 0; axis < 3; ++axis) {
          float t0 = inverse[axis][lane] * boxes[i * 8 + 2 * axis],
                t1 = inverse[axis][lane] * boxes[i * 8 + 2 * axis + 1];
          float least = t0 < t1 ? t0 : t1, most = t0 < t1 ? t1 : t0;
          near = near < least ? least : near;
          far = far < most ? far : most;
        }
        best[lane] = near < far ? near : best[lane];
        which[lane] = near < far ? float(i) : which[lane];
      }
    std::memcpy(out, best, sizeof best);
    std::memcpy(out + 16, which, sizeof which);
  }
}

void plainYuv(const Bytes *in, Bytes *out, int parts) {
  for (int n = 0; n < parts; ++n, in += 96, out += 96)
    for (int i = 0; i < 32; ++i) {
      int r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
      out[i] = Bytes(((r * 66 + g * 129 + b * 25 + 128) >> 8) + 16);
      out[32 + i] = Bytes(((b * 112 - r * 38 - g * 74 + 128) >> 8) + 128);
      out[64 + i] = Bytes(((r * 112 - g * 94 - b * 18 + 128) >> 8) + 128);
    }
}

void plainPlaces(const std::uint32_t *in, const std::uint32_t *table, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n)
    out[n] = std::uint32_t(std::lower_bound(table, table + 4096, in[n]) - table);
}

void plainDecimals(const std::uint32_t *in, Bytes *out, int count) {
  for (int n = 0; n < count; ++n, out += 12) {
    std::memset(out, ' ', 12);
    std::uint32_t rest = in[n];
    int i = 9;
    do {
      out[i--] = Bytes('0' + rest % 10);
      rest /= 10;
    } while (rest);
  }
}
