//===- Limits.h - How fast this machine moves and computes --------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace cmrun {

/// What kernels made for it reach.
struct Limits {
  double bytes = 0;      ///< Moved a second, read and written, between a large buffer and another.
  double operations = 0; ///< A second, in multiply-adds of float; each is two.
};

/// Measures, for a fifth of a second or so, with as many host threads and the CPU that the options name.
Limits measureLimits(const pocm::DeviceOptions &options);

} // namespace cmrun
