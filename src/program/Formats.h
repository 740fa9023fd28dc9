//===- Formats.h - Surface formats by number ----------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pocm {

/// Numbers of Formats.def's rows, from 1 on.
enum class FormatNumber : unsigned {
  None,
#define FORMAT(name, bytes, pairs) F_##name,
#include "program/Formats.def"
};

/// The number of a name without the prefix of cm_rt.h; 0 when unknown.
unsigned formatNumber(std::string_view name);
/// Whether planes of chroma lie behind the first.
bool formatIsPlanar(unsigned number);

/// Where a plane lies in a surface, and its rows.
struct PlaneShape {
  std::uint64_t offset, pitch, rowBytes; ///< Bytes.
  std::uint32_t rows, pixelBytes;
};
/// Plane 0 (Y), 1 (U, or U and V) or 2 (V) of a surface of this format, whose plane 0 has `height` rows of `rowBytes`
/// bytes, `pitch` bytes apart. Nothing when the format has no such plane.
std::optional<PlaneShape> planeOf(unsigned format, unsigned plane, std::uint32_t height, std::uint64_t rowBytes,
                                  std::uint64_t pitch);
/// Rows of `pitch` bytes that the planes of chroma take behind `height` rows.
std::uint32_t chromaRows(unsigned format, std::uint32_t height);

} // namespace pocm
