//===- Formats.cpp - Surface formats ----------------------------------------------===//
#include "cmrt/Formats.h"

namespace pocm::cmrt {

const Format *findFormat(CM_SURFACE_FORMAT code) {
  static constexpr Format formats[] = {
#define FORMAT(name, bytes, pairs) {#name, CM_SURFACE_FORMAT_##name, bytes, pairs, false},
#define PLANAR(name, bytes, ...) {#name, CM_SURFACE_FORMAT_##name, bytes, true, true},
#include "program/Formats.def"
  };
  for (const Format &format : formats)
    if (format.code == code)
      return &format;
  return nullptr;
}

} // namespace pocm::cmrt
