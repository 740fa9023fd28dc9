// What the kernels of scenes_genx.cpp compute.
#include "plain_further.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

struct Slope {
  std::int16_t x, y;
  int size() const { return std::abs(x) + std::abs(y); }
};

float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

float gradient(std::uint32_t hash, float x, float y) {
  float u = hash & 4 ? y : x, v = hash & 4 ? x : y;
  return (hash & 1 ? -u : u) + 2 * (hash & 2 ? -v : v);
}

} // namespace

void plainEdges(const Bytes *in, Bytes *out, int width, int height) {
  const int across = width + 2;
  std::vector<Slope> slopes(std::size_t(across * (height + 2)));
  auto at = [&](int x, int y) { return int(in[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)]); };
  for (int y = -1; y <= height; ++y)
    for (int x = -1; x <= width; ++x)
      slopes[std::size_t((y + 1) * across + x + 1)] = {
          std::int16_t(at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x - 1, y) -
                       at(x - 1, y + 1)),
          std::int16_t(at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x, y - 1) -
                       at(x + 1, y - 1))};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Slope *s = &slopes[std::size_t((y + 1) * across + x + 1)];
      int ax = std::abs(s->x), ay = std::abs(s->y);
      int step = ax > 2 * ay ? 1 : ay > 2 * ax ? across : (s->x ^ s->y) < 0 ? across - 1 : across + 1;
      int size = s->size();
      out[y * width + x] = size < std::max(s[-step].size(), s[step].size()) ? 0 : Bytes(std::min(size, 255));
    }
}

void plainHalfcolour(const Bytes *in, Bytes *light, Bytes *blue, Bytes *red, int width, int height) {
  for (int i = 0; i < width * height; ++i) {
    const Bytes *p = in + 4 * i;
    light[i] = Bytes(((p[0] * 66 + p[1] * 129 + p[2] * 25 + 128) >> 8) + 16);
  }
  for (int y = 0; y < height / 2; ++y)
    for (int x = 0; x < width / 2; ++x) {
      const Bytes *p = in + 8 * y * width + 8 * x, *q = p + 4 * width;
      int r = (p[0] + p[4] + q[0] + q[4] + 2) >> 2, g = (p[1] + p[5] + q[1] + q[5] + 2) >> 2;
      int b = (p[2] + p[6] + q[2] + q[6] + 2) >> 2;
      blue[y * width / 2 + x] = Bytes(((b * 112 - r * 38 - g * 74 + 128) >> 8) + 128);
      red[y * width / 2 + x] = Bytes(((r * 112 - g * 94 - b * 18 + 128) >> 8) + 128);
    }
}

void plainLarger(const Bytes *in, Bytes *out, int width, int height) {
  for (int y = 0; y < 2 * height; ++y)
    for (int x = 0; x < 2 * width; ++x) {
      const Bytes *near = in + y / 2 * width;
      const Bytes *far = in + std::clamp(y / 2 + (y % 2 ? 1 : -1), 0, height - 1) * width;
      int here = x / 2, beside = std::clamp(here + (x % 2 ? 1 : -1), 0, width - 1);
      out[y * 2 * width + x] = Bytes(((near[here] * 3 + near[beside]) * 3 + far[here] * 3 + far[beside] + 8) >> 4);
    }
}

void plainSpheres(const float *in, const float *all, float *out, int count, int groups) {
  for (int group = 0; group < groups; ++group)
    for (int lane = 0; lane < 16; ++lane) {
      const float *d = in + 48 * group + lane;
      float best = 1e30f, which = -1;
      for (int i = 0; i < count; ++i) {
        const float *s = all + 4 * i;
        float along = d[0] * s[0] + d[16] * s[1] + d[32] * s[2];
        float under = along * along - (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - s[3]);
        if (under > 0) {
          float t = along - std::sqrt(under);
          if (t > 0 && t < best) {
            best = t;
            which = float(i);
          }
        }
      }
      out[32 * group + lane] = best;
      out[32 * group + 16 + lane] = which;
    }
}

void plainNoise(const std::uint32_t *table, float *out, float scale, int width, int height) {
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      float x = float(column) * scale, y = float(row) * scale, weight = 1, sum = 0;
      for (int octave = 0; octave < 4; ++octave) {
        float left = std::floor(x), above = std::floor(y), fx = x - left, fy = y - above;
        unsigned at = unsigned(int(left)) & 255, line = unsigned(int(above)) & 255;
        unsigned a = table[at] + line, b = table[at + 1] + line;
        float u = fade(fx), v = fade(fy);
        float g00 = gradient(table[a], fx, fy), g10 = gradient(table[b], fx - 1, fy);
        float g01 = gradient(table[a + 1], fx, fy - 1), g11 = gradient(table[b + 1], fx - 1, fy - 1);
        float top = g00 + u * (g10 - g00), bottom = g01 + u * (g11 - g01);
        sum += (top + v * (bottom - top)) * weight;
        x *= 2, y *= 2, weight *= 0.5f;
      }
      out[row * width + column] = sum;
    }
}

