//===- Formats.cpp - Surface formats by name ---------------------------------------===//
#include "program/Formats.h"
#include "pocm/pocm.h"
#include <iterator>

namespace pocm {
namespace {
constexpr const char *names[] = {
#define FORMAT(name, bytes, pairs) #name,
#include "program/Formats.def"
};
} // namespace

unsigned formatNumber(std::string_view name) {
  for (const char *const &known : names)
    if (name == known)
      return unsigned(&known - names) + 1;
  return 0;
}

unsigned formatBytes(std::string_view name) {
  unsigned number = formatNumber(name);
  return number ? planeOf(number, 0, 0, 0, 0)->pixelBytes : 0;
}

std::vector<std::string> formatNames() {
  std::vector<std::string> all;
  for (const char *const &name : names)
    if (!formatIsPlanar(unsigned(&name - names) + 1))
      all.push_back(name);
  return all;
}

} // namespace pocm
