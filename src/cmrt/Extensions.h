//===- Extensions.h - What the exported functions share -----------------------------------===//
#pragma once

#include "cm_rt.h"

namespace pocm::cmrt {

/// Whether a pointer is a device that was created and not destroyed. Any thread. (Exports.cpp)
bool isDevice(CmDevice *device);

} // namespace pocm::cmrt
