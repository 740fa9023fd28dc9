//===- Formats.h - Surface formats by number ----------------------------------------===//
#pragma once

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
/// Whether a chroma plane of half the height lies behind the first.
bool formatIsPlanar(unsigned number);

} // namespace pocm
