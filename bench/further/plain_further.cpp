// Loops that one would write in C++ instead of the kernels of this folder; g++ -O3 -march=native.
#include "plain_further.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace {

int inside(int v, int size) { return std::clamp(v, 0, size - 1); }

Bytes saturated(int v) { return Bytes(std::clamp(v, 0, 255)); }

} // namespace

void plainMedian(const Bytes *in, Bytes *out, int width, int height) {
  for (int y = 0; y < height; ++y) {
    const Bytes *rows[] = {in + inside(y - 1, height) * width, in + y * width, in + inside(y + 1, height) * width};
    for (int x = 0; x < width; ++x) {
      Bytes p[9];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          p[i * 3 + j] = rows[i][inside(x + j - 1, width)];
      auto order = [&](int a, int b) {
        Bytes least = std::min(p[a], p[b]);
        p[b] = std::max(p[a], p[b]);
        p[a] = least;
      };
      order(1, 2), order(4, 5), order(7, 8), order(0, 1), order(3, 4), order(6, 7), order(1, 2), order(4, 5);
      order(7, 8), order(0, 3), order(5, 8), order(4, 7), order(3, 6), order(1, 4), order(2, 5), order(4, 7);
      order(4, 2), order(6, 4), order(4, 2);
      out[y * width + x] = p[4];
    }
  }
}

void plainSobel(const Bytes *in, Bytes *out, int width, int height) {
  for (int y = 0; y < height; ++y) {
    const Bytes *a = in + inside(y - 1, height) * width, *b = in + y * width, *c = in + inside(y + 1, height) * width;
    for (int x = 0; x < width; ++x) {
      int l = inside(x - 1, width), r = inside(x + 1, width);
      int gx = a[r] + 2 * b[r] + c[r] - a[l] - 2 * b[l] - c[l], gy = c[l] + 2 * c[x] + c[r] - a[l] - 2 * a[x] - a[r];
      out[y * width + x] = saturated(std::abs(gx) + std::abs(gy));
    }
  }
}

void plainBilateral(const Bytes *in, Bytes *out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float middle = in[y * width + x], sum = 0, weights = 0;
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
          float p = in[inside(y + i, height) * width + inside(x + j, width)], d = p - middle;
          float weight = std::exp2(d * d * (-1.0f / 512)) * (1.0f / float(1 + (i != 0) + (j != 0)));
          sum += p * weight;
          weights += weight;
        }
      out[y * width + x] = Bytes(sum / weights + 0.5f);
    }
}

void plainSmaller(const Bytes *in, Bytes *out, int width, int height) {
  for (int y = 0; y < height / 2; ++y)
    for (int x = 0; x < width / 8; ++x)
      for (int c = 0; c < 4; ++c) {
        const Bytes *p = in + 2 * y * width + 8 * x + c;
        out[y * width / 2 + 4 * x + c] = Bytes((p[0] + p[4] + p[width] + p[width + 4] + 2) >> 2);
      }
}

void plainNv12(const Bytes *luma, const Bytes *chroma, Bytes *out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Bytes *uv = chroma + y / 2 * width + x / 2 * 2;
      int c = (luma[y * width + x] - 16) * 298 + 128, u = uv[0] - 128, v = uv[1] - 128;
      Bytes *to = out + 4 * (y * width + x);
      to[0] = saturated((c + v * 409) >> 8);
      to[1] = saturated((c - u * 100 - v * 208) >> 8);
      to[2] = saturated((c + u * 516) >> 8);
      to[3] = 255;
    }
}

void plainFft64(const float *in, const float *factors, float *out, int count) {
  for (int n = 0; n < count; ++n, in += 128, out += 128) {
    float data[2][128];
    std::memcpy(data[0], in, sizeof data[0]);
    for (int step = 0, apart = 1; step < 6; ++step, apart *= 2) {
      const float *re = data[step % 2], *im = re + 64, *wr = factors + 64 * step, *wi = wr + 32;
      float *toRe = data[1 - step % 2], *toIm = toRe + 64;
      for (int j = 0; j < 32 / apart; ++j)
        for (int k = 0; k < apart; ++k) {
          int at = j * apart + k, to = 2 * j * apart + k;
          float dr = re[at] - re[at + 32], di = im[at] - im[at + 32];
          toRe[to] = re[at] + re[at + 32];
          toIm[to] = im[at] + im[at + 32];
          toRe[to + apart] = dr * wr[at] - di * wi[at];
          toIm[to + apart] = dr * wi[at] + di * wr[at];
        }
    }
    std::memcpy(out, data[0], sizeof data[0]);
  }
}

