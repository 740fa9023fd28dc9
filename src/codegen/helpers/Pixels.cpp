//===- Pixels.cpp - Typed and sampled access to surfaces ------------------------------===//
//
// A sampler looks between four pixels or at the nearest one; pixel centres lie at half
// coordinates. This is every case, pixel by pixel; PixelVectors.cpp has those that kernels
// are made of.
//
//===----------------------------------------------------------------------===//
#include "codegen/helpers/Pixels.h"
#include "codegen/helpers/Helpers.h"
#include <bit>
#include <cmath>

namespace pocm {
namespace {

std::uint32_t bitsAt(const std::uint8_t *pixel, Channel c) {
  std::uint32_t word = 0;
  std::memcpy(&word, pixel + c.at / 8, std::size_t((c.at % 8 + c.bits + 7) / 8));
  return word >> c.at % 8 & c.most();
}
void setBitsAt(std::uint8_t *pixel, Channel c, std::uint32_t value) {
  std::size_t size = std::size_t((c.at % 8 + c.bits + 7) / 8);
  std::uint32_t word = 0, mask = c.most() << c.at % 8;
  std::memcpy(&word, pixel + c.at / 8, size);
  word = (word & ~mask) | (value << c.at % 8 & mask);
  std::memcpy(pixel + c.at / 8, &word, size);
}

/// Channel `index` of a pixel as a kernel sees it.
std::uint32_t channelOf(const Layout &l, const std::uint8_t *pixel, int index) {
  Channel c = l.rgba[index];
  bool integer = l.kind == Uint || l.kind == Sint;
  if (!c.bits)
    return index < 3 ? 0 : integer ? 1 : std::bit_cast<std::uint32_t>(1.0f);
  std::uint32_t bits = bitsAt(pixel, c);
  switch (l.kind) {
  case Unorm:
    return std::bit_cast<std::uint32_t>(float(double(bits) / double(c.most())));
  case Float:
    return c.bits == 32 ? bits : std::bit_cast<std::uint32_t>(float(std::bit_cast<_Float16>(std::uint16_t(bits))));
  case Sint:
    return std::uint32_t(std::int32_t(bits << (32 - c.bits)) >> (32 - c.bits));
  default:
    return bits;
  }
}

void storeChannel(const Layout &l, std::uint8_t *pixel, int index, std::uint32_t value) {
  Channel c = l.rgba[index];
  if (!c.bits)
    return;
  if (l.kind == Unorm) {
    float f = std::bit_cast<float>(value);
    double most = double(c.most());
    value = std::uint32_t(std::nearbyint(f > 0 ? std::min(double(f), 1.0) * most : 0.0)); // NaN gives 0
  } else if (l.kind == Float && c.bits == 16) {
    value = std::bit_cast<std::uint16_t>(_Float16(std::bit_cast<float>(value)));
  }
  setBitsAt(pixel, c, value);
}

/// The third coordinate means nothing to what has two dimensions.
std::uint8_t *pixelAt(const SurfaceView &s, std::uint32_t u, std::uint32_t v, std::uint32_t w) {
  bool flat = s.depth <= 1;
  if (s.pixel <= 0 || u >= std::uint32_t(s.width / s.pixel) || v >= std::uint32_t(s.height) ||
      (!flat && w >= std::uint32_t(s.depth)))
    return nullptr;
  return s.base + (v + (flat ? 0 : std::int64_t(w) * s.height)) * s.pitch + std::int64_t(u) * s.pixel;
}

//===- Sampling -----------------------------------------------------------------------===//

/// Channel of a pixel as a float, the border's beyond the edge.
float texel(const SurfaceView &s, const Layout &l, const SamplerState &state, std::int64_t x, std::int64_t y,
            std::int64_t z, int channel) {
  std::int64_t px = addressed(x, s.width / s.pixel, state.u), py = addressed(y, s.height, state.v);
  std::int64_t pz = s.depth > 1 ? addressed(z, s.depth, state.w) : 0;
  if (px == outside || py == outside || pz == outside)
    return state.border[channel];
  std::uint32_t bits = channelOf(l, s.base + (pz * s.height + py) * s.pitch + px * s.pixel, channel);
  return l.kind == Uint ? float(bits) : l.kind == Sint ? float(std::int32_t(bits)) : std::bit_cast<float>(bits);
}

} // namespace

void pocm_typed_read_any(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count,
                         const std::uint8_t *wanted, const std::uint32_t *u, const std::uint32_t *v,
                         const std::uint32_t *w, std::uint32_t *channels) {
  Layout l = layoutOf(*surface);
  for (int c = 0; c < 4; ++c) {
    if (!(mask >> c & 1))
      continue;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint8_t *pixel = wanted[k] ? pixelAt(*surface, u[k], v[k], w[k]) : nullptr;
      *channels++ = pixel ? channelOf(l, pixel, c) : 0;
    }
  }
}

