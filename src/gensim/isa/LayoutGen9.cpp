//===- LayoutGen9.cpp - Fields of instructions up to Gen11 ----------------------------===//
#include "gensim/isa/Layouts.h"

namespace pocm::gensim {
namespace {

using enum Type;

enum File : unsigned { Architecture = 0, General = 1, Immediate = 3 };

Type registerType(std::uint64_t code, bool gen9) {
  static constexpr Type Gen9[16] = {UD, D, UW, W, UB, B, DF, F, UQ, Q, HF, Invalid, Invalid, Invalid, Invalid, Invalid};
  static constexpr Type Gen11[16] = {UD, D, UW, W, UB, B, UQ, Q, HF, F, DF, NF, Invalid, Invalid, Invalid, Invalid};
  return (gen9 ? Gen9 : Gen11)[code];
}

Type immediateType(std::uint64_t code, bool gen9) {
  static constexpr Type Gen9[16] = {UD, D, UW, W, UV, VF, V, F, UQ, Q, DF, HF, Invalid, Invalid, Invalid, Invalid};
  static constexpr Type Gen11[16] = {UD, D, UW, W, UV, V, UQ, Q, HF, F, DF, VF, Invalid, Invalid, Invalid, Invalid};
  return (gen9 ? Gen9 : Gen11)[code];
}

void setRegion(Operand &o, std::uint64_t h, std::uint64_t w, std::uint64_t v) {
  o.horizontal = std::uint8_t(horizontalOf(h));
  o.width = std::uint8_t(1u << w);
  o.eachRow = v == 15;
  o.vertical = std::uint8_t(o.eachRow ? 0 : horizontalOf(v));
}

void decodeDestination(const Bits &bits, Operand &o, bool gen9) {
  o.type = registerType(bits.get(40, 37), gen9);
  o.horizontal = std::uint8_t(horizontalOf(bits.get(62, 61)));
  if (!bits.get(63)) {
    setRegister(o, bits.get(36, 35) == General, bits.get(60, 53), bits.get(52, 48));
    return;
  }
  o.kind = Operand::Kind::Indirect;
  o.address = std::uint8_t(bits.get(60, 57));
  o.addressOffset = std::int16_t(std::int16_t((bits.get(47) << 9 | bits.get(56, 48)) << 6) >> 6);
}

/// A source whose fields begin at bit 64 or 96, its file and type at 41 or 89.
void decodeSource(const Bits &bits, Operand &o, unsigned at, unsigned file, bool gen9) {
  if (bits.get(file + 1, file) == Immediate) {
    o.kind = Operand::Kind::Immediate;
    o.type = immediateType(bits.get(file + 5, file + 2), gen9);
    o.immediate = bits.get(127, 96);
    if (sizeOf(o.type) == 8)
      o.immediate = o.immediate << 32 | bits.get(95, 64);
    return;
  }
  o.type = registerType(bits.get(file + 5, file + 2), gen9);
  setModifiers(o, bits.get(at + 14, at + 13));
  setRegion(o, bits.get(at + 17, at + 16), bits.get(at + 20, at + 18), bits.get(at + 24, at + 21));
  if (!bits.get(at + 15)) {
    setRegister(o, bits.get(file + 1, file) == General, bits.get(at + 12, at + 5), bits.get(at + 4, at));
    return;
  }
  o.kind = Operand::Kind::Indirect;
  o.address = std::uint8_t(bits.get(at + 12, at + 9));
  unsigned sign = at == 64 ? 95 : 121;
  o.addressOffset = std::int16_t(std::int16_t((bits.get(sign) << 9 | bits.get(at + 8, at)) << 6) >> 6);
}

/// What a predicate's control means in Align16 code.
Predicate predicateOfAlign16(unsigned control) {
  static constexpr Predicate Controls[] = {Predicate::None, Predicate::Sequential, Predicate::X,    Predicate::Y,
                                           Predicate::Z,    Predicate::W,          Predicate::Any4, Predicate::All4};
  if (control >= std::size(Controls))
    throw Problem("a predicate that there is not in Align16 code");
  return Controls[control];
}

void decodeTernaryGen9(const Bits &bits, Instruction &i) {
  static constexpr Type Types[8] = {F, D, UD, DF, HF, Invalid, Invalid, Invalid};
  Type type = Types[bits.get(45, 43)];
  setRegister(i.to, true, bits.get(63, 56), bits.get(55, 53) * 4);
  i.to.type = Types[bits.get(48, 46)];
  i.to.horizontal = 1;
  auto enables = unsigned(bits.get(52, 49));
  unsigned element = 0;
  bool macro = i.opcode == Opcode::Madm;
  if (macro) {
    i.to.accumulator = std::uint8_t(enables);
  } else if (enables != 0xF) { // one element, which is one channel, or two of a double
    unsigned width = sizeOf(i.to.type) > 4 ? 2 : 1, elements = 4 / width, one = (1u << width) - 1;
    while (element < elements && enables != one << element * width)
      ++element;
    if (element == elements || i.size != elements)
      throw Problem("three sources with some of the channels enabled");
    if (element && i.condition != Condition::None)
      throw Problem("three sources with a condition of the second to fourth channel");
    if (element && i.predicate == Predicate::Sequential)
      i.predicate = Predicate(unsigned(Predicate::X) + element);
    i.size = 1;
    i.to.offset = std::uint8_t(i.to.offset + element * sizeOf(i.to.type));
  }
  struct Places {
    unsigned modifiers, replicate, swizzle, high, low, number, isHalf;
  };
  static constexpr Places All[] = {
      {37, 64, 65, 73, 84, 76, 0}, {39, 85, 86, 94, 105, 97, 36}, {41, 106, 107, 115, 126, 118, 35}};
  for (unsigned k = 0; k < 3; ++k) {
    const Places &p = All[k];
    Operand &o = i.from[k];
    setRegister(o, true, bits.get(p.number + 7, p.number), (bits.get(p.high + 2, p.high) << 1 | bits.get(p.low)) * 2);
    o.type = !p.isHalf            ? type
             : bits.get(p.isHalf) ? HF
             : type == HF         ? F
                                  : type; // each of the others says if it is half
    setModifiers(o, bits.get(p.modifiers + 1, p.modifiers));
    if (macro) {
      o.accumulator = std::uint8_t(bits.get(p.swizzle + 3, p.swizzle));
      o.vertical = 1;
    } else if (bits.get(p.replicate)) {
      o.vertical = 0;
    } else if (auto order = bits.get(p.swizzle + 7, p.swizzle);
               sizeOf(o.type) == 8 && (order == 0x44 || order == 0xEE)) {
      o.vertical = 0; // xyxy or zwzw: the first or second double for all
      o.offset = std::uint8_t(o.offset + (order == 0xEE ? 8 : 0));
    } else {
      if (order != 0xE4)
        throw Problem("three sources with their channels in another order");
      o.vertical = 2, o.width = 2, o.horizontal = 1;
      o.offset = std::uint8_t(o.offset + element * sizeOf(o.type));
    }
  }
}

void setTernaryRegion(Operand &o, unsigned v, unsigned h) {
  o.vertical = std::uint8_t(v);
  o.horizontal = std::uint8_t(h);
  o.width = std::uint8_t(h && v ? v / h : 1);
}

void decodeTernaryGen11(const Bits &bits, Instruction &i) {
  static constexpr Type Types[2][8] = {{UD, D, UW, W, UB, B, Invalid, Invalid},
                                       {HF, F, DF, NF, Invalid, Invalid, Invalid, Invalid}};
  static constexpr unsigned Vertical[] = {0, 2, 4, 8};
  bool floats = bits.get(35);
  bool macro = i.opcode == Opcode::Madm;
  setRegister(i.to, !bits.get(36), bits.get(63, 56), bits.get(55, 54) * 8);
  i.to.type = Types[floats][bits.get(48, 46)];
  i.to.horizontal = std::uint8_t(macro ? 1 : 1u << bits.get(49));
  if (macro)
    i.to.accumulator = std::uint8_t(bits.get(52, 49));
  struct Places {
    unsigned modifiers, file, type, region, offset, number;
  };
  static constexpr Places All[] = {{37, 43, 64, 67, 71, 76}, {39, 44, 85, 88, 92, 97}, {41, 45, 106, 111, 113, 118}};
  for (unsigned k = 0; k < 3; ++k) {
    const Places &p = All[k];
    Operand &o = i.from[k];
    o.type = Types[floats][bits.get(p.type + 2, p.type)];
    setModifiers(o, bits.get(p.modifiers + 1, p.modifiers));
    bool file = bits.get(p.file);
    if (file && k != 1 && o.type != NF) {
      o.kind = Operand::Kind::Immediate;
      o.immediate = k == 0 ? bits.get(82, 67) : bits.get(124, 109);
      continue;
    }
    setRegister(o, !file, bits.get(p.number + 7, p.number), bits.get(p.offset + 4, p.offset));
    if (macro)
      o.accumulator = std::uint8_t(bits.get(p.region + 3, p.region));
    if (k < 2)
      setTernaryRegion(o, Vertical[bits.get(p.region + 1, p.region)],
                       horizontalOf(bits.get(p.region + 3, p.region + 2)));
    else
      setTernaryRegion(o, horizontalOf(bits.get(112, 111)), 0);
  }
}

void decodeSend(const Bits &bits, Instruction &i, bool gen9) {
  bool split = i.format == Format::Splitsend;
  i.unit = std::uint8_t(bits.get(27, 24));
  i.condition = Condition::None;
  i.endOfThread = bits.get(127);
  if (!split)
    decodeDestination(bits, i.to, gen9);
  else
    setRegister(i.to, bits.get(35), bits.get(60, 53), 0);
  setRegister(i.from[0], split || bits.get(42, 41) == General, bits.get(76, 69), 0);
  if (!split) {
    i.descriptorByRegister = bits.get(90, 89) != Immediate;
    i.descriptor = std::uint32_t(bits.get(126, 96));
    i.extended = std::uint32_t(bits.get(94, 91) << 28 | bits.get(88, 85) << 24 | bits.get(83, 80) << 20 |
                               bits.get(67, 64) << 16);
    return;
  }
  setRegister(i.from[1], bits.get(36), bits.get(51, 44), 0);
  i.descriptorByRegister = bits.get(77);
  i.descriptor = std::uint32_t(bits.get(126, 96));
  i.extendedByRegister = bits.get(61);
  i.extendedRegister = std::uint8_t(bits.get(82, 80));
  i.extended = std::uint32_t(bits.get(95, 80) << 16 | bits.get(67, 64) << 6);
  i.extendedLength = std::uint8_t(bits.get(67, 64));
}

} // namespace

void decodeGen9(const Bits &bits, const Platform &platform, Instruction &i) {
  bool gen9 = platform.generation == Generation::Gen9;
  i.size = std::uint8_t(1u << bits.get(23, 21));
  i.channel = std::uint8_t(bits.get(13, 11) * 4);
  i.dependency = std::uint8_t(bits.get(10, 9));
  i.threadControl = std::uint8_t(bits.get(15, 14));
  i.atomic = i.threadControl == 1;
  i.predicate = Predicate(bits.get(19, 16));
  i.inverse = bits.get(20);
  i.flagHalf = bits.get(32);
  i.flag = bits.get(33);
  i.noMask = bits.get(34);
  i.saturate = bits.get(31);
  bool flow = i.format == Format::TwoBranch || i.format == Format::Branch || i.format == Format::Jump;
  i.writesAccumulator = !flow && bits.get(28);
  i.branchControl = flow && bits.get(28);
  bool ternary = i.format == Format::Ternary;
  if (i.format == Format::Math)
    i.function = MathFunction(bits.get(27, 24));
  else
    i.condition = Condition(bits.get(27, 24));
  if (gen9 && bits.get(8)) {
    if (!ternary && !isMacro(i))
      throw Problem("Align16 code of one or two sources");
    i.predicate = predicateOfAlign16(unsigned(bits.get(19, 16)));
  }
  switch (i.format) {
  case Format::Ternary:
    return gen9 ? decodeTernaryGen9(bits, i) : decodeTernaryGen11(bits, i);
  case Format::Send:
  case Format::Splitsend:
    return decodeSend(bits, i, gen9);
  case Format::TwoBranch:
    i.update = std::uint32_t(bits.get(95, 64));
    [[fallthrough]];
  case Format::Branch:
    i.jump = std::uint32_t(bits.get(127, 96));
    return;
  case Format::Call:
    decodeDestination(bits, i.to, gen9);
    [[fallthrough]];
  case Format::Jump:
    i.jumpByRegister = bits.get(90, 89) != Immediate;
    if (i.jumpByRegister)
      decodeSource(bits, i.from[0], 96, 89, gen9);
    else
      i.jump = std::uint32_t(bits.get(127, 96));
    return;
  case Format::Nop:
    return;
  default:
    break;
  }
  if (i.format != Format::Ret)
    decodeDestination(bits, i.to, gen9);
  unsigned sources = sourcesOf(i);
  decodeSource(bits, i.from[0], 64, 41, gen9);
  if (sources > 1)
    decodeSource(bits, i.from[1], 96, 89, gen9);
  if (!isMacro(i))
    return;
  // Whole registers, with the number of an extended accumulator each.
  setMacroOperand(i.to, unsigned(bits.get(51, 48)));
  i.to.horizontal = 1;
  setMacroOperand(i.from[0], unsigned(bits.get(67, 64)));
  if (sources > 1)
    setMacroOperand(i.from[1], unsigned(bits.get(99, 96)));
}

} // namespace pocm::gensim
