//===- Layouts.h - The two families of encodings --------------------------------------===//
#pragma once

#include "gensim/isa/Bits.h"
#include "gensim/isa/Instruction.h"

namespace pocm::gensim {

/// Fills all but the opcode; branch offsets stay relative.
void decodeGen9(const Bits &bits, const Platform &platform, Instruction &i);
void decodeGen12(const Bits &bits, const Platform &platform, Instruction &i);

/// Of math it depends on the function.
unsigned sourcesOf(const Instruction &i);
/// A step of an exact division or root, whose operands are whole registers with extended accumulators.
inline bool isMacro(const Instruction &i) {
  return i.opcode == Opcode::Madm || (i.opcode == Opcode::Math && i.function >= MathFunction::Invm);
}
inline void setMacroOperand(Operand &o, unsigned accumulator) {
  o.accumulator = std::uint8_t(accumulator);
  o.offset = 0;
  o.vertical = o.width = 1;
  o.horizontal = 0;
  o.eachRow = false;
}
// Fields that both have

inline unsigned horizontalOf(std::uint64_t code) { return code ? 1u << (code - 1) : 0; }

inline void setRegister(Operand &o, bool general, std::uint64_t number, std::uint64_t offset) {
  o.kind = general ? Operand::Kind::General : Operand::Kind::Architecture;
  o.number = std::uint8_t(number);
  if (!general) {
    o.arf = Arf(number >> 4);
    o.number = number & 15;
  }
  o.offset = std::uint8_t(offset);
}

inline void setModifiers(Operand &o, std::uint64_t code) {
  o.absolute = code & 1;
  o.negate = code & 2;
}

/// Branch offsets as addresses.
void resolve(Instruction &i, const Platform &platform);

} // namespace pocm::gensim