void pocm_typed_write_any(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count,
                          const std::uint8_t *wanted, const std::uint32_t *u, const std::uint32_t *v,
                          const std::uint32_t *w, const std::uint32_t *channels) {
  Layout l = layoutOf(*surface);
  for (int c = 0; c < 4; ++c) {
    if (!(mask >> c & 1))
      continue;
    for (std::uint32_t k = 0; k < count; ++k, ++channels)
      if (std::uint8_t *pixel = wanted[k] ? pixelAt(*surface, u[k], v[k], w[k]) : nullptr)
        storeChannel(l, pixel, c, *channels);
  }
}

void pocm_sample_any(const SurfaceView *surface, const SurfaceView *samplers, std::uint32_t number, std::uint32_t mask,
                     std::uint32_t count, const float *u, const float *v, const float *w, const float *reference,
                     std::uint32_t *channels) {
  const SurfaceView &s = *surface;
  SamplerState state(*samplers, number);
  Layout l = layoutOf(s);
  int right = texelOffset(mask, 8), down = texelOffset(mask, 4), back = texelOffset(mask, 0);
  bool empty = isEmpty(s), deep = s.depth > 1;
  auto scaled = [](float coordinate, std::int32_t size) {
    return std::clamp(coordinate * float(size), -farthest, farthest);
  };
  for (int c = 0; c < 4; ++c) {
    if (!(mask >> c & 1))
      continue;
    for (std::uint32_t k = 0; k < count; ++k) {
      float x = scaled(u[k], s.width / std::max(1, s.pixel)), y = scaled(v[k], s.height),
            z = deep ? scaled(w[k], s.depth) : 0.0f;
      float value = 0;
      if (!empty && x == x && y == y && z == z) {
        auto look = [&](std::int64_t px, std::int64_t py, std::int64_t pz) {
          float t = texel(s, l, state, px + right, py + down, pz + back, reference ? 0 : c);
          return reference ? float(reference[k] <= t) : t;
        };
        if (state.filter == Sampler::Filter::Nearest) {
          value = look(std::int64_t(std::floor(x)), std::int64_t(std::floor(y)), std::int64_t(std::floor(z)));
        } else {
          float fx = std::floor(x - 0.5f), fy = std::floor(y - 0.5f), ax = x - 0.5f - fx, ay = y - 0.5f - fy;
          auto ix = std::int64_t(fx), iy = std::int64_t(fy);
          auto slice = [&](std::int64_t iz) {
            return (look(ix, iy, iz) * (1 - ax) + look(ix + 1, iy, iz) * ax) * (1 - ay) +
                   (look(ix, iy + 1, iz) * (1 - ax) + look(ix + 1, iy + 1, iz) * ax) * ay;
          };
          float fz = std::floor(z - 0.5f), az = z - 0.5f - fz;
          auto iz = std::int64_t(fz);
          value = deep ? slice(iz) * (1 - az) + slice(iz + 1) * az : slice(0);
        }
      }
      bool integer = !reference && (l.kind == Uint || l.kind == Sint);
      *channels++ = integer ? std::uint32_t(std::int64_t(value)) : std::bit_cast<std::uint32_t>(value);
    }
  }
}

} // namespace pocm
