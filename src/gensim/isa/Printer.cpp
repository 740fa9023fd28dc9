//===- Printer.cpp - Instructions as text ---------------------------------------------===//
#include "gensim/isa/Printer.h"
#include "gensim/isa/Layouts.h"
#include <bit>
#include <cmath>
#include <cstdlib>

namespace pocm::gensim {
namespace {

template <class... Values> std::string format(const char *pattern, Values... values) {
  char text[96];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

constexpr std::string_view ConditionNames[] = {"", "eq", "ne", "gt", "ge", "lt", "le", "", "ov", "un"};
constexpr std::string_view MathNames[] = {"", "inv",  "log", "exp",  "sqt",  "rsqt", "sin",  "cos",
                                          "", "fdiv", "pow", "idiv", "iqot", "irem", "invm", "rsqtm"};
constexpr std::string_view PredicateNames[] = {"",       "",       ".anyv",  ".allv",   ".any2h",  ".all2h",  ".any4h",
                                               ".all4h", ".any8h", ".all8h", ".any16h", ".all16h", ".any32h", ".all32h",
                                               ".any",   ".all",   ".x",     ".y",      ".z",      ".w"};
constexpr std::string_view SyncNames[] = {"nop", "", "allrd", "allwr", "", "", "",    "",
                                          "",    "", "",      "",      "", "", "bar", "host"};

std::string registerName(const Operand &o) {
  if (o.kind == Operand::Kind::General)
    return format("r%u", o.number);
  static constexpr const char *Names[] = {"null", "a", "acc", "f",   "ce", "msg", "sp", "sr",
                                          "cr",   "n", "ip",  "tdr", "tm", "fc",  "?",  "dbg"};
  if (o.arf == Arf::Null || o.arf == Arf::Ip)
    return Names[unsigned(o.arf)];
  return format("%s%u", Names[unsigned(o.arf)], o.number);
}

/// Floats that six digits do not say are printed as bits, so that the text can be assembled again.
std::string immediateText(const Operand &o) {
  std::uint64_t bits = o.immediate;
  switch (o.type) {
  case Type::W:
    return format("%d:w", int(std::int16_t(bits)));
  case Type::D:
    return format("%d:d", std::int32_t(bits));
  case Type::Q:
    return format("%lld:q", static_cast<long long>(bits));
  case Type::F: {
    auto value = std::bit_cast<float>(std::uint32_t(bits));
    std::string text = format("%g", double(value));
    if (std::isnan(value) || std::strtof(text.c_str(), nullptr) != value)
      text = format("0x%08X", std::uint32_t(bits));
    return text + ":f";
  }
  case Type::DF: {
    auto value = std::bit_cast<double>(bits);
    std::string text = format("%g", value);
    if (std::isnan(value) || std::strtod(text.c_str(), nullptr) != value)
      text = format("0x%016llX", static_cast<unsigned long long>(bits));
    return text + ":df";
  }
  case Type::UW:
  case Type::HF:
  case Type::BF:
    bits &= 0xFFFF;
    break;
  default:
    break;
  }
  return format("0x%llX:", static_cast<unsigned long long>(bits)) + std::string(nameOf(o.type));
}

/// r1.2, r[a0.0,32]
std::string placeOf(const Operand &o) {
  if (o.kind == Operand::Kind::Indirect)
    return o.addressOffset ? format("r[a0.%u,%d]", o.address, o.addressOffset) : format("r[a0.%u]", o.address);
  const unsigned place = o.offset / sizeOf(o.type);
  const bool whole = o.kind == Operand::Kind::Architecture && !place && (o.arf == Arf::Null || o.arf == Arf::Ip);
  return registerName(o) + (whole ? "" : format(".%u", place));
}

/// Where a return address lies, of which the encodings do not all have the type.
std::string placeOfAddress(Operand o) {
  o.type = Type::UD;
  return placeOf(o);
}

std::string typeSuffix(const Operand &o) { return ":" + std::string(nameOf(o.type)); }

std::string destinationText(const Instruction &i) {
  const Operand &o = i.to;
  std::string text = i.saturate ? "(sat)" : "";
  if (isMacro(i)) {
    return text + registerName(o) + (o.accumulator < 8 ? format(".mme%u", o.accumulator) : ".nomme") + typeSuffix(o);
  }
  return text + placeOf(o) + format("<%u>", o.horizontal) + typeSuffix(o);
}

bool isLogic(Opcode opcode) {
  return opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor || opcode == Opcode::Not;
}

std::string sourceText(const Instruction &i, unsigned k) {
  const Operand &o = i.from[k];
  if (o.kind == Operand::Kind::Immediate)
    return immediateText(o);
  std::string text = o.negate ? (isLogic(i.opcode) ? "~" : "-") : "";
  if (o.absolute)
    text += "(abs)";
  if (isMacro(i))
    return text + registerName(o) + (o.accumulator < 8 ? format(".mme%u", o.accumulator) : ".nomme") + typeSuffix(o);
  text += placeOf(o);
  bool ternary = i.format == Format::Ternary || i.format == Format::Bfn;
  if (o.kind == Operand::Kind::Architecture && o.arf == Arf::Null && ternary && !o.vertical && !o.horizontal)
    return text + typeSuffix(o);
  if (ternary && k == 2)
    text += format("<%u>", o.horizontal ? o.horizontal : o.vertical);
  else if (ternary)
    text += format("<%u;%u>", o.vertical, o.horizontal);
  else if (o.eachRow)
    text += format("<%u,%u>", o.width, o.horizontal);
  else
    text += format("<%u;%u,%u>", o.vertical, o.width, o.horizontal);
  return text + typeSuffix(o);
}

/// r1:d, r2.0:s4: where a matrix begins, and its elements.
std::string matrixText(const Operand &o, unsigned smallBits, bool alwaysWithPlace) {
  const unsigned bits = smallBits ? smallBits : unsigned(sizeOf(o.type)) * 8;
  const bool isNull = o.kind == Operand::Kind::Architecture && o.arf == Arf::Null;
  std::string text = registerName(o);
  if (const unsigned place = o.offset * 8 / bits; !isNull && (place || alwaysWithPlace))
    text += format(".%u", place);
  if (!smallBits)
    return text + typeSuffix(o);
  return text + format(":%c%u", isSigned(o.type) ? 's' : 'u', smallBits);
}

std::string matricesText(const Instruction &i) {
  constexpr unsigned rows = 2; // the source whose rows may begin anywhere
  std::string text = (i.saturate ? "(sat)" : "") + matrixText(i.to, 0, false);
  for (unsigned k = 0; k < sourcesOf(i); ++k)
    text += " " + matrixText(i.from[k], i.bits[k], k == rows);
  return text;
}

std::string maskText(const Instruction &i) {
  std::string predicate;
  if (i.predicate != Predicate::None)
    predicate = std::string(i.inverse ? "~" : "") + format("f%u.%u", i.flag, i.flagHalf) +
                std::string(PredicateNames[unsigned(i.predicate)]);
  if (!i.noMask && predicate.empty())
    return "";
  return "(" + std::string(i.noMask ? "W" : "") + (i.noMask && !predicate.empty() ? "&" : "") + predicate + ") ";
}

std::string sendText(const Instruction &i, const Platform &platform) {
  static constexpr std::string_view Units12[] = {"null", "?",    "smpl", "gtwy", "dc2", "rc",  "urb", "ts",
                                                 "vme",  "dcro", "dc0",  "pixi", "dc1", "cre", "?",   "?"};
  static constexpr std::string_view UnitsHpg[] = {"null", "ugml", "smpl", "gtwy", "dc2", "rc",  "urb", "btd",
                                                  "rta",  "dcro", "dc0",  "pixi", "dc1", "tgm", "slm", "ugm"};
  bool later = platform.generation >= Generation::Gen12;
  std::string text = std::string(infoOf(i.opcode).name);
  if (later)
    text += "." + std::string(platform.generation == Generation::Gen12 ? Units12[i.unit] : UnitsHpg[i.unit]);
  text += format(" (%u|M%u) ", i.size, i.channel) + registerName(i.to) + " " + registerName(i.from[0]) + " ";
  if (later || i.format == Format::Splitsend)
    text += registerName(i.from[1]) + " ";
  if (i.extendedByRegister)
    text += format("a0.%u ", i.extendedRegister);
  else if (later)
    text += format("0x%X ", platform.generation >= Generation::XeHpg ? i.extended & ~0x7FFu : i.extended);
  else
    text += format("0x%X ", i.extended | i.unit | unsigned(i.endOfThread) << 5);
  return text + (i.descriptorByRegister ? "a0.0" : format("0x%08X", i.descriptor));
}

} // namespace

std::string textOf(const Instruction &i, const Platform &platform) {
  std::string text = maskText(i);
  if (i.format == Format::Send || i.format == Format::Splitsend)
    return text + sendText(i, platform);
  text += infoOf(i.opcode).name;
  switch (i.format) {
  case Format::Nop:
    return text;
  case Format::Sync:
    text += "." + std::string(SyncNames[i.syncFunction & 15]) + " ";
    return text + (i.from[0].kind == Operand::Kind::Immediate ? format("0x%X", unsigned(i.from[0].immediate))
                                                              : registerName(i.from[0]));
  case Format::Jump:
    return text + " " + (i.jumpByRegister ? sourceText(i, 0) : format("L%u", i.jump));
  case Format::Branch:
    return text + format(" (%u|M%u) L%u", i.size, i.channel, i.jump);
  case Format::TwoBranch:
    return text + (i.branchControl ? ".b" : "") + format(" (%u|M%u) L%u L%u", i.size, i.channel, i.jump, i.update);
  case Format::Call:
    return text + format(" (%u|M%u) ", i.size, i.channel) + placeOfAddress(i.to) + " " +
           (i.jumpByRegister ? placeOfAddress(i.from[0]) : format("L%u", i.jump));
  case Format::Ret:
    return text + format(" (%u|M%u) ", i.size, i.channel) + placeOfAddress(i.from[0]);
  case Format::Wait:
    return text + " " + sourceText(i, 0);
  case Format::Math:
    text += "." + std::string(MathNames[unsigned(i.function)]);
    break;
  case Format::Bfn:
    text += format(".(0x%02X)", i.table);
    break;
  case Format::Dpas:
    text += format(".%ux%u", i.depth, i.repeat);
    break;
  default:
    break;
  }
  text += format(" (%u|M%u) ", i.size, i.channel);
  if (i.format == Format::Math && isMacro(i))
    text += format("(eo)f%u.%u ", i.flag, i.flagHalf);
  if (i.condition != Condition::None)
    text += "(" + std::string(ConditionNames[unsigned(i.condition)]) + format(")f%u.%u ", i.flag, i.flagHalf);
  if (i.format == Format::Dpas)
    return text + matricesText(i);
  text += destinationText(i);
  for (unsigned k = 0; k < sourcesOf(i); ++k)
    text += " " + sourceText(i, k);
  return text;
}

} // namespace pocm::gensim