void plainFewer(const float *in, const float *taps, float *out, int count) {
  for (int i = 0; i < count; ++i) {
    float sum = 0;
    for (int k = 0; k < 32; ++k)
      sum += in[4 * i + k] * taps[k];
    out[i] = sum;
  }
}

void plainDeterminants(const float *in, float *out, int count) {
  for (int n = 0; n < count; ++n) {
    const float *m = in + 16 * n;
    auto below = [&](int row, int i, int k) {
      return m[4 * row + i] * m[4 * row + 4 + k] - m[4 * row + k] * m[4 * row + 4 + i];
    };
    out[n] = below(0, 0, 1) * below(2, 2, 3) - below(0, 0, 2) * below(2, 1, 3) + below(0, 0, 3) * below(2, 1, 2) +
             below(0, 1, 2) * below(2, 0, 3) - below(0, 1, 3) * below(2, 0, 2) + below(0, 2, 3) * below(2, 0, 1);
  }
}

void plainParts(const std::uint32_t *in, std::uint32_t *out, std::uint32_t pivot, int parts) {
  for (int part = 0; part < parts; ++part) {
    const std::uint32_t *v = in + 64 * part;
    std::uint32_t *to = out + 64 * part, others[64];
    int small = 0, large = 0;
    for (int i = 0; i < 64; ++i)
      if (v[i] < pivot)
        to[small++] = v[i];
      else
        others[large++] = v[i];
    std::copy(others, others + large, to + small);
  }
}

void plainBitmatrix(const std::uint32_t *in, std::uint32_t *out, int count) {
  for (int n = 0; n < count; ++n) {
    std::uint32_t rows[32], mask = 0xffff;
    std::copy(in + 32 * n, in + 32 * n + 32, rows);
    for (int apart = 16; apart; apart /= 2, mask ^= mask << apart)
      for (int k = 0; k < 32; k = (k + apart + 1) & ~apart) {
        std::uint32_t changed = ((rows[k] >> apart) ^ rows[k + apart]) & mask;
        rows[k] ^= changed << apart;
        rows[k + apart] ^= changed;
      }
    std::copy(rows, rows + 32, out + 32 * n);
  }
}

void plainVotes(const std::int16_t *in, const std::int32_t *angles, std::uint32_t *out, int count, int lines) {
  for (int line = 0; line < lines; ++line) {
    std::uint32_t *votes = out + 256 * line;
    std::fill(votes, votes + 256, 0);
    for (int i = 0; i < count; ++i)
      ++votes[((in[2 * i] * angles[4 * line] + in[2 * i + 1] * angles[4 * line + 1]) >> 16) + 128];
  }
}

void plainSteps(std::uint32_t *out, int count) {
  for (int i = 0; i < count; ++i) {
    std::uint32_t n = std::uint32_t(i) + 2, steps = 0;
    for (; n != 1; ++steps)
      n = n & 1 ? n * 3 + 1 : n / 2;
    out[i] = steps;
  }
}

void plainMatches(const std::uint32_t *in, const std::uint32_t *earlier, std::uint32_t *out, int count) {
  for (int i = 0; i < count; ++i) {
    std::uint32_t length = 0;
    while (length < 16 && in[std::uint32_t(i) + length] == in[earlier[i] + length])
      ++length;
    out[i] = length;
  }
}

void plainDraws(const std::uint32_t *chances, const std::uint32_t *others, std::uint32_t *out, int count) {
  for (int i = 0; i < count; ++i) {
    std::uint32_t state = std::uint32_t(i) * 747796405 + 1, sum = 0;
    for (int k = 0; k < 64; ++k) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      std::uint32_t lot = state & 255;
      sum += state >> 8 < chances[lot] ? lot : others[lot];
    }
    out[i] = sum;
  }
}

void plainRoots(const float *in, float *out, int count) {
  for (int i = 0; i < count; ++i) {
    float a = in[i], x = std::max(a, 1.0f), change;
    do {
      float square = x * x;
      change = (x - a / (square * square)) * 0.2f;
      x -= change;
    } while (change > x * 1e-4f);
    out[i] = x;
  }
}

void plainUpwards(const std::uint32_t *parents, std::uint32_t *out, int count) {
  for (int i = 0; i < count; ++i) {
    std::uint32_t knot = std::uint32_t(i);
    while (parents[knot] != knot)
      knot = parents[knot];
    out[i] = knot;
  }
}
