//===- Costs.cpp - What an instruction needs of an execution unit ---------------------------===//
#include "gensim/timing/Costs.h"
#include <algorithm>

namespace pocm::gensim::timing {
namespace {

bool isRegister(const Operand &o) { return o.kind == Operand::Kind::General && o.type != Type::Invalid; }

Cost::Registers registersOf(const Operand &o, unsigned channels, bool isSource, unsigned registerBytes) {
  if (!isRegister(o))
    return {};
  unsigned width = std::max<unsigned>(1, std::min<unsigned>(o.width, channels)), rows = channels / width;
  unsigned elements = isSource ? (std::max(rows, 1u) - 1) * o.vertical + (width - 1) * o.horizontal
                               : (channels - 1) * std::max<unsigned>(o.horizontal, 1);
  unsigned first = o.number * registerBytes + o.offset, last = first + elements * sizeOf(o.type) + sizeOf(o.type) - 1;
  return {std::uint16_t(first / registerBytes), std::uint16_t(std::min(last / registerBytes, 255u))};
}

/// Software scoreboards of one in-order pipe: 0ddd a distance, 2t and 3t a token awaited, 4t one set, 1dddtttt both.
Swsb swsbOf(const Instruction &i, bool sets) {
  Swsb s;
  unsigned code = i.scoreboard & 0xFF, low = code & 15;
  if (code & 0x80) {
    s.distance = code >> 4 & 7;
    s.token = sets ? Swsb::Token::Set : Swsb::Token::AwaitResult;
    s.number = std::uint8_t(low);
  } else if (code >> 4 == 0) {
    s.distance = code & 7;
  } else if (code >> 4 <= 4 && code >> 4 >= 2) {
    static constexpr Swsb::Token Tokens[] = {Swsb::Token::AwaitResult, Swsb::Token::AwaitPayload, Swsb::Token::Set};
    s.token = Tokens[(code >> 4) - 2];
    s.number = std::uint8_t(low);
  }
  if (i.format == Format::Sync && (i.syncFunction == SyncAllRead || i.syncFunction == SyncAllWritten)) {
    auto which = std::uint16_t(i.from[0].kind == Operand::Kind::Immediate ? i.from[0].immediate : 0xFFFF);
    (i.syncFunction == SyncAllRead ? s.payloads : s.results) = which;
  }
  return s;
}

bool takesLonger(Opcode o) {
  switch (o) {
  case Opcode::Bfe:
  case Opcode::Bfi1:
  case Opcode::Bfi2:
  case Opcode::Bfrev:
  case Opcode::Cbit:
  case Opcode::Fbh:
  case Opcode::Fbl:
  case Opcode::Lzd:
  case Opcode::Dp2:
  case Opcode::Dp3:
  case Opcode::Dp4:
  case Opcode::Dph:
  case Opcode::Lrp:
    return true;
  default:
    return false;
  }
}

/// Registers of one bank and one half of the file: the second and third source's cannot be read together.
bool multipliesDwords(const Instruction &i) {
  auto isDword = [](const Operand &o) { return o.type == Type::D || o.type == Type::UD; };
  return i.opcode == Opcode::Mul && isDword(i.from[0]) && isDword(i.from[1]);
}

bool conflicts(const Operand &a, const Operand &b) {
  constexpr unsigned half = 64;
  return isRegister(a) && isRegister(b) && a.number != b.number && a.number % 2 == b.number % 2 &&
         a.number / half == b.number / half;
}

void countArithmetic(Cost &c, const Instruction &i, const Parameters &p, unsigned registerBytes) {
  unsigned widest = 1;
  bool floats = false, doubles = false, indirect = false, onlyHalves = true;
  unsigned count = i.format == Format::Ternary || i.format == Format::Bfn ? 3 : 2;
  auto look = [&](const Operand &o) {
    if (o.kind == Operand::Kind::None || o.type == Type::Invalid ||
        (o.kind == Operand::Kind::Architecture && o.arf == Arf::Null))
      return;
    widest = std::max(widest, sizeOf(o.type));
    floats |= isFloat(o.type);
    doubles |= o.type == Type::DF;
    onlyHalves &= o.type == Type::HF;
    indirect |= o.kind == Operand::Kind::Indirect;
  };
  look(i.to);
  for (unsigned k = 0; k < count; ++k)
    look(i.from[k]);
  double lanes = p.lanesPerPipe * (onlyHalves ? 2 : 1);
  double clocks = std::max(p.leastPipeClocks, i.size / lanes) * (widest == 8 ? p.wideFactor : 1);
  c.latency = std::uint32_t(p.aluLatency + (i.size >= 16 ? p.aluLatency16 : 0) + (i.size >= 32 ? p.aluLatency32 : 0));
  c.pipes = 1u << FirstPipe;
  c.inOrder = true;
  double shortestMath = 1; // times as many clocks as other instructions
  if (i.format == Format::Math) {
    bool division = i.function >= MathFunction::Idiv && i.function <= MathFunction::Irem;
    bool isLong = i.function == MathFunction::Fdiv || i.function == MathFunction::Pow;
    constexpr unsigned Eight = 8;
    clocks = division ? p.integerDivision * std::max(1.0, i.size / double(Eight))
                      : clocks * (isLong ? p.longMathFactor : p.mathFactor);
    c.latency = std::uint32_t(isLong || division ? p.longMathLatency : p.mathLatency);
    c.pipes = 1u << SecondPipe;
    c.isMath = true;
    shortestMath = division ? p.integerDivision / p.leastPipeClocks : isLong ? p.longMathFactor : p.mathFactor;
    c.inOrder = p.scoreboard != 0;
  } else if (doubles && p.secondPipeFloats) {
    c.pipes = 1u << SecondPipe;
  } else if (floats ? p.secondPipeFloats : p.secondPipeIntegers) {
    c.pipes |= 1u << SecondPipe;
  }
  if (multipliesDwords(i))
    clocks *= p.productFactor;
  if (takesLonger(i.opcode))
    clocks *= p.bitFactor;
  if (i.format == Format::Ternary && conflicts(i.from[1], i.from[2]) && p.scoreboard)
    clocks += p.bankConflict * std::max(1.0, i.size * double(sizeOf(i.to.type)) / registerBytes);
  if (indirect)
    c.latency += std::uint32_t(p.indirectLatency);
  c.clocks = std::uint32_t(clocks);
  // A result is complete when its last part has left the pipe; latencies are those of the shortest instruction.
  auto shortest = std::uint32_t(p.leastPipeClocks * shortestMath);
  c.latency += c.clocks > shortest ? c.clocks - shortest : 0;
}

void countOperands(Cost &c, const Instruction &i, unsigned registerBytes) {
  auto architecture = [&](const Operand &o, bool writes) {
    if (o.kind == Operand::Kind::Indirect)
      c.readsAddress = true;
    if (o.kind != Operand::Kind::Architecture)
      return;
    if (o.arf == Arf::Acc)
      (writes ? c.writesAccumulator : c.readsAccumulator) = true;
    else if (o.arf == Arf::A)
      (writes ? c.writesAddress : c.readsAddress) = true;
    else if (o.arf == Arf::F)
      (writes ? c.writesFlags : c.readsFlags) |= std::uint8_t(1u << (o.number & 3));
    else if (o.arf == Arf::Cr && writes)
      c.usesControl = true;
  };
  architecture(i.to, true);
  c.write = registersOf(i.to, i.size, false, registerBytes);
  for (unsigned k = 0; k < 3; ++k) {
    architecture(i.from[k], false);
    c.reads[k] = registersOf(i.from[k], i.size, true, registerBytes);
  }
  c.writesAccumulator |= i.writesAccumulator;
  c.readsAccumulator |=
      i.opcode == Opcode::Mac || i.opcode == Opcode::Mach || i.opcode == Opcode::Macl || i.opcode == Opcode::Sada2;
}

} // namespace

Cost costOf(const Instruction &i, const Parameters &p, unsigned registerBytes) {
  Cost c;
  if (i.predicate != Predicate::None)
    c.readsFlags |= std::uint8_t(1u << (i.flag & 3));
  if (i.condition != Condition::None && i.opcode != Opcode::Sel && i.opcode != Opcode::Csel)
    c.writesFlags |= std::uint8_t(1u << (i.flag & 3));
  switch (i.format) {
  case Format::Send:
  case Format::Splitsend:
    c.isSend = true;
    c.pipes = 1u << SendPipe;
    c.readsAddress = i.descriptorByRegister || i.extendedByRegister;
    break;
  case Format::Jump:
  case Format::Branch:
  case Format::TwoBranch:
  case Format::Call:
  case Format::Ret:
    c.pipes = 1u << BranchPipe;
    break;
  case Format::Wait:
  case Format::Sync:
  case Format::Nop:
    break;
  default:
    countOperands(c, i, registerBytes);
    countArithmetic(c, i, p, registerBytes);
    for (const Cost::Registers &r : {c.reads[0], c.reads[1], c.reads[2], c.write})
      for (unsigned k = r.first; k <= r.last && !r.empty(); ++k)
        c.uses.add(k);
    for (unsigned k = c.write.first; k <= c.write.last && !c.write.empty(); ++k)
      c.writes.add(k);
  }
  if (!p.scoreboard)
    c.swsb = swsbOf(i, c.isSend || c.isMath);
  return c;
}

} // namespace pocm::gensim::timing
