//===- Planes.cpp - Where the planes of a surface lie ------------------------------===//
//
// Without the formats' names: kernels have this, too (codegen/helpers).
//
//===-------------------------------------------------------------------------------===//
#include "program/Formats.h"
#include <iterator>

namespace pocm {
namespace {
struct Row {
  unsigned bytes;
  unsigned chromaPlanes = 0; ///< 0: one plane in all.
  unsigned divisor = 1;      ///< Rows of luma for one of chroma.
  bool half = false, swapped = false;
};
constexpr Row rows[] = {
#define FORMAT(name, bytes, pairs) {bytes},
#define PLANAR(name, bytes, planes, divisor, half, swapped) {bytes, planes, divisor, half, swapped},
#include "program/Formats.def"
};

const Row *rowOf(unsigned number) { return number >= 1 && number <= std::size(rows) ? &rows[number - 1] : nullptr; }
} // namespace

bool formatIsPlanar(unsigned number) { return rowOf(number) && rowOf(number)->chromaPlanes; }

std::optional<PlaneShape> planeOf(unsigned format, unsigned plane, std::uint32_t height, std::uint64_t rowBytes,
                                  std::uint64_t pitch) {
  const Row *row = rowOf(format);
  if (plane == 0)
    return PlaneShape{0, pitch, rowBytes, height, row ? row->bytes : 1};
  if (!row || plane > row->chromaPlanes)
    return std::nullopt;
  PlaneShape shape{pitch * height, pitch, rowBytes, height / row->divisor, row->bytes};
  if (row->chromaPlanes == 1)
    shape.pixelBytes *= 2; // two values
  if (row->half) {
    shape.pitch /= 2;
    shape.rowBytes /= 2;
  }
  unsigned place = row->swapped ? row->chromaPlanes - plane : plane - 1;
  shape.offset += place * shape.pitch * shape.rows;
  return shape;
}

std::uint32_t chromaRows(unsigned format, std::uint32_t height) {
  const Row *row = rowOf(format);
  if (!row)
    return 0;
  std::uint32_t all = row->chromaPlanes * (height / row->divisor);
  return row->half ? (all + 1) / 2 : all;
}

} // namespace pocm
