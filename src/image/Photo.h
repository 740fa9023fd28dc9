//===- Photo.h - Photographs in files ------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pocm::image {

/// 8-bit pixels, rows packed. 1 channel is grey, 3 are R G B, 4 are R G B A.
struct Photo {
  unsigned width = 0, height = 0, channels = 3;
  std::vector<std::uint8_t> pixels;

  std::size_t stride() const { return std::size_t(width) * channels; }
};

/// Whether the file starts like a PNG or a JPEG.
bool isPhoto(const std::string &path);
/// Reads a PNG or JPEG as R G B. Throws std::runtime_error that names the file and the problem.
Photo load(const std::string &path);
/// Writes a PNG. Throws std::runtime_error.
void savePng(const std::string &path, const Photo &photo);
/// The photograph at another size, bilinear.
Photo scaled(const Photo &photo, unsigned width, unsigned height);

} // namespace pocm::image
