//===- SurfaceUse.h - Which kind of surface a kernel takes a parameter for -------------------===//
#pragma once

#include "ir/Kernel.h"

namespace pocm {

/// What all messages want that the parameter goes to; Any where they want both, where there are none, and where what
/// becomes of the parameter is not seen.
SurfaceUse surfaceUseOf(const llvm::Argument &Parameter);

} // namespace pocm
