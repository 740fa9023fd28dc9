//===- Formats.cpp - Surface formats by name ---------------------------------------===//
#include "program/Formats.h"
#include "pocm/pocm.h"
#include <iterator>

namespace pocm {
namespace {
struct Row {
  const char *name;
  unsigned bytes;
  unsigned chromaPlanes = 0; ///< 0: one plane in all.
  unsigned divisor = 1;      ///< Rows of luma for one of chroma.
  bool half = false, swapped = false;
  bool planar() const { return chromaPlanes; }
};
constexpr Row rows[] = {
#define FORMAT(name, bytes, pairs) {#name, bytes},
#define PLANAR(name, bytes, planes, divisor, half, swapped) {#name, bytes, planes, divisor, half, swapped},
#include "program/Formats.def"
};
} // namespace

unsigned formatNumber(std::string_view name) {
  for (const Row &row : rows)
    if (name == row.name)
      return unsigned(&row - rows) + 1;
  return 0;
}

unsigned formatBytes(std::string_view name) {
  unsigned number = formatNumber(name);
  return number ? rows[number - 1].bytes : 0;
}

namespace {
const Row *rowOf(unsigned number) { return number >= 1 && number <= std::size(rows) ? &rows[number - 1] : nullptr; }
} // namespace

bool formatIsPlanar(unsigned number) { return rowOf(number) && rowOf(number)->planar(); }

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

std::vector<std::string> formatNames() {
  std::vector<std::string> all;
  for (const Row &row : rows)
    if (!row.planar())
      all.push_back(row.name);
  return all;
}

} // namespace pocm
