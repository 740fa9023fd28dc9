//===- LayoutGen12.cpp - Fields of instructions from Gen12 on ---------------------------===//
#include "gensim/isa/Layouts.h"

namespace pocm::gensim {
namespace {

using enum Type;

Type registerType(std::uint64_t code) {
  static constexpr Type Types[16] = {UB, UW, UD, UQ, B, W, D, Q, Invalid, HF, F, DF, Invalid, BF, Invalid, Invalid};
  return Types[code];
}

Type immediateType(std::uint64_t code) {
  static constexpr Type Types[16] = {UV, UW, UD, UQ, V, W, D, Q, VF, HF, F, DF, Invalid, BF, Invalid, Invalid};
  return Types[code];
}

Type ternaryType(std::uint64_t code, bool floats) {
  static constexpr Type Types[2][8] = {{UB, UW, UD, UQ, B, W, D, Q}, {Invalid, HF, F, DF, Invalid, BF, Invalid, NF}};
  return Types[floats][code];
}

std::int16_t signedOf(std::uint64_t value, unsigned bits) {
  return std::int16_t(std::int16_t(value << (16 - bits)) >> (16 - bits));
}

void decodeDestination(const Bits &bits, Operand &o, bool hpc) {
  o.type = registerType(bits.get(39, 36));
  o.horizontal = std::uint8_t(horizontalOf(bits.get(49, 48)));
  std::uint64_t last = hpc ? bits.get(33) : 0;
  if (!bits.get(35)) {
    setRegister(o, bits.get(50), bits.get(63, 56), hpc ? bits.get(55, 51) << 1 | last : bits.get(55, 51));
    return;
  }
  o.kind = Operand::Kind::Indirect;
  o.address = std::uint8_t(bits.get(63, 60));
  o.addressOffset = hpc ? signedOf(bits.get(59, 50) << 1 | last, 11) : signedOf(bits.get(59, 50), 10);
}

void setRegion(const Bits &bits, Operand &o, unsigned at, bool hpc) {
  o.horizontal = std::uint8_t(horizontalOf(bits.get(at + 1, at)));
  unsigned w = at == 64 ? 81 : 113, v = at == 64 ? 84 : 116;
  o.width = std::uint8_t(1u << bits.get(w + 2, w));
  std::uint64_t vertical = hpc ? bits.get(v + 2, v) : bits.get(v + 3, v);
  o.eachRow = vertical == (hpc ? 7 : 15);
  o.vertical = std::uint8_t(o.eachRow ? 0 : horizontalOf(vertical));
}

/// A source whose fields begin at bit 64 or 96.
void decodeSource(const Bits &bits, Operand &o, unsigned at, bool hpc) {
  bool first = at == 64;
  std::uint64_t type = first ? bits.get(43, 40) : bits.get(91, 88);
  if (bits.get(first ? 46 : 47)) {
    o.kind = Operand::Kind::Immediate;
    o.type = immediateType(type);
    o.immediate = bits.get(127, 96);
    if (sizeOf(o.type) == 8)
      o.immediate |= bits.get(95, 64) << 32;
    return;
  }
  o.type = registerType(type);
  setModifiers(o, first ? bits.get(45, 44) : bits.get(121, 120));
  setRegion(bits, o, at, hpc);
  std::uint64_t last = hpc && first ? bits.get(87) : 0;
  if (!bits.get(first ? 80 : 112)) {
    std::uint64_t offset = bits.get(at + 7, at + 3);
    setRegister(o, bits.get(at + 2), bits.get(at + 15, at + 8), hpc ? offset << 1 | last : offset);
    return;
  }
  o.kind = Operand::Kind::Indirect;
  o.address = std::uint8_t(bits.get(at + 15, at + 12));
  std::uint64_t offset = bits.get(at + 11, at + 2);
  o.addressOffset = hpc ? signedOf(offset << 1 | last, 11) : signedOf(offset, 10);
}

void setTernaryRegion(Operand &o, std::uint64_t verticalCode, unsigned h) {
  static constexpr std::uint8_t Vertical[] = {0, 1, 4, 8};
  o.vertical = Vertical[verticalCode];
  o.horizontal = std::uint8_t(h);
  o.width = std::uint8_t(h && o.vertical ? o.vertical / h : 1);
}

void decodeTernary(const Bits &bits, Instruction &i, const Platform &platform) {
  bool floats = bits.get(39), hpc = platform.generation == Generation::XeHpc;
  unsigned unit = hpc ? 2 : 1; // of sub-registers, bytes
  i.to.type = ternaryType(bits.get(38, 36), floats);
  i.to.horizontal = std::uint8_t(1u << bits.get(48));
  if (platform.generation == Generation::Gen12)
    setRegister(i.to, bits.get(50), bits.get(63, 56), bits.get(55, 54) * 8);
  else
    setRegister(i.to, bits.get(50), bits.get(63, 56), bits.get(55, 51) * unit);
  i.from[0].type = ternaryType(bits.get(42, 40), floats);
  i.from[1].type = ternaryType(bits.get(90, 88), floats);
  i.from[2].type = ternaryType(bits.get(82, 80), floats);
  if (bits.get(46)) {
    i.from[0].kind = Operand::Kind::Immediate;
    i.from[0].immediate = bits.get(79, 64);
  } else {
    setRegister(i.from[0], bits.get(66), bits.get(79, 72), bits.get(71, 67) * unit);
    setTernaryRegion(i.from[0], bits.get(43) << 1 | bits.get(35), horizontalOf(bits.get(65, 64)));
  }
  setRegister(i.from[1], bits.get(98), bits.get(111, 104), bits.get(103, 99) * unit);
  setTernaryRegion(i.from[1], bits.get(91) << 1 | bits.get(83), horizontalOf(bits.get(97, 96)));
  if (bits.get(47)) {
    i.from[2].kind = Operand::Kind::Immediate;
    i.from[2].immediate = bits.get(127, 112);
  } else {
    setRegister(i.from[2], bits.get(114), bits.get(127, 120), bits.get(119, 115) * unit);
    i.from[2].vertical = std::uint8_t(horizontalOf(bits.get(113, 112)));
  }
  if (i.format == Format::Bfn) {
    i.table = std::uint8_t(bits.get(95, 92) << 4 | bits.get(87, 84));
    i.condition = Condition(platform.generation >= Generation::XeHpg ? bits.get(45, 44) : 0);
    return;
  }
  i.condition = Condition(bits.get(95, 92));
  if (isMacro(i)) {
    setMacroOperand(i.to, unsigned(bits.get(55, 51)));
    i.to.horizontal = 1;
    setMacroOperand(i.from[0], unsigned(bits.get(71, 67)));
    setMacroOperand(i.from[1], unsigned(bits.get(103, 99)));
    setMacroOperand(i.from[2], unsigned(bits.get(119, 115)));
  }
  setModifiers(i.from[0], bits.get(45, 44));
  setModifiers(i.from[1], bits.get(87, 86));
  setModifiers(i.from[2], bits.get(85, 84));
}

Type systolicType(std::uint64_t code, bool floats) {
  constexpr unsigned tensorFloat = 6;
  return floats && code == tensorFloat ? Type::TF32 : ternaryType(code, floats);
}

void decodeDpas(const Bits &bits, Instruction &i, bool hpc) {
  bool floats = bits.get(39);
  unsigned unit = hpc ? 2 : 1; // of sub-registers, bytes
  i.depth = std::uint8_t(1u << bits.get(49, 48));
  i.repeat = std::uint8_t(bits.get(45, 43) + 1);
  i.to.type = ternaryType(bits.get(38, 36), floats);
  i.to.horizontal = 1;
  setRegister(i.to, bits.get(50), bits.get(63, 56), bits.get(55, 51) * unit);
  i.from[0].type = ternaryType(bits.get(42, 40), floats);
  i.from[1].type = systolicType(bits.get(90, 88), floats);
  i.from[2].type = systolicType(bits.get(82, 80), floats);
  setRegister(i.from[0], bits.get(66), bits.get(79, 72), bits.get(71, 67) * unit);
  setRegister(i.from[1], bits.get(98), bits.get(111, 104), bits.get(103, 99) * unit);
  setRegister(i.from[2], bits.get(114), bits.get(127, 120), bits.get(119, 115) * unit);
  static constexpr std::uint8_t Smaller[] = {0, 4, 2, 0};
  i.bits[1] = Smaller[bits.get(87, 86)];
  i.bits[2] = Smaller[bits.get(85, 84)];
}

void decodeSend(const Bits &bits, Instruction &i, const Platform &platform) {
  i.unit = std::uint8_t(bits.get(95, 92));
  i.condition = Condition::None;
  i.endOfThread = bits.get(34);
  i.saturate = false;
  setRegister(i.to, bits.get(50), bits.get(63, 56), 0);
  setRegister(i.from[0], bits.get(66), bits.get(79, 72), 0);
  setRegister(i.from[1], bits.get(98), bits.get(111, 104), 0);
  i.descriptorByRegister = bits.get(48);
  i.extendedByRegister = bits.get(49);
  if (!i.descriptorByRegister)
    i.descriptor = std::uint32_t(bits.get(123, 122) << 30 | bits.get(71, 67) << 25 | bits.get(55, 51) << 20 |
                                 bits.get(121, 113) << 11 | bits.get(91, 81));
  i.extendedLength = std::uint8_t(bits.get(103, 99));
  bool hpg = platform.generation >= Generation::XeHpg;
  if (i.extendedByRegister) {
    i.extendedRegister = std::uint8_t(bits.get(42, 40));
    i.surfaceBase = hpg && bits.get(39);
    return;
  }
  i.extended = std::uint32_t(bits.get(127, 124) << 28 | bits.get(97, 96) << 26 | bits.get(65, 64) << 24 |
                             bits.get(47, 35) << 11 | bits.get(103, 99) << 6);
}

} // namespace

void decodeGen12(const Bits &bits, const Platform &platform, Instruction &i) {
  bool hpc = platform.generation == Generation::XeHpc;
  if (hpc) {
    static constexpr Predicate Whole[] = {Predicate::None, Predicate::Sequential, Predicate::Any, Predicate::All};
    i.scoreboard = std::uint16_t(bits.get(17, 8));
    i.size = std::uint8_t(1u << bits.get(20, 18));
    i.channel = std::uint8_t(bits.get(25, 24) * 8);
    i.flagHalf = bits.get(21);
    i.flag = std::uint8_t(bits.get(23, 22));
    i.predicate = Whole[bits.get(27, 26)];
  } else {
    i.scoreboard = std::uint16_t(bits.get(15, 8));
    i.size = std::uint8_t(1u << bits.get(18, 16));
    i.channel = std::uint8_t(bits.get(21, 19) * 4);
    i.flagHalf = bits.get(22);
    i.flag = bits.get(23);
    i.predicate = Predicate(bits.get(27, 24));
  }
  i.inverse = bits.get(28);
  i.noMask = bits.get(31);
  i.atomic = bits.get(32);
  i.branchControl = i.branches() && bits.get(33);
  bool has33 =
      !i.branches() && !hpc && (i.format == Format::Basic || i.format == Format::Math || i.format == Format::Ternary);
  i.writesAccumulator = has33 && bits.get(33);
  i.saturate = bits.get(34);
  switch (i.format) {
  case Format::Ternary:
  case Format::Bfn:
    return decodeTernary(bits, i, platform);
  case Format::Dpas:
    return decodeDpas(bits, i, hpc);
  case Format::Send:
    return decodeSend(bits, i, platform);
  case Format::TwoBranch:
    i.update = std::uint32_t(bits.get(95, 64));
    [[fallthrough]];
  case Format::Branch:
    i.jump = std::uint32_t(bits.get(127, 96));
    i.saturate = false;
    return;
  case Format::Call:
    decodeDestination(bits, i.to, hpc);
    [[fallthrough]];
  case Format::Jump:
    i.saturate = false;
    i.jumpByRegister = !bits.get(46);
    if (i.jumpByRegister)
      decodeSource(bits, i.from[0], 64, hpc);
    else
      i.jump = std::uint32_t(bits.get(127, 96));
    return;
  case Format::Sync:
    i.saturate = false;
    i.syncFunction = std::uint8_t(bits.get(95, 92));
    decodeSource(bits, i.from[0], 64, hpc);
    return;
  case Format::Ret:
    i.saturate = false;
    decodeSource(bits, i.from[0], 64, hpc);
    return;
  case Format::Nop:
    return;
  case Format::Math:
    i.function = MathFunction(bits.get(95, 92));
    break;
  default:
    break;
  }
  decodeDestination(bits, i.to, hpc);
  unsigned sources = sourcesOf(i);
  decodeSource(bits, i.from[0], 64, hpc);
  if (sources > 1)
    decodeSource(bits, i.from[1], 96, hpc);
  bool wide = i.from[0].kind == Operand::Kind::Immediate && sizeOf(i.from[0].type) == 8; // its high half is there
  if (i.format == Format::Basic && !wide)
    i.condition = Condition(bits.get(95, 92));
  if (!isMacro(i))
    return;
  setMacroOperand(i.to, unsigned(bits.get(55, 51)));
  i.to.horizontal = 1;
  setMacroOperand(i.from[0], unsigned(bits.get(71, 67)));
  if (sources > 1)
    setMacroOperand(i.from[1], unsigned(bits.get(103, 99)));
}

} // namespace pocm::gensim
