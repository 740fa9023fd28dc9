//===- Decoder.h - Bits to instructions ---------------------------------------------===//
#pragma once

#include "gensim/isa/Bits.h"
#include "gensim/isa/Instruction.h"
#include <span>
#include <vector>

namespace pocm::gensim {

/// The instruction in 16 bytes of its long form. Throws Problem: what the bits say that there is not.
Instruction decode(const Bits &bits, const Platform &platform, std::uint32_t address);

/// All instructions of a kernel. Throws Problem with the address.
std::vector<Instruction> decodeAll(std::span<const std::uint8_t> code, const Platform &platform);

} // namespace pocm::gensim
