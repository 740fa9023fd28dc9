// What the kernels of lists_genx.cpp compute.
#include "plain_further.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

void plainPaths(const std::uint32_t *in, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n, in += 256, out += 256) {
    std::copy(in, in + 256, out);
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 16; ++i) {
        const std::uint32_t to = out[16 * i + k];
        for (int j = 0; j < 16; ++j)
          out[16 * i + j] = std::min(out[16 * i + j], to + out[16 * k + j]);
      }
  }
}

void plainAlign(const Bytes *shorts, const Bytes *longs, std::int16_t *out, int count) {
  for (int n = 0; n < count; ++n, shorts += 32, longs += 96, out += 32) {
    std::int16_t last[97] = {};
    for (int i = 0; i < 32; ++i) {
      std::int16_t before = 0, left = 0, best = 0;
      for (int k = 0; k < 96; ++k) {
        const int same = before + (shorts[i] == longs[k] ? 3 : -2);
        before = last[k];
        left = std::int16_t(std::max({same, left - 2, before - 2, 0}));
        last[k] = left;
        best = std::max(best, left);
      }
      out[31 - i] = best;
    }
  }
}

void plainDigits(const std::uint32_t *in, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n, in += 256, out += 256) {
    std::uint32_t next[17] = {};
    for (int i = 0; i < 256; ++i)
      ++next[(in[i] & 15) + 1];
    for (int d = 1; d < 16; ++d)
      next[d] += next[d - 1];
    for (int i = 0; i < 256; ++i)
      out[next[in[i] & 15]++] = in[i];
  }
}

void plainNeighbours(const float *in, const float *all, float *out, int count) {
  for (int n = 0; n < count; ++n, in += 32, out += 64)
    for (int lane = 0; lane < 16; ++lane) {
      float least[4] = {1e30f, 1e30f, 1e30f, 1e30f};
      for (int i = 0; i < 256; ++i) {
        const float dx = all[2 * i] - in[lane], dy = all[2 * i + 1] - in[lane + 16];
        float far = dx * dx + dy * dy;
        if (far < least[3])
          for (float &l : least)
            if (far < l)
              std::swap(far, l);
      }
      for (int k = 0; k < 4; ++k)
        out[16 * k + lane] = least[k];
    }
}

void plainCells(const Bytes *in, std::uint32_t *out, int width, int height) {
  for (int y = 0; y < height / 16; ++y)
    for (int x = 0; x < width / 16; ++x, out += 32) {
      std::uint32_t count[16] = {}, sum[16] = {};
      for (int i = 0; i < 16; ++i)
        for (int k = 0; k < 16; ++k) {
          const Bytes p = in[(16 * y + i) * width + 16 * x + k];
          ++count[p >> 4];
          sum[p >> 4] += p;
        }
      std::copy(count, count + 16, out);
      std::copy(sum, sum + 16, out + 16);
    }
}

void plainEarlier(const Bytes *in, Bytes *out, int count) {
  for (int n = 0; n < count; ++n, in += 256, out += 256) {
    Bytes table[64] = {};
    for (int i = 0; i < 256; ++i) {
      const int hash = (in[i] * 37 + in[i + 1] * 11 + in[i + 2]) & 63;
      out[i] = table[hash];
      table[hash] = Bytes(i);
    }
  }
}

void plainRunning(const std::uint32_t *in, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n, in += 256, out += 256) {
    std::uint32_t sum = 0;
    for (int i = 0; i < 256; ++i)
      out[i] = sum += in[i];
  }
}

void plainChamfer(const Bytes *in, Bytes *out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int begin = 0; begin < width; begin += 32) {
      const Bytes *row = in + y * width + begin;
      Bytes *far = out + y * width + begin;
      int last = 31;
      for (int x = 0; x < 32; ++x)
        far[x] = Bytes(last = row[x] < 16 ? 0 : std::min(last + 1, 31));
      last = 31;
      for (int x = 31; x >= 0; --x)
        far[x] = Bytes(last = std::min<int>(far[x], std::min(last + 1, 31)));
    }
}

void plainSensor(const Bytes *in, Bytes *out, int width, int height) {
  for (int y = 0; y < height; ++y) {
    const Bytes *row = in + y * width, *above = y ? row - width : row, *below = y + 1 < height ? row + width : row;
    for (int x = 0; x < width; ++x, out += 4) {
      const int l = std::max(x - 1, 0), r = std::min(x + 1, width - 1);
      const int sides = row[l] + row[r], ends = above[x] + below[x];
      const int corners = above[l] + above[r] + below[l] + below[r];
      const int both = (x & 1) | (y & 1) << 1;
      out[0] = Bytes(both == 0 ? ends >> 1 : both == 1 ? corners >> 2 : both == 2 ? row[x] : sides >> 1);
      out[1] = Bytes(both == 0 || both == 3 ? row[x] : (sides + ends) >> 2);
      out[2] = Bytes(both == 0 ? sides >> 1 : both == 1 ? row[x] : both == 2 ? corners >> 2 : ends >> 1);
      out[3] = 255;
    }
  }
}

void plainMerged(const std::uint32_t *in, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n, in += 128, out += 128)
    std::merge(in, in + 64, in + 64, in + 128, out);
}

void plainKeys(const std::uint32_t *in, const std::uint32_t *table, std::uint32_t *out, int count) {
  for (int i = 0; i < count; ++i) {
    std::uint32_t place = in[i] * 2654435761u >> 20;
    while (table[2 * place] != in[i] && table[2 * place])
      place = (place + 1) & 4095;
    out[i] = table[2 * place] == in[i] ? table[2 * place + 1] : 0;
  }
}

void plainRowbytes(const float *in, std::int8_t *out, float *factors, int rows) {
  for (int n = 0; n < rows; ++n, in += 256, out += 256) {
    float most = 0;
    for (int i = 0; i < 256; ++i)
      most = std::max(most, std::fabs(in[i]));
    const float factor = 127.0f / std::max(most, 1e-20f);
    for (int i = 0; i < 256; ++i)
      out[i] = std::int8_t(std::nearbyint(in[i] * factor));
    std::fill(factors + 16 * n, factors + 16 * n + 16, factor);
  }
}

void plainNorms(const float *in, float *out, int rows) {
  for (int n = 0; n < rows; ++n, in += 256, out += 256) {
    float sum = 0, squares = 0;
    for (int i = 0; i < 256; ++i)
      sum += in[i];
    for (int i = 0; i < 256; ++i) {
      out[i] = in[i] - sum / 256;
      squares += out[i] * out[i];
    }
    const float factor = 1 / std::sqrt(squares / 256 + 1e-5f);
    for (int i = 0; i < 256; ++i)
      out[i] *= factor;
  }
}
