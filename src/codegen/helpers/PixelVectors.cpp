//===- PixelVectors.cpp - Typed and sampled access, 16 pixels at a time ----------------------------===//
//
// What kernels do with pixels nearly always: surfaces of two dimensions, formats whose pixels are one to four words,
// nothing compared. Coordinates, places and channels of 16 lanes are vectors, the pixels between are loads. All else
// goes to Pixels.cpp, which says what each pixel is; the results are the same, bit by bit.
//
//     x = u * width - 0.5              16 lanes
//     four places each                 16 lanes, one by one only where some lie beyond an edge that wraps
//     a load for each place and lane   of the whole pixel where it has up to 32 bits
//     channel by channel               shift, mask, divide, weigh: 16 lanes
//
//===-----------------------------------------------------------------------------------------------===//
#include "codegen/helpers/Helpers.h"
#include "codegen/helpers/Pixels.h"
#include <bit>

namespace pocm {
namespace {

constexpr unsigned Lanes = 16;
using Floats = float __attribute__((vector_size(4 * Lanes)));
using Ints = std::int32_t __attribute__((vector_size(4 * Lanes)));
using Words = std::uint32_t __attribute__((vector_size(4 * Lanes)));
using Shorts = std::uint16_t __attribute__((vector_size(2 * Lanes)));
using Halfs = _Float16 __attribute__((vector_size(2 * Lanes)));
using Doubles = double __attribute__((vector_size(8 * Lanes)));
using Longs = std::uint64_t __attribute__((vector_size(8 * Lanes)));

/// Lanes from memory; what is behind the last one is 0.
template <class Vector, class Element> Vector taken(const Element *from, unsigned count) {
  Vector v{};
  if (count == Lanes) [[likely]] {
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  Element some[Lanes] = {};
  for (unsigned k = 0; k < count; ++k)
    some[k] = from[k];
  std::memcpy(&v, some, sizeof v);
  return v;
}

void put(std::uint32_t *to, Words v, unsigned count) {
  if (count == Lanes) [[likely]] {
    std::memcpy(to, &v, sizeof v);
    return;
  }
  std::uint32_t all[Lanes];
  std::memcpy(all, &v, sizeof v);
  for (unsigned k = 0; k < count; ++k)
    to[k] = all[k];
}

Floats toFloats(Ints v) { return __builtin_convertvector(v, Floats); }
Floats asFloats(Words v) { return std::bit_cast<Floats>(v); }
Words asWords(Floats v) { return std::bit_cast<Words>(v); }
bool any(Ints mask) { return __builtin_reduce_or(mask); }

/// Numbers of at most 1e9 that are not NaN, rounded down.
Ints roundedDown(Floats x) {
  Ints towardsZero = __builtin_convertvector(x, Ints);
  return towardsZero + (toFloats(towardsZero) > x);
}

//===- Pixels ----------------------------------------------------------------------------------===//

/// Numbers at offsets of 16 lanes, widened.
template <class Element> Words loaded(const std::uint8_t *base, Ints offsets) {
  Words words;
#pragma unroll
  for (unsigned k = 0; k < Lanes; ++k) {
    Element element;
    std::memcpy(&element, base + offsets[k], sizeof element);
    words[k] = element;
  }
  return words;
}

/// Pixels of a surface with offsets of 32 bits.
class Pixels {
public:
  const SurfaceView &surface;
  const Layout layout;

  explicit Pixels(const SurfaceView &s) : surface(s), layout(layoutOf(s)) {}

  /// Whether this class knows them.
  bool usual() const {
    return !isEmpty(surface) && std::has_single_bit(unsigned(surface.pixel)) && surface.pixel <= 16 &&
           surface.bytes > 0 && surface.bytes < 1LL << 31 && surface.pitch > 0 && surface.pitch < 1LL << 31;
  }
  Ints offsetsOf(Ints columns, Ints rows) const { return rows * std::int32_t(surface.pitch) + columns * surface.pixel; }

  /// Pixels at some places, of which channels are taken.
  struct Some {
    Ints offsets;
    Words whole; ///< Of at most 32 bits.
  };
  [[gnu::always_inline]] Some at(Ints offsets) const {
    switch (surface.pixel) {
    case 1:
      return {offsets, loaded<std::uint8_t>(surface.base, offsets)};
    case 2:
      return {offsets, loaded<std::uint16_t>(surface.base, offsets)};
    case 4:
      return {offsets, loaded<std::uint32_t>(surface.base, offsets)};
    default:
      return {offsets, Words{}};
    }
  }

  /// A channel as a kernel sees it.
  [[gnu::always_inline]] Words channel(const Some &pixels, int index) const {
    const Channel c = layout.rgba[index];
    const bool integer = layout.kind == Uint || layout.kind == Sint;
    if (!c.bits)
      return Words{} + (index < 3 ? 0 : integer ? 1 : std::bit_cast<std::uint32_t>(1.0f));
    Words bits;
    if (surface.pixel <= 4)
      bits = pixels.whole >> c.at & c.most();
    else if (c.bits == 16)
      bits = loaded<std::uint16_t>(surface.base + c.at / 8, pixels.offsets);
    else
      bits = loaded<std::uint32_t>(surface.base + c.at / 8, pixels.offsets);
    switch (layout.kind) {
    case Unorm: // the quotient in float is that in double, rounded
      return asWords(toFloats(Ints(bits)) / float(c.most()));
    case Float:
      return c.bits == 32 ? bits
                          : asWords(__builtin_convertvector(std::bit_cast<Halfs>(__builtin_convertvector(bits, Shorts)),
                                                            Floats));
    case Sint:
      return Words(Ints(bits << (32 - c.bits)) >> (32 - c.bits));
    default:
      return bits;
    }
  }

  /// The bits of a channel in a pixel of up to 32 bits.
  Words stored(Words value, int index) const {
    const Channel c = layout.rgba[index];
    if (layout.kind == Unorm) {
      Floats f = asFloats(value);
      f = f > 0 ? f : 0; // NaN gives 0
      Doubles scaled = __builtin_convertvector(f < 1 ? f : 1, Doubles) * double(c.most());
      constexpr double integers = 0x1p52; // has no fraction
      value = __builtin_convertvector(std::bit_cast<Longs>(scaled + integers), Words);
    } else if (layout.kind == Float && c.bits == 16) {
      value = __builtin_convertvector(std::bit_cast<Shorts>(__builtin_convertvector(asFloats(value), Halfs)), Words);
    }
    return (value & c.most()) << c.at;
  }
};

/// The lanes whose pixels are on the surface, and the offsets of those; of others 0.
Ints insideOf(const SurfaceView &s, Words u, Words v, Words w, Ints wanted, Ints &offsets) {
  const bool flat = s.depth <= 1;
  const int shift = std::countr_zero(unsigned(s.pixel));
  Ints inside = wanted & (u < std::uint32_t(s.width) >> shift) & (v < std::uint32_t(s.height));
  Words rows = v;
  if (!flat) {
    inside &= w < std::uint32_t(s.depth);
    rows += w * std::uint32_t(s.height);
  }
  offsets = inside & Ints(rows * std::uint32_t(s.pitch) + (u << shift));
  return inside;
}

Ints wantedOf(const std::uint8_t *wanted, unsigned count) {
  using Bytes = std::uint8_t __attribute__((vector_size(Lanes)));
  return __builtin_convertvector(taken<Bytes>(wanted, count), Ints) != 0;
}

//===- Sampling --------------------------------------------------------------------------------===//

/// Pixels of a row or column.
struct Places {
  Ints numbers, border; ///< The border's are 0.
};

/// Those of lanes of which some lie beyond the edge, one by one.
[[gnu::noinline]] void settle(std::int32_t (&numbers)[Lanes], std::int32_t (&border)[Lanes], std::int32_t size,
                              Sampler::Address mode) {
  for (unsigned k = 0; k < Lanes; ++k) {
    const std::int64_t at = addressed(numbers[k], size, mode);
    border[k] = at == outside ? -1 : 0;
    numbers[k] = at == outside ? 0 : std::int32_t(at);
  }
}

Places placesOf(Ints numbers, std::int32_t size, Sampler::Address mode) {
  if (mode == Sampler::Address::Clamp) {
    numbers = numbers > 0 ? numbers : 0;
    return {numbers < size ? numbers : size - 1, Ints{}};
  }
  if (!any(Words(numbers) >= std::uint32_t(size)))
    return {numbers, Ints{}};
  std::int32_t each[Lanes], border[Lanes];
  std::memcpy(each, &numbers, sizeof each);
  settle(each, border, size, mode);
  return {taken<Ints>(each, Lanes), taken<Ints>(border, Lanes)};
}

/// Pixels that a sampler looks at, the border's among them.
struct Looked {
  Pixels::Some pixels;
  Ints border;
};

Looked lookedAt(const Pixels &p, const Places &columns, const Places &rows) {
  return {p.at(p.offsetsOf(columns.numbers, rows.numbers)), columns.border | rows.border};
}

Floats texelsOf(const Pixels &p, const SamplerState &state, const Looked &at, int channel) {
  Floats all = asFloats(p.channel(at.pixels, channel));
  return any(at.border) ? (at.border ? state.border[channel] : all) : all;
}

} // namespace

void pocm_typed_read(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                     const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w, std::uint32_t *channels) {
  const Pixels p(*surface);
  if (!p.usual())
    return pocm_typed_read_any(surface, mask, count, wanted, u, v, w, channels);
  for (std::uint32_t first = 0; first < count; first += Lanes) {
    const std::uint32_t n = std::min<std::uint32_t>(Lanes, count - first);
    Ints offsets, inside = insideOf(*surface, taken<Words>(u + first, n), taken<Words>(v + first, n),
                                    taken<Words>(w + first, n), wantedOf(wanted + first, n), offsets);
    const Pixels::Some pixels = p.at(offsets);
    std::uint32_t *to = channels + first;
    for (int c = 0; c < 4; ++c)
      if (mask >> c & 1) {
        put(to, Words(inside) & p.channel(pixels, c), n);
        to += count;
      }
  }
}

void pocm_typed_write(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                      const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w,
                      const std::uint32_t *channels) {
  const Pixels p(*surface);
  unsigned bits = 0; // that are written
  for (int c = 0; c < 4; ++c)
    bits += mask >> c & 1 ? p.layout.rgba[c].bits : 0;
  if (!p.usual() || surface->pixel > 4 || bits != 8U * unsigned(surface->pixel))
    return pocm_typed_write_any(surface, mask, count, wanted, u, v, w, channels);
  for (std::uint32_t first = 0; first < count; first += Lanes) {
    const std::uint32_t n = std::min<std::uint32_t>(Lanes, count - first);
    Ints offsets, inside = insideOf(*surface, taken<Words>(u + first, n), taken<Words>(v + first, n),
                                    taken<Words>(w + first, n), wantedOf(wanted + first, n), offsets);
    Words whole{};
    const std::uint32_t *from = channels + first;
    for (int c = 0; c < 4; ++c)
      if (mask >> c & 1) {
        if (p.layout.rgba[c].bits)
          whole |= p.stored(taken<Words>(from, n), c);
        from += count;
      }
    std::uint32_t nowhere;
    for (unsigned k = 0; k < Lanes; ++k) {
      std::uint8_t *to = inside[k] ? surface->base + offsets[k] : reinterpret_cast<std::uint8_t *>(&nowhere);
      const std::uint32_t pixel = whole[k];
      if (surface->pixel == 4)
        std::memcpy(to, &pixel, 4);
      else if (surface->pixel == 2)
        std::memcpy(to, &pixel, 2);
      else
        *to = std::uint8_t(pixel);
    }
  }
}

void pocm_sample(const SurfaceView *surface, const SurfaceView *samplers, std::uint32_t number, std::uint32_t mask,
                 std::uint32_t count, const float *u, const float *v, const float *w, const float *reference,
                 std::uint32_t *channels) {
  const Pixels p(*surface);
  if (!p.usual() || surface->depth > 1 || reference || p.layout.kind == Uint || p.layout.kind == Sint)
    return pocm_sample_any(surface, samplers, number, mask, count, u, v, w, reference, channels);
  const SamplerState state(*samplers, number);
  const std::int32_t width = surface->width / surface->pixel, height = surface->height;
  const int right = texelOffset(mask, 8), down = texelOffset(mask, 4);
  auto scaled = [](Floats coordinates, std::int32_t size) {
    Floats x = coordinates * float(size);
    x = x < -farthest ? -farthest : x;
    return x > farthest ? farthest : x;
  };
  for (std::uint32_t first = 0; first < count; first += Lanes) {
    const std::uint32_t n = std::min<std::uint32_t>(Lanes, count - first);
    Floats x = scaled(taken<Floats>(u + first, n), width), y = scaled(taken<Floats>(v + first, n), height);
    const Ints known = (x == x) & (y == y);
    x = known ? x : 0;
    y = known ? y : 0;
    std::uint32_t *to = channels + first;
    if (state.filter == Sampler::Filter::Nearest) {
      const Looked at = lookedAt(p, placesOf(roundedDown(x) + right, width, state.u),
                                 placesOf(roundedDown(y) + down, height, state.v));
      for (int c = 0; c < 4; ++c)
        if (mask >> c & 1) {
          put(to, Words(known) & asWords(texelsOf(p, state, at, c)), n);
          to += count;
        }
      continue;
    }
    const Ints left = roundedDown(x - 0.5f), top = roundedDown(y - 0.5f);
    const Floats ax = x - 0.5f - toFloats(left), ay = y - 0.5f - toFloats(top);
    const Places x0 = placesOf(left + right, width, state.u), x1 = placesOf(left + right + 1, width, state.u);
    const Places y0 = placesOf(top + down, height, state.v), y1 = placesOf(top + down + 1, height, state.v);
    const Looked a = lookedAt(p, x0, y0), b = lookedAt(p, x1, y0), c = lookedAt(p, x0, y1), d = lookedAt(p, x1, y1);
    for (int channel = 0; channel < 4; ++channel)
      if (mask >> channel & 1) {
        auto look = [&](const Looked &at) { return texelsOf(p, state, at, channel); };
        const Floats value = (look(a) * (1 - ax) + look(b) * ax) * (1 - ay) + (look(c) * (1 - ax) + look(d) * ax) * ay;
        put(to, Words(known) & asWords(value), n);
        to += count;
      }
  }
}

} // namespace pocm
