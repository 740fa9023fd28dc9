//===- Formats.h - Surface formats ------------------------------------------------===//
#pragma once

#include "cm_rt.h"

namespace pocm::cmrt {

struct Format {
  const char *name; ///< Without the prefix CM_SURFACE_FORMAT_.
  CM_SURFACE_FORMAT code;
  UINT pixelBytes;
  bool evenWidth; ///< Pixels come in pairs.
  bool planar;    ///< Planes of chroma follow.
};

/// The formats that surfaces can have; null for any other code.
const Format *findFormat(CM_SURFACE_FORMAT code);

} // namespace pocm::cmrt
