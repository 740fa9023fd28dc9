// Loops that one would write in C++ instead of samples_genx.cpp; g++ -O3 -march=native.
#include "plain_further.h"
#include <algorithm>
#include <numeric>

void plainPlanes(const Bytes *in, std::uint32_t *out, int parts) {
  for (int n = 0; n < parts; ++n, in += 256, out += 64)
    for (int plane = 0; plane < 8; ++plane)
      for (int part = 0; part < 8; ++part) {
        std::uint32_t bits = 0;
        for (int i = 0; i < 32; ++i)
          bits |= std::uint32_t(in[part * 32 + i] >> plane & 1) << i;
        out[plane * 8 + part] = bits;
      }
}

void plainBlend(const Bytes *over, const Bytes *under, Bytes *out, int width, int height) {
  for (int i = 0; i < width * height; i += 4)
    for (int c = 0; c < 4; ++c) {
      int alpha = over[i + 3], sum = over[i + c] * alpha + under[i + c] * (255 - alpha) + 128;
      out[i + c] = Bytes((sum + (sum >> 8)) >> 8);
    }
}

void plainUtf8(const Bytes *in, std::uint32_t *out, int parts) {
  for (in += 16; parts > 0; --parts, in += 224, out += 4) {
    std::uint32_t characters = 0, errors = 0;
    for (int i = 0; i < 224; ++i) {
      bool later = (in[i] & 0xc0) == 0x80;
      bool expected = in[i - 1] >= 0xc0 || in[i - 2] >= 0xe0 || in[i - 3] >= 0xf0;
      characters += !later;
      errors += later != expected;
    }
    out[0] = characters;
    out[1] = errors;
    out[2] = out[3] = 0;
  }
}

void plainLongest(const Bytes *in, std::uint32_t *out, int pieces) {
  for (int n = 0; n < pieces; ++n, in += 64) {
    std::uint32_t most = 1, length = 1;
    for (int i = 1; i < 64; ++i) {
      length = in[i] == in[i - 1] ? length + 1 : 1;
      most = std::max(most, length);
    }
    out[n] = most;
  }
}

void plainMorton(const std::uint32_t *in, std::uint32_t *out, int width, int height) {
  for (int y = 0; y < height; y += 8)
    for (int x = 0; x < width; x += 8, out += 64)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          out[(j & 1) | (i & 1) << 1 | (j & 2) << 1 | (i & 2) << 2 | (j & 4) << 2 | (i & 4) << 3] =
              in[(y + i) * width + x + j];
}

void plainHalves(const _Float16 *weights, const _Float16 *in, float *out, int width, int rows) {
  for (int r = 0; r < rows; ++r) {
    float sums[16] = {};
    for (int k = 0; k < width; k += 16)
      for (int i = 0; i < 16; ++i)
        sums[i] += float(weights[r * width + k + i]) * float(in[k + i]);
    out[r] = std::accumulate(sums, sums + 16, 0.0f);
  }
}

void plainTones(const Bytes *in, const Bytes *tables, Bytes *out, int width, int height) {
  for (int i = 0; i < width * height; i += 2) {
    out[i] = tables[in[i]];
    out[i + 1] = tables[256 + in[i + 1]];
  }
}

void plainFir(const std::int16_t *in, std::int16_t *out, const std::int16_t *taps, int count) {
  for (int i = 0; i < count; ++i) {
    int sum = 0x4000;
    for (int k = 0; k < 8; ++k)
      sum += in[i + 16 - k] * taps[k];
    out[i] = std::int16_t(std::clamp(sum >> 15, -32768, 32767));
  }
}

void plainTop(const float *in, float *out, int rows) {
  for (int r = 0; r < rows; ++r, in += 128, out += 8) {
    int places[128];
    std::iota(places, places + 128, 0);
    std::partial_sort(places, places + 4, places + 128,
                      [&](int a, int b) { return in[a] != in[b] ? in[a] > in[b] : a < b; });
    for (int i = 0; i < 4; ++i) {
      out[i] = in[places[i]];
      out[4 + i] = float(places[i]);
    }
  }
}

void plainUnpack(const Bytes *in, std::uint16_t *out, int pairs) {
  for (int i = 0; i < pairs; ++i) {
    out[2 * i] = std::uint16_t(in[3 * i] | (in[3 * i + 1] & 15) << 8);
    out[2 * i + 1] = std::uint16_t(in[3 * i + 1] >> 4 | in[3 * i + 2] << 4);
  }
}