void plainDct(const std::int16_t *in, const float *factors, std::int16_t *out, int width, int height) {
  const float *c = factors, *t = factors + 64;
  for (int y = 0; y < height; y += 8)
    for (int x = 0; x < width; x += 8) {
      float half[8][8] = {}, whole[8][8] = {};
      for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 8; ++k)
          for (int j = 0; j < 8; ++j)
            half[i][j] += c[8 * i + k] * in[(y + k) * width + x + j];
      for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 8; ++k)
          for (int j = 0; j < 8; ++j)
            whole[i][j] += half[i][k] * t[8 * k + j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          out[(y + i) * width + x + j] = std::int16_t(std::rint(whole[i][j]));
    }
}

void plainHaar(const std::int16_t *in, std::int16_t *out, int width, int height) {
  for (int y = 0; y < height; y += 16)
    for (int x = 0; x < width; x += 16) {
      std::int16_t rows[16][16];
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
          int a = in[(y + i) * width + x + 2 * j], b = in[(y + i) * width + x + 2 * j + 1];
          rows[i][j] = std::int16_t((a + b) >> 1);
          rows[i][8 + j] = std::int16_t(a - b);
        }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 16; ++j) {
          int a = rows[2 * i][j], b = rows[2 * i + 1][j];
          out[(y + i) * width + x + j] = std::int16_t((a + b) >> 1);
          out[(y + 8 + i) * width + x + j] = std::int16_t(a - b);
        }
    }
}

void plainMandelbrot(std::int32_t *out, float x0, float y0, float step, int limit, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float cr = x0 + float(x) * step, ci = y0 + float(y) * step, zr = 0, zi = 0;
      int n = 0;
      for (; n < limit; ++n) {
        float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4)
          break;
        zi = zr * zi * 2 + ci;
        zr = rr - ii + cr;
      }
      out[y * width + x] = n;
    }
}

static float cumulative(float x) {
  float k = 1 / (1 + 0.2316419f * std::fabs(x));
  float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228f * std::exp(x * x * -0.5f) * sum;
  return x >= 0 ? 1 - tail : tail;
}

void plainOptions(const float *stock, const float *strike, const float *years, float *call, float *put, int count) {
  for (int i = 0; i < count; ++i) {
    float s = stock[i], k = strike[i], t = years[i], root = std::sqrt(t);
    float d1 = (std::log(s / k) + 0.065f * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    float n1 = cumulative(d1), n2 = cumulative(d2), discounted = k * std::exp(t * -0.02f);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1 - n2) - s * (1 - n1);
  }
}

void plainLu(const float *in, float *out, int count) {
  std::memcpy(out, in, sizeof(float) * 256 * std::size_t(count));
  for (int n = 0; n < count; ++n, out += 256)
    for (int k = 0; k < 15; ++k) {
      float inverse = 1 / out[17 * k];
      for (int i = k + 1; i < 16; ++i) {
        float factor = out[16 * i + k] * inverse;
        for (int j = k + 1; j < 16; ++j)
          out[16 * i + j] -= factor * out[16 * k + j];
        out[16 * i + k] = factor;
      }
    }
}

void plainCentres(const float *x, const float *y, const float *places, float *sums, int parts) {
  std::fill_n(sums, 48 * parts, 0.0f);
  for (int part = 0; part < parts; ++part, sums += 48)
    for (int i = 0; i < 256; ++i, ++x, ++y) {
      float least = 1e30f;
      int nearest = 0;
      for (int c = 0; c < 12; ++c) {
        float dx = *x - places[c], dy = *y - places[16 + c], d = dx * dx + dy * dy;
        if (d < least) {
          least = d;
          nearest = c;
        }
      }
      sums[nearest] += *x;
      sums[16 + nearest] += *y;
      sums[32 + nearest] += 1;
    }
}

void plainSoftmax(const float *in, float *out, int rows) {
  for (int r = 0; r < rows; ++r, in += 256, out += 256) {
    float most = *std::max_element(in, in + 256), sum = 0;
    for (int i = 0; i < 256; ++i)
      sum += out[i] = std::exp(in[i] - most);
    for (int i = 0; i < 256; ++i)
      out[i] *= 1 / sum;
  }
}

void plainBytes(const std::int8_t *weights, const std::int8_t *in, std::int32_t *out, int width, int rows) {
  for (int r = 0; r < rows; ++r) {
    int sum = 0;
    for (int k = 0; k < width; ++k)
      sum += weights[r * width + k] * in[k];
    out[r] = sum;
  }
}

