//===- Image.cpp - OpenCL images as surfaces ------------------------------------------------===//
#include "opencl/Image.h"
#include "opencl/Binary.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace pocm::opencl {
namespace {

using gensim::doubleOf;
using gensim::halfOf;

enum class Numbers { Signed, Unsigned, SignedFraction, UnsignedFraction, Half, Float };

struct TypeRow {
  ChannelType type;
  const char *name;
  unsigned bytes;
  Numbers numbers;
};
constexpr TypeRow types[] = {
    {ChannelType::Snorm8, "8_SNORM", 1, Numbers::SignedFraction},
    {ChannelType::Snorm16, "16_SNORM", 2, Numbers::SignedFraction},
    {ChannelType::Unorm8, "8_UNORM", 1, Numbers::UnsignedFraction},
    {ChannelType::Unorm16, "16_UNORM", 2, Numbers::UnsignedFraction},
    {ChannelType::Int8, "8_SINT", 1, Numbers::Signed},
    {ChannelType::Int16, "16_SINT", 2, Numbers::Signed},
    {ChannelType::Int32, "32_SINT", 4, Numbers::Signed},
    {ChannelType::Uint8, "8_UINT", 1, Numbers::Unsigned},
    {ChannelType::Uint16, "16_UINT", 2, Numbers::Unsigned},
    {ChannelType::Uint32, "32_UINT", 4, Numbers::Unsigned},
    {ChannelType::Half, "16_FLOAT", 2, Numbers::Half},
    {ChannelType::Float, "32_FLOAT", 4, Numbers::Float},
};

struct OrderRow {
  ChannelOrder order;
  const char *name;
  unsigned channels;
  unsigned at[4]; ///< Which of R, G, B and A lies at each place.
};
constexpr OrderRow orders[] = {
    {ChannelOrder::R, "R", 1, {0}},
    {ChannelOrder::A, "A", 1, {3}},
    {ChannelOrder::Rg, "RG", 2, {0, 1}},
    {ChannelOrder::Rgba, "RGBA", 4, {0, 1, 2, 3}},
    {ChannelOrder::Bgra, "BGRA", 4, {2, 1, 0, 3}},
};

const TypeRow &rowOf(ChannelType type) {
  for (const TypeRow &row : types)
    if (row.type == type)
      return row;
  throw Problem("an image format that there is not");
}
const OrderRow &rowOf(ChannelOrder order) {
  for (const OrderRow &row : orders)
    if (row.order == order)
      return row;
  throw Problem("an image format that there is not");
}

std::uint32_t bitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

/// A channel's bytes as a shader sees them: an integer, or a float.
std::uint32_t decode(const TypeRow &type, std::uint32_t raw) {
  unsigned shift = 32 - type.bytes * 8;
  auto extended = std::int32_t(raw << shift) >> shift;
  auto most = float((1ull << (type.bytes * 8 - (type.numbers == Numbers::SignedFraction))) - 1);
  switch (type.numbers) {
  case Numbers::Signed:
    return std::uint32_t(extended);
  case Numbers::Unsigned:
    return raw;
  case Numbers::SignedFraction:
    return bitsOf(std::max(-1.0f, float(extended) / most));
  case Numbers::UnsignedFraction:
    return bitsOf(float(raw) / most);
  case Numbers::Half:
    return bitsOf(float(doubleOf(std::uint16_t(raw))));
  case Numbers::Float:
    return raw;
  }
  return 0;
}

std::uint32_t encode(const TypeRow &type, std::uint32_t value) {
  unsigned bits = type.bytes * 8;
  auto number = std::bit_cast<float>(value);
  auto scaled = [&](float least, float most) {
    return std::nearbyint(double(std::isnan(number) ? 0 : std::clamp(number, least, 1.0f)) * double(most));
  };
  switch (type.numbers) {
  case Numbers::Signed: {
    auto limit = std::int64_t(1) << (bits - 1);
    return std::uint32_t(std::clamp<std::int64_t>(std::int32_t(value), -limit, limit - 1));
  }
  case Numbers::Unsigned:
    return std::uint32_t(std::min<std::uint64_t>(value, (1ull << bits) - 1));
  case Numbers::SignedFraction:
    return std::uint32_t(std::int32_t(scaled(-1, float((1 << (bits - 1)) - 1))));
  case Numbers::UnsignedFraction:
    return std::uint32_t(scaled(0, float((1 << bits) - 1)));
  case Numbers::Half:
    return halfOf(double(number), 0);
  case Numbers::Float:
    return value;
  }
  return 0;
}

class ImagePixels : public gensim::Pixels {
public:
  ImagePixels(std::shared_ptr<Image> image, std::shared_ptr<const std::vector<Sampler>> samplers)
      : image(std::move(image)), samplers(std::move(samplers)), order(rowOf(this->image->format.order)),
        type(rowOf(this->image->format.type)) {}

