//===- Formats.cpp - Surface formats by name ---------------------------------------===//
#include "pocm/pocm.h"

namespace pocm {
namespace {
struct Row {
  const char *name;
  unsigned bytes;
};
constexpr Row rows[] = {
#define FORMAT(name, bytes, pairs) {#name, bytes},
#include "program/Formats.def"
};
} // namespace

unsigned formatBytes(std::string_view name) {
  for (const Row &row : rows)
    if (name == row.name)
      return row.bytes;
  return 0;
}

std::vector<std::string> formatNames() {
  std::vector<std::string> all;
  for (const Row &row : rows)
    all.push_back(row.name);
  return all;
}

} // namespace pocm
