//===- Pixels.h - Channels of formats, and what samplers do beyond the edge -----------------===//
//
// A format is a list of channels: which of R, G, B, A, at which bit, how wide, of which kind. Normalised and float
// channels are floats in a kernel, the others integers of 32 bits. Channels that a format lacks are 0, alpha 1.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/helpers/Surface.h"
#include "pocm/pocm.h"
#include "program/Formats.h"
#include <algorithm>
#include <cstring>

namespace pocm {

enum Kind : std::uint8_t { None, Unorm, Uint, Sint, Float };
struct Channel {
  std::uint8_t at, bits;
  constexpr std::uint32_t most() const { return bits == 32 ? ~0U : (1U << bits) - 1; }
};
struct Layout {
  Kind kind = Uint;
  Channel rgba[4] = {};
};

constexpr Layout bytes4(Kind kind, int r, int g, int b, int a) {
  return {kind,
          {{std::uint8_t(r * 8), 8},
           {std::uint8_t(g * 8), 8},
           {std::uint8_t(b * 8), 8},
           {std::uint8_t(a * 8), std::uint8_t(a < 0 ? 0 : 8)}}};
}

inline Layout layoutOf(const SurfaceView &s) {
  switch (FormatNumber(s.format)) {
  case FormatNumber::F_A8R8G8B8:
    return bytes4(Unorm, 2, 1, 0, 3);
  case FormatNumber::F_X8R8G8B8:
    return {Unorm, {{16, 8}, {8, 8}, {0, 8}, {}}};
  case FormatNumber::F_A8B8G8R8:
    return bytes4(Unorm, 0, 1, 2, 3);
  case FormatNumber::F_R10G10B10A2:
    return {Unorm, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}};
  case FormatNumber::F_R16G16_UNORM:
    return {Unorm, {{0, 16}, {16, 16}}};
  case FormatNumber::F_A16B16G16R16:
    return {Unorm, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}};
  case FormatNumber::F_A16B16G16R16F:
    return {Float, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}};
  case FormatNumber::F_R32G32B32A32F:
    return {Float, {{0, 32}, {32, 32}, {64, 32}, {96, 32}}};
  case FormatNumber::F_R32F:
    return {Float, {{0, 32}}};
  case FormatNumber::F_R32_SINT:
    return {Sint, {{0, 32}}};
  case FormatNumber::F_R16_SINT:
    return {Sint, {{0, 16}}};
  case FormatNumber::F_R16_FLOAT:
    return {Float, {{0, 16}}};
  case FormatNumber::F_R16_UNORM:
  case FormatNumber::F_L16:
  case FormatNumber::F_D16:
    return {Unorm, {{0, 16}}};
  case FormatNumber::F_A8:
    return {Unorm, {{}, {}, {}, {0, 8}}};
  case FormatNumber::F_R8_UNORM:
  case FormatNumber::F_Y8_UNORM:
  case FormatNumber::F_NV12: // luma; chroma is reached through its plane
    return {Unorm, {{0, 8}}};
  case FormatNumber::F_R8G8_UNORM:
    return {Unorm, {{0, 8}, {8, 8}}};
  case FormatNumber::F_YUY2: // luma of each pixel
    return {Unorm, {{0, 8}}};
  default: { // integers as wide as the pixel, of at most 32 bits each
    Layout l{Uint, {}};
    for (int c = 0; c < 4 && c * 4 < s.pixel; ++c)
      l.rgba[c] = {std::uint8_t(c * 32), std::uint8_t(std::min(32, s.pixel * 8))};
    return l;
  }
  }
}

/// Whether a surface has no pixels.
inline bool isEmpty(const SurfaceView &s) { return s.pixel <= 0 || s.width < s.pixel || s.height <= 0; }

/// The texel offset whose lowest bit is that, in the upper half of a sampler message's mask.
constexpr int texelOffset(std::uint32_t mask, unsigned low) { return std::int32_t(mask >> (16 + low) << 28) >> 28; }

constexpr float farthest = 1e9f; // coordinate in texels: what is addressed stays within 32 bits

constexpr std::int64_t outside = -1;

/// The pixel that coordinate `i` of `size` means.
inline std::int64_t addressed(std::int64_t i, std::int64_t size, Sampler::Address mode) {
  auto modulo = [](std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; };
  switch (mode) {
  case Sampler::Address::Wrap:
    return modulo(i, size);
  case Sampler::Address::Mirror: {
    std::int64_t m = modulo(i, 2 * size);
    return m < size ? m : 2 * size - 1 - m;
  }
  case Sampler::Address::Border:
    return i < 0 || i >= size ? outside : i;
  case Sampler::Address::MirrorOnce:
    return std::min(i < 0 ? -1 - i : i, size - 1);
  default:
    return std::clamp<std::int64_t>(i, 0, size - 1);
  }
}

struct SamplerState {
  Sampler::Filter filter = Sampler::Filter::Nearest;
  Sampler::Address u = Sampler::Address::Clamp, v = Sampler::Address::Clamp, w = Sampler::Address::Clamp;
  float border[4] = {};
  /// The default for a number that nothing has.
  SamplerState(const SurfaceView &samplers, std::uint32_t number) {
    if (number >= std::uint64_t(samplers.bytes) / sizeof(SamplerView))
      return;
    SamplerView view;
    std::memcpy(&view, samplers.base + number * sizeof(view), sizeof(view));
    filter = Sampler::Filter(view.filter);
    u = Sampler::Address(view.u);
    v = Sampler::Address(view.v);
    w = Sampler::Address(view.w);
    std::copy(view.border, view.border + 4, border);
  }
};

} // namespace pocm