void plainHeat(const float *in, float *out, int width, int height) {
  for (int y = 0; y < height; ++y) {
    const float *above = in + inside(y - 1, height) * width, *row = in + y * width;
    const float *below = in + inside(y + 1, height) * width;
    for (int x = 0; x < width; ++x) {
      float around = row[inside(x - 1, width)] + row[inside(x + 1, width)] + above[x] + below[x];
      out[y * width + x] = row[x] + 0.2f * (around - 4 * row[x]);
    }
  }
}

void plainQuarter(std::uint32_t *out, int steps, int lanes) {
  for (int lane = 0; lane < lanes; ++lane) {
    std::uint32_t state = std::uint32_t(lane + 1) * 2654435769u, hits = 0;
    for (int i = 0; i < steps; ++i) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      auto x = float(state & 0xffff), y = float(state >> 16);
      hits += x * x + y * y < 65536.0f * 65536.0f;
    }
    out[lane] = hits;
  }
}

void plainCrc(const std::uint32_t *in, const std::uint32_t *table, std::uint32_t *out, int count, int groups) {
  for (int g = 0; g < groups; ++g, in += 16 * count, out += 16)
    for (int lane = 0; lane < 16; ++lane) {
      std::uint32_t sum = 0xffffffff;
      for (int i = 0; i < count; ++i) {
        sum ^= in[16 * i + lane];
        for (int byte = 0; byte < 4; ++byte)
          sum = table[sum & 255] ^ (sum >> 8);
      }
      out[lane] = ~sum;
    }
}

void plainSearch(const Bytes *in, std::uint32_t *out, const Bytes *pattern, int parts) {
  for (int part = 0; part < parts; ++part, in += 224) {
    std::uint32_t hits = 0;
    for (int at = 0; at < 224; ++at)
      hits += std::memcmp(in + at, pattern, 8) == 0;
    std::fill_n(out + 4 * part, 4, hits);
  }
}

void plainHamming(const std::uint32_t *in, std::uint32_t *out, const std::uint32_t *query, int count) {
  for (int n = 0; n < count; ++n, in += 8) {
    int distance = 0;
    for (int k = 0; k < 8; ++k)
      distance += __builtin_popcount(in[k] ^ query[k]);
    out[n] = std::uint32_t(distance);
  }
}

void plainLife(const std::uint32_t *in, std::uint32_t *out, int pitch, int words, int rows) {
  const int next = pitch / 4;
  for (int y = 1; y <= rows; ++y)
    for (int x = 4; x < 4 + words; ++x) {
      std::uint32_t ones = 0, twos = 0, fours = 0; // how many neighbours
      const std::uint32_t *here = in + y * next + x;
      auto add = [&](std::uint32_t cells) {
        std::uint32_t carry = ones & cells;
        ones ^= cells;
        fours |= twos & carry;
        twos ^= carry;
      };
      for (int dy = -1; dy <= 1; ++dy) {
        const std::uint32_t *row = here + dy * next;
        add(row[0] << 1 | row[-1] >> 31);
        add(row[0] >> 1 | row[1] << 31);
        if (dy)
          add(row[0]);
      }
      out[y * next + x] = twos & ~fours & (ones | *here);
    }
}

static std::uint32_t turned(std::uint32_t x, int by) { return x >> by | x << (32 - by); }

void plainSha256(const std::uint32_t *in, const std::uint32_t *constants, std::uint32_t *out, int groups) {
  const std::uint32_t start[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int g = 0; g < groups; ++g, in += 256, out += 128)
    for (int lane = 0; lane < 16; ++lane) {
      std::uint32_t w[64], s[8];
      std::copy(start, start + 8, s);
      for (int i = 0; i < 16; ++i)
        w[i] = in[16 * i + lane];
      for (int i = 16; i < 64; ++i) {
        std::uint32_t x = w[i - 15], y = w[i - 2];
        w[i] =
            w[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[i - 7] + (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
      }
      for (int i = 0; i < 64; ++i) {
        std::uint32_t t1 = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                           ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        std::uint32_t t2 =
            (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        std::copy_backward(s, s + 7, s + 8);
        s[4] += t1;
        s[0] = t1 + t2;
      }
      for (int i = 0; i < 8; ++i)
        out[16 * i + lane] = s[i] + start[i];
    }
}

void plainBase64(const Bytes *in, Bytes *out, int count) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < count; i += 3, in += 3, out += 4) {
    out[0] = Bytes(letters[in[0] >> 2]);
    out[1] = Bytes(letters[(in[0] & 3) << 4 | in[1] >> 4]);
    out[2] = Bytes(letters[(in[1] & 15) << 2 | in[2] >> 6]);
    out[3] = Bytes(letters[in[2] & 63]);
  }
}