  void read(std::uint32_t u, std::uint32_t v, std::uint32_t w, std::uint32_t (&rgba)[4]) const override {
    std::fill_n(rgba, 4, 0);
    const std::uint8_t *pixel = at(u, v, w);
    if (!pixel)
      return;
    bool isFraction = type.numbers != Numbers::Signed && type.numbers != Numbers::Unsigned;
    rgba[3] = order.order == ChannelOrder::A ? 0 : isFraction ? bitsOf(1) : 1;
    for (unsigned k = 0; k < order.channels; ++k) {
      std::uint32_t raw = 0;
      std::memcpy(&raw, pixel + k * type.bytes, type.bytes);
      rgba[order.at[k]] = decode(type, raw);
    }
  }
  void write(std::uint32_t u, std::uint32_t v, std::uint32_t w, unsigned channel, std::uint32_t value) const override {
    std::uint8_t *pixel = at(u, v, w);
    for (unsigned k = 0; pixel && k < order.channels; ++k)
      if (order.at[k] == channel) {
        std::uint32_t raw = encode(type, value);
        std::memcpy(pixel + k * type.bytes, &raw, type.bytes);
      }
  }
  std::uint8_t *at(std::uint32_t u, std::uint32_t v, std::uint32_t w) const override {
    if (u >= image->width || v >= image->height || w >= image->depth)
      return nullptr;
    return image->bytes.data() + (std::size_t(w) * image->height + v) * image->rowBytes() +
           u * image->format.pixelBytes();
  }
  void sample(unsigned slot, const float (&uvw)[3], const int (&by)[3], const float *reference,
              std::uint32_t (&rgba)[4]) const override {
    if (reference)
      throw Problem("a comparing sampler, which OpenCL images do not have");
    if (slot >= samplers->size())
      throw Problem("sampler " + std::to_string(slot) + ", which the kernel does not have");
    const Sampler &s = (*samplers)[slot];
    std::int64_t size[3] = {image->width, image->height, image->depth}, first[3];
    double part[3];
    unsigned filtered = image->isArray ? (image->height > 1 ? 2 : 1) : 3;
    for (unsigned d = 0; d < 3; ++d) {
      bool isIndex = d >= filtered;
      double x = double(uvw[d]);
      if (isIndex) {
        first[d] = std::clamp<std::int64_t>(std::int64_t(std::nearbyint(x)), 0, size[d] - 1);
        part[d] = 0;
        continue;
      }
      if (s.normalized)
        x *= double(size[d]);
      x += by[d];
      if (s.linear)
        x -= 0.5;
      double whole = std::isfinite(x) ? std::clamp(std::floor(x), -1e9, 1e9) : 0;
      first[d] = std::int64_t(whole);
      part[d] = s.linear && std::isfinite(x) && size[d] > 1 ? x - whole : 0;
      if (s.linear && size[d] == 1)
        first[d] = std::int64_t(std::clamp(std::floor(x + 0.5), -1e9, 1e9));
    }
    bool integers = type.numbers == Numbers::Signed || type.numbers == Numbers::Unsigned;
    double sums[4] = {};
    for (unsigned corner = 0; corner < 8; ++corner) {
      double weight = 1;
      std::uint32_t where[3];
      for (unsigned d = 0; d < 3; ++d) {
        bool next = corner >> d & 1;
        weight *= next ? part[d] : 1 - part[d];
        where[d] = addressed(first[d] + next, size[d], d >= filtered ? 0x1130 : s.address);
      }
      if (weight == 0)
        continue;
      std::uint32_t texel[4];
      read(where[0], where[1], where[2], texel);
      if (integers || weight == 1) {
        std::copy_n(texel, 4, rgba);
        return;
      }
      for (unsigned c = 0; c < 4; ++c)
        sums[c] += weight * double(std::bit_cast<float>(texel[c]));
    }
    for (unsigned c = 0; c < 4; ++c)
      rgba[c] = bitsOf(float(sums[c]));
  }

private:
  /// Where a coordinate beyond the edge reads; beyond every image when that is the border.
  static std::uint32_t addressed(std::int64_t at, std::int64_t size, std::uint32_t mode) {
    constexpr std::uint32_t Edge = 0x1131, Repeat = 0x1133, Mirrored = 0x1134;
    auto modulo = [](std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; };
    if (mode == Edge)
      return std::uint32_t(std::clamp<std::int64_t>(at, 0, size - 1));
    if (mode == Repeat)
      return std::uint32_t(modulo(at, size));
    if (mode == Mirrored) {
      std::int64_t within = modulo(at, 2 * size);
      return std::uint32_t(within < size ? within : 2 * size - 1 - within);
    }
    return at < 0 || at >= size ? UINT32_MAX : std::uint32_t(at);
  }

