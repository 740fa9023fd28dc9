//===- Formats.cpp - Surface formats by name ---------------------------------------===//
#include "program/Formats.h"
#include "pocm/pocm.h"
#include <iterator>

namespace pocm {
namespace {
struct Row {
  const char *name;
  unsigned bytes;
  bool planar;
};
constexpr Row rows[] = {
#define FORMAT(name, bytes, pairs) {#name, bytes, false},
#define PLANAR(name, bytes) {#name, bytes, true},
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

bool formatIsPlanar(unsigned number) { return number >= 1 && number <= std::size(rows) && rows[number - 1].planar; }

std::vector<std::string> formatNames() {
  std::vector<std::string> all;
  for (const Row &row : rows)
    if (!row.planar)
      all.push_back(row.name);
  return all;
}

} // namespace pocm
