//===- Image.h - OpenCL images as surfaces --------------------------------------------------===//
//
//     Image image(ChannelOrder::Rgba, ChannelType::Unorm8, 64, 48);
//     image.pixels                       // bytes, row after row
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/memory/Memory.h"
#include <string_view>

namespace pocm::opencl {

/// Numbers are those of the OpenCL headers.
enum class ChannelOrder : std::uint32_t { R = 0x10B0, A = 0x10B1, Rg = 0x10B2, Rgba = 0x10B5, Bgra = 0x10B6 };
enum class ChannelType : std::uint32_t {
  Snorm8 = 0x10D0,
  Snorm16 = 0x10D1,
  Unorm8 = 0x10D2,
  Unorm16 = 0x10D3,
  Int8 = 0x10D7,
  Int16 = 0x10D8,
  Int32 = 0x10D9,
  Uint8 = 0x10DA,
  Uint16 = 0x10DB,
  Uint32 = 0x10DC,
  Half = 0x10DD,
  Float = 0x10DE
};

struct Sampler {
  bool normalized = false, linear = false;
  std::uint32_t address = 0x1130; ///< CL_ADDRESS_NONE, or one up to CL_ADDRESS_MIRRORED_REPEAT.
};

struct ImageFormat {
  ChannelOrder order = ChannelOrder::Rgba;
  ChannelType type = ChannelType::Unorm8;

  unsigned channels() const;
  unsigned channelBytes() const;
  unsigned pixelBytes() const { return channels() * channelBytes(); }
  /// "RGBA8_UNORM", "R32_FLOAT", as names of surface formats. Throws Problem with the names there are.
  static ImageFormat named(std::string_view name);
};

struct Image {
  /// Of zeros. `depth`: slices of a 3D image, or images of an array. Throws Problem for absurd sizes.
  Image(ImageFormat format, std::uint32_t width, std::uint32_t height = 1, std::uint32_t depth = 1);

  std::size_t rowBytes() const { return std::size_t(width) * format.pixelBytes(); }

  ImageFormat format;
  std::uint32_t width, height, depth;
  bool isArray = false; ///< The last coordinate of a sample is a number of an image.
  std::vector<std::uint8_t> bytes;
};

/// The image as messages see it; `samplers` by slot.
gensim::Surface surfaceOf(const std::shared_ptr<Image> &image, std::shared_ptr<const std::vector<Sampler>> samplers);

} // namespace pocm::opencl
