//===- Compaction.h - Short instructions as long ones ---------------------------------===//
#pragma once

#include "gensim/isa/Bits.h"
#include "gensim/isa/Types.h"

namespace pocm::gensim {

/// The 16-byte form of an 8-byte instruction. Throws Problem when the generation has no such short form.
Bits expand(std::uint64_t compacted, const Platform &platform);

} // namespace pocm::gensim
