//===- SurfacePixels.h - Pixels of a surface, by its format ------------------------------===//
#pragma once

#include "gensim/memory/Memory.h"
#include "runtime/Device.h"

namespace pocm::gensim {

/// Views of a launch's surface for messages that know formats.
std::shared_ptr<const Pixels> pixelsOf(runtime::Memory &memory, const std::vector<Sampler> &samplers);

} // namespace pocm::gensim