  std::shared_ptr<Image> image;
  std::shared_ptr<const std::vector<Sampler>> samplers;
  const OrderRow &order;
  const TypeRow &type;
};

} // namespace

unsigned ImageFormat::channels() const { return rowOf(order).channels; }
unsigned ImageFormat::channelBytes() const { return rowOf(type).bytes; }

ImageFormat ImageFormat::named(std::string_view name) {
  std::string names;
  for (const OrderRow &order : orders)
    for (const TypeRow &type : types) {
      std::string text = std::string(order.name) + type.name;
      if (text == name)
        return {order.order, type.type};
      names += (names.empty() ? "" : ", ") + text;
    }
  throw Problem("unknown image format '" + std::string(name) + "'; known are: " + names);
}

Image::Image(ImageFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t depth)
    : format(format), width(width), height(height), depth(depth) {
  constexpr std::uint32_t most = 16384, deepest = 2048;
  constexpr std::uint64_t mostBytes = 1ull << 31;
  if (!width || !height || !depth || width > most || height > most || depth > deepest ||
      std::uint64_t(rowBytes()) * height * depth > mostBytes)
    throw Problem("an image of " + std::to_string(width) + "x" + std::to_string(height) + "x" + std::to_string(depth) +
                  " pixels; each side has 1 to 16384, the depth 1 to 2048, and all have 2 GiB at most");
  bytes.resize(rowBytes() * height * depth);
}

gensim::Surface surfaceOf(const std::shared_ptr<Image> &image, std::shared_ptr<const std::vector<Sampler>> samplers) {
  gensim::Surface s;
  s.base = image->bytes.data();
  s.bytes = image->bytes.size();
  s.pitch = std::int64_t(image->rowBytes());
  s.width = std::int32_t(image->rowBytes());
  s.height = std::int32_t(image->height);
  s.pixelBytes = std::int32_t(image->format.pixelBytes());
  s.pixels = std::make_shared<ImagePixels>(image, std::move(samplers));
  return s;
}

} // namespace pocm::opencl
