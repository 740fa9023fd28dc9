//===- Arithmetic.cpp - Moves, logic, arithmetic, comparisons ------------------------------===//
//
// Sources become exact integers or doubles, operations work on these, and the results
// are rounded to the destination's type. A sum or product of two floats is exact enough
// in double that rounding it once more to float gives what rounding once would.
//
//===----------------------------------------------------------------------===//
#include "gensim/eu/Execute.h"
#include "gensim/isa/Layouts.h"
#include "gensim/isa/Printer.h"
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>

namespace pocm::gensim {
namespace {

using Wide = __int128;

constexpr std::uint64_t AllMarked = ~std::uint64_t(0);

std::uint64_t upwards(std::uint64_t marks) { return marks | -(marks & -marks); }

std::uint64_t maskOf(unsigned bytes) { return bytes >= 8 ? ~std::uint64_t(0) : (std::uint64_t(1) << bytes * 8) - 1; }

bool isLogic(Opcode o) { return o == Opcode::And || o == Opcode::Or || o == Opcode::Xor || o == Opcode::Not; }

std::uint32_t allOf(unsigned size) { return size >= 32 ? ~0u : (1u << size) - 1; }

/// The least and the most that an integer type holds.
Wide leastOf(Type type) { return isSigned(type) ? -(Wide(1) << (sizeOf(type) * 8 - 1)) : Wide(0); }
Wide mostOf(Type type) { return (Wide(1) << (sizeOf(type) * 8 - isSigned(type))) - 1; }

/// Of 64-bit integers without a sign they may need all 128 bits, of which results keep the lower half.
Wide productOf(Wide a, Wide b) {
  using Bits = unsigned __int128;
  return Wide(Bits(a) * Bits(b));
}
Wide sumOf(Wide a, Wide b) {
  using Bits = unsigned __int128;
  return Wide(Bits(a) + Bits(b));
}
Wide distanceOf(std::int64_t a, std::int64_t b) { return a > b ? Wide(a) - b : Wide(b) - a; }

/// A relation of two numbers; false for NaN but for "not equal".
template <class T> bool holds(Condition condition, T a, T b) {
  switch (condition) {
  case Condition::Eq:
    return a == b;
  case Condition::Ne:
    return !(a == b);
  case Condition::Gt:
    return a > b;
  case Condition::Ge:
    return a >= b;
  case Condition::Lt:
    return a < b;
  case Condition::Le:
    return a <= b;
  default:
    return false;
  }
}

std::uint32_t flagOf(const Thread &t, unsigned number) { return t.flags.get<std::uint32_t>(number * 4); }

std::uint32_t flagMarksOf(const Thread &t, unsigned number) {
  std::uint32_t marks;
  std::memcpy(&marks, t.flags.marks + number * 4, sizeof(marks));
  return marks;
}

/// The value of a float result as bits of its type.
std::uint64_t bitsOfNumber(double value, Type type, std::uint32_t mode) {
  switch (type) {
  case Type::F: {
    auto rounded = float(value);
    if (!(mode & control::KeepDenormalFloats) && std::fabs(rounded) < 0x1p-126f)
      rounded = std::copysign(0.0f, rounded);
    return std::bit_cast<std::uint32_t>(rounded);
  }
  case Type::BF: {
    auto rounded = float(value);
    auto bits = std::bit_cast<std::uint32_t>(rounded);
    if (std::isnan(rounded))
      return bits >> 16 | 0x40;
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  }
  case Type::HF: {
    std::uint16_t half = halfOf(value, mode >> control::RoundingShift & 3);
    return !(mode & control::KeepDenormalHalves) && !(half & 0x7C00) ? half & 0x8000 : half;
  }
  default:
    if (!(mode & control::KeepDenormalDoubles) && std::fabs(value) < 0x1p-1022)
      value = std::copysign(0.0, value);
    return std::bit_cast<std::uint64_t>(value);
  }
}

double numberOfBits(std::uint64_t bits, Type type) {
  switch (type) {
  case Type::F:
    return std::bit_cast<float>(std::uint32_t(bits));
  case Type::BF:
    return std::bit_cast<float>(std::uint32_t(bits << 16));
  case Type::HF:
    return doubleOf(std::uint16_t(bits));
  default:
    return std::bit_cast<double>(bits);
  }
}

/// Toward zero, within the type's range; NaN gives 0.
Wide integerOfNumber(double value, Type type) {
  if (std::isnan(value))
    return 0;
  if (value <= double(leastOf(type)))
    return leastOf(type);
  if (value >= std::ldexp(1.0, int(sizeOf(type) * 8 - isSigned(type))))
    return mostOf(type);
  return Wide(std::trunc(value));
}

double numberOfInteger(Wide value) {
  auto magnitude = static_cast<unsigned __int128>(value < 0 ? -value : value);
  if (magnitude >> 64)
    return value < 0 ? -std::ldexp(double(std::uint64_t(magnitude >> 64)), 64)
                     : std::ldexp(double(std::uint64_t(magnitude >> 64)), 64);
  auto low = std::uint64_t(magnitude);
  return value < 0 ? double(std::int64_t(value)) : double(low);
}

float floatOfInteger(Wide value) { return value < 0 ? float(std::int64_t(value)) : float(std::uint64_t(value)); }

/// Integer results to the destination's type, flags by them.
void finishIntegers(Thread &t, const Instruction &i, std::uint32_t channels, std::uint32_t unknown, const Wide *results,
                    std::uint64_t *marks) {
  const Operand &o = i.to;
  std::uint64_t bits[MostChannels];
  std::uint32_t mode = t.control.get<std::uint32_t>(0), values = 0, marked = 0;
  bool toNumber = isFloat(o.type);
  std::uint64_t within = maskOf(sizeOf(o.type));
  for (unsigned n = 0; n < i.size; ++n) {
    if (!(channels >> n & 1))
      continue;
    Wide value = results[n];
    bool overflow = !toNumber && (value < leastOf(o.type) || value > mostOf(o.type));
    if (i.saturate && !toNumber) {
      value = std::min(std::max(value, leastOf(o.type)), mostOf(o.type));
      marks[n] = marks[n] ? AllMarked : 0;
    }
    if (toNumber) {
      bits[n] = o.type == Type::F ? std::bit_cast<std::uint32_t>(floatOfInteger(value))
                                  : bitsOfNumber(numberOfInteger(value), o.type, mode);
      if (i.saturate)
        bits[n] = bitsOfNumber(std::min(1.0, std::max(0.0, numberOfInteger(value))), o.type, mode);
      marks[n] = marks[n] ? AllMarked : 0;
    } else {
      bits[n] = std::uint64_t(value) & within;
    }
    marks[n] &= within;
    if (unknown >> n & 1)
      marks[n] = within;
    if (i.condition == Condition::None)
      continue;
    std::int64_t stored = isSigned(o.type)
                              ? std::int64_t(bits[n] << (64 - sizeOf(o.type) * 8)) >> (64 - sizeOf(o.type) * 8)
                              : std::int64_t(bits[n]);
    bool flag = i.condition == Condition::Overflow ? overflow
                : toNumber                         ? holds(i.condition, numberOfBits(bits[n], o.type), 0.0)
                : isSigned(o.type)                 ? holds<std::int64_t>(i.condition, stored, 0)
                                                   : holds<std::uint64_t>(i.condition, std::uint64_t(stored), 0);
    bool isNonzero = bits[n] & ~marks[n];
    bool known = !marks[n] || (isNonzero && (i.condition == Condition::Eq || i.condition == Condition::Ne));
    values |= std::uint32_t(known && marks[n] ? i.condition == Condition::Ne : flag) << n;
    marked |= std::uint32_t(!known || (unknown >> n & 1)) << n;
  }
  storeBits(t, o, i.size, channels, bits, marks);
  bool toAccumulator = o.kind == Operand::Kind::Architecture && o.arf == Arf::Acc;
  if (toAccumulator || i.writesAccumulator) {
    unsigned base = toAccumulator ? (o.number * t.registerBytes + o.offset) / sizeOf(o.type) : 0;
    unsigned step = toAccumulator ? std::max<unsigned>(o.horizontal, 1) : 1;
    for (unsigned n = 0; n < i.size; ++n)
      if (channels >> n & 1)
        t.wide[(base + n * step) % std::size(t.wide)] = std::int64_t(results[n]);
    if (!toAccumulator && !toNumber) {
      Operand accumulator = o;
      accumulator.kind = Operand::Kind::Architecture;
      accumulator.arf = Arf::Acc;
      accumulator.number = accumulator.offset = 0;
      accumulator.horizontal = 1;
      std::transform(results, results + i.size, bits, [](Wide result) { return std::uint64_t(result); });
      storeBits(t, accumulator, i.size, channels, bits, marks);
    }
  }
  if (i.condition != Condition::None && i.opcode != Opcode::Sel && i.opcode != Opcode::Csel)
    setFlags(t, i, channels, values, marked);
}

} // namespace

void setFlags(Thread &t, const Instruction &i, std::uint32_t channels, std::uint32_t values, std::uint32_t marks) {
  unsigned shift = 16u * i.flagHalf + i.channel;
  std::uint32_t old = flagOf(t, i.flag), oldMarks = flagMarksOf(t, i.flag);
  if (shift >= MostChannels)
    throw Problem("channels beyond the end of a flag register");
  std::uint32_t which = channels << shift;
  old = (old & ~which) | (values << shift & which);
  oldMarks = (oldMarks & ~which) | (marks << shift & which);
  std::memcpy(t.flags.data + i.flag * 4, &old, sizeof(old));
  std::memcpy(t.flags.marks + i.flag * 4, &oldMarks, sizeof(oldMarks));
}

RoundingScope::RoundingScope(const Thread &t) : before(std::fegetround()) {
  static constexpr int Modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  std::uint32_t mode = t.control.get<std::uint32_t>(0) >> control::RoundingShift & 3;
  if (Modes[mode] != before)
    std::fesetround(Modes[mode]);
}
RoundingScope::~RoundingScope() {
  if (std::fegetround() != before)
    std::fesetround(before);
}

std::uint32_t enabledChannels(const Thread &t, const Instruction &i) {
  return i.noMask ? allOf(i.size) : t.active() >> i.channel & allOf(i.size);
}

ChannelMask predicateOf(const Thread &t, const Instruction &i) {
  std::uint32_t all = allOf(i.size);
  if (i.predicate == Predicate::None)
    return {all, 0};
  unsigned shift = 16u * i.flagHalf;
  std::uint32_t bits = flagOf(t, i.flag) >> shift, marks = flagMarksOf(t, i.flag) >> shift;
  ChannelMask mask;
  unsigned group = 0;
  switch (i.predicate) {
  case Predicate::Sequential:
    mask = {bits >> i.channel, marks >> i.channel};
    break;
  case Predicate::AnyV:
    mask = {(flagOf(t, 0) | flagOf(t, 1)) >> i.channel, (flagMarksOf(t, 0) | flagMarksOf(t, 1)) >> i.channel};
    break;
  case Predicate::AllV:
    mask = {(flagOf(t, 0) & flagOf(t, 1)) >> i.channel, (flagMarksOf(t, 0) | flagMarksOf(t, 1)) >> i.channel};
    break;
  case Predicate::Any:
  case Predicate::All:
    group = i.size;
    break;
  case Predicate::X:
  case Predicate::Y:
  case Predicate::Z:
  case Predicate::W:
    for (unsigned n = 0; n < i.size; ++n) {
      unsigned chosen = (i.channel + n) / 4 * 4 + unsigned(i.predicate) - unsigned(Predicate::X);
      mask.bits |= (bits >> chosen & 1) << n;
      mask.marks |= (marks >> chosen & 1) << n;
    }
    break;
  default:
    group = 2u << (unsigned(i.predicate) - unsigned(Predicate::Any2)) / 2;
    break;
  }
  if (group) {
    bool any = (unsigned(i.predicate) - unsigned(Predicate::AnyV)) % 2 == 0;
    for (unsigned n = 0; n < i.size; ++n) {
      unsigned first = (i.channel + n) / group * group;
      std::uint32_t some = bits >> first & allOf(group), unknown = marks >> first & allOf(group);
      bool value = any ? some != 0 : some == allOf(group);
      bool known = !unknown || (any ? (some & ~unknown) != 0 : (~some & ~unknown & allOf(group)) != 0);
      mask.bits |= std::uint32_t(known && unknown ? any : value) << n;
      mask.marks |= std::uint32_t(!known) << n;
    }
  }
  if (i.inverse)
    mask.bits = ~mask.bits;
  return {mask.bits & all, mask.marks & all};
}

void finish(Thread &t, const Instruction &i, std::uint32_t channels, std::uint32_t unknown, bool numbers, Lanes &r) {
  const Operand &o = i.to;
  if (!numbers) {
    Wide results[MostChannels];
    for (unsigned n = 0; n < i.size; ++n)
      results[n] = r.integer[n];
    return finishIntegers(t, i, channels, unknown, results, r.marks);
  }
  if (!isFloat(o.type)) {
    Wide results[MostChannels] = {};
    for (unsigned n = 0; n < i.size; ++n)
      if (channels >> n & 1) {
        results[n] = integerOfNumber(r.number[n], o.type);
        r.marks[n] = r.marks[n] ? AllMarked : 0;
      }
    return finishIntegers(t, i, channels, unknown, results, r.marks);
  }
  std::uint64_t bits[MostChannels], within = maskOf(sizeOf(o.type));
  std::uint32_t mode = t.control.get<std::uint32_t>(0), values = 0, marked = 0;
  for (unsigned n = 0; n < i.size; ++n) {
    if (!(channels >> n & 1))
      continue;
    double value = r.number[n];
    if (i.saturate)
      value = value > 0 ? std::min(value, 1.0) : 0.0; // NaN and -0 give 0
    bits[n] = bitsOfNumber(value, o.type, mode);
    r.marks[n] = r.marks[n] || (unknown >> n & 1) ? within : 0;
    if (i.condition == Condition::None)
      continue;
    double stored = numberOfBits(bits[n], o.type);
    bool flag = i.condition == Condition::Unordered  ? std::isnan(stored)
                : i.condition == Condition::Overflow ? std::isinf(stored)
                                                     : holds(i.condition, stored, 0.0);
    values |= std::uint32_t(flag) << n;
    marked |= std::uint32_t(r.marks[n] != 0) << n;
  }
  storeBits(t, o, i.size, channels, bits, r.marks);
  if (i.writesAccumulator) {
    Operand accumulator = o;
    accumulator.kind = Operand::Kind::Architecture;
    accumulator.arf = Arf::Acc;
    accumulator.number = accumulator.offset = 0;
    accumulator.horizontal = 1;
    storeBits(t, accumulator, i.size, channels, bits, r.marks);
  }
  if (i.condition != Condition::None && i.opcode != Opcode::Sel && i.opcode != Opcode::Csel)
    setFlags(t, i, channels, values, marked);
}

namespace {

/// A move that copies bits: of the same type, or of integers as large.
bool copiesBits(const Instruction &i) {
  const Operand &from = i.from[0];
  bool packed = from.type == Type::V || from.type == Type::UV || from.type == Type::VF;
  if (i.opcode != Opcode::Mov || i.saturate || i.condition != Condition::None || from.negate || from.absolute ||
      packed || i.writesAccumulator)
    return false;
  return from.type == i.to.type ||
         (!isFloat(from.type) && !isFloat(i.to.type) && sizeOf(from.type) == sizeOf(i.to.type));
}

void copyBits(Thread &t, const Instruction &i, std::uint32_t channels, std::uint32_t unknown) {
  const Operand &from = i.from[0];
  unsigned offsets[MostChannels];
  std::uint64_t bits[MostChannels] = {}, marks[MostChannels] = {};
  unsigned bytes = sizeOf(from.type);
  bool immediate = from.kind == Operand::Kind::Immediate;
  Area area{};
  if (!immediate) {
    elementsOf(t, from, i.size, channels, offsets);
    area = areaOf(t, from);
  }
  for (unsigned n = 0; n < i.size; ++n) {
    if (immediate) {
      bits[n] = from.immediate & maskOf(bytes);
    } else if (offsets[n] == Nowhere) {
      marks[n] = AllMarked;
    } else {
      std::memcpy(&bits[n], area.data + offsets[n], bytes);
      std::memcpy(&marks[n], area.marks + offsets[n], bytes);
    }
    if (unknown >> n & 1)
      marks[n] = AllMarked;
  }
  storeBits(t, i.to, i.size, channels, bits, marks);
  if (i.to.kind == Operand::Kind::Architecture && i.to.arf == Arf::Acc && !isFloat(i.to.type)) {
    unsigned base = (i.to.number * t.registerBytes + i.to.offset) / bytes, shift = 64 - bytes * 8;
    for (unsigned n = 0; n < i.size; ++n)
      if (channels >> n & 1)
        t.wide[(base + n * std::max<unsigned>(i.to.horizontal, 1)) % std::size(t.wide)] =
            isSigned(from.type) ? std::int64_t(bits[n] << shift) >> shift : std::int64_t(bits[n]);
  }
}

double roundedToEven(double x) {
  double below = std::floor(x), rest = x - below;
  bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0);
  return std::copysign(up ? below + 1 : below, x);
}

[[noreturn]] void refuse(const char *what) { throw Problem(std::string(what) + " is not supported by the simulator"); }

/// The type in which an instruction computes with floats.
Type floatType(const Instruction &i, unsigned sources) {
  Type type = Type::HF;
  for (unsigned k = 0; k < sources; ++k) {
    Type of = i.from[k].type;
    if (of == Type::DF)
      return Type::DF;
    if (of == Type::F || of == Type::BF || of == Type::VF)
      type = Type::F;
  }
  return type == Type::HF && i.to.type == Type::F ? Type::F : type;
}

/// Of halves, rounding to double first does not change the half that it is rounded to.
double fused(double a, double b, double c, Type type) {
  return type == Type::F ? double(std::fma(float(a), float(b), float(c))) : std::fma(a, b, c);
}

void computeNumbers(Thread &t, const Instruction &i, std::uint32_t channels, Lanes *s, Lanes &r) {
  unsigned size = i.size;
  Type type = floatType(i, sourcesOf(i));
  double *a = s[0].number, *b = s[1].number, *c = s[2].number;
  auto each = [&](auto f) {
    for (unsigned n = 0; n < size; ++n)
      r.number[n] = f(n);
  };
  switch (i.opcode) {
  case Opcode::Mov:
  case Opcode::Movi:
    return each([&](unsigned n) { return a[n]; });
  case Opcode::Add:
    return each([&](unsigned n) { return a[n] + b[n]; });
  case Opcode::Mul:
    return each([&](unsigned n) { return a[n] * b[n]; });
  case Opcode::Mad:
    return each([&](unsigned n) { return fused(b[n], c[n], a[n], type); });
  case Opcode::Mac: {
    Operand accumulator;
    accumulator.kind = Operand::Kind::Architecture;
    accumulator.arf = Arf::Acc;
    accumulator.type = i.to.type;
    accumulator.vertical = 1;
    Lanes acc;
    fetch(t, accumulator, size, channels, false, true, acc);
    for (unsigned n = 0; n < size; ++n)
      r.marks[n] |= acc.marks[n];
    return each([&](unsigned n) { return fused(a[n], b[n], acc.number[n], type); });
  }
  case Opcode::Lrp:
    return each([&](unsigned n) { return fused(a[n], b[n], (1 - a[n]) * c[n], type); });
  case Opcode::Frc:
    return each([&](unsigned n) {
      double rest = a[n] - std::floor(a[n]);
      constexpr double most = 1 - 0x1p-24;
      return std::isinf(a[n]) ? std::nan("") : type == Type::F ? std::min(rest, most) : rest;
    });
  case Opcode::Rndd:
    return each([&](unsigned n) { return std::floor(a[n]); });
  case Opcode::Rndu:
    return each([&](unsigned n) { return std::ceil(a[n]); });
  case Opcode::Rndz:
    return each([&](unsigned n) { return std::trunc(a[n]); });
  case Opcode::Rnde:
    return each([&](unsigned n) { return std::isfinite(a[n]) ? roundedToEven(a[n]) : a[n]; });
  case Opcode::Csel:
    return each([&](unsigned n) { return holds(i.condition, c[n], 0.0) ? a[n] : b[n]; });
  case Opcode::Dp4:
  case Opcode::Dp3:
  case Opcode::Dp2:
  case Opcode::Dph: {
    unsigned count = i.opcode == Opcode::Dp4 ? 4 : i.opcode == Opcode::Dp2 ? 2 : 3;
    return each([&](unsigned n) {
      unsigned first = n & ~3u;
      float sum = i.opcode == Opcode::Dph ? float(b[first + 3]) : 0;
      for (unsigned k = 0; k < count; ++k)
        sum += float(a[first + k] * b[first + k]);
      return double(sum);
    });
  }
  default:
    refuse("this operation on floats");
  }
}

/// Shifts, by channel, with the marks of their sources.
template <class F, class M>
void shift(const Instruction &i, Lanes *s, Wide *r, std::uint64_t *marks, F compute, M move) {
  bool wide = sizeOf(i.from[0].type) == 8 || sizeOf(i.to.type) == 8;
  for (unsigned n = 0; n < i.size; ++n) {
    unsigned count = unsigned(s[1].integer[n]) & (wide ? 63 : 31);
    r[n] = compute(s[0].integer[n], count);
    marks[n] = s[1].marks[n] & (wide ? 63 : 31) ? AllMarked : move(s[0].marks[n], count);
  }
}

void computeIntegers(Thread &t, const Instruction &i, std::uint32_t channels, const Platform &platform, Lanes *s,
                     Wide *r, std::uint64_t *marks) {
  unsigned size = i.size, sources = sourcesOf(i);
  auto *a = s[0].integer, *b = s[1].integer, *c = s[2].integer;
  Type type0 = i.from[0].type;
  auto value = [&](unsigned k, unsigned n) { // 64-bit unsigned values are not negative
    bool isUnsigned = i.from[k].type == Type::UQ && !i.from[k].negate;
    return isUnsigned ? Wide(std::uint64_t(s[k].integer[n])) : Wide(s[k].integer[n]);
  };
  auto each = [&](auto f) {
    for (unsigned n = 0; n < size; ++n)
      r[n] = f(n);
  };
  auto anyMarks = [&](unsigned n) {
    return s[0].marks[n] | (sources > 1 ? s[1].marks[n] : 0) | (sources > 2 ? s[2].marks[n] : 0);
  };
  auto markUpwards = [&] {
    for (unsigned n = 0; n < size; ++n)
      marks[n] = upwards(anyMarks(n));
  };
  auto markAll = [&] {
    for (unsigned n = 0; n < size; ++n)
      marks[n] = anyMarks(n) ? AllMarked : 0;
  };
  auto unsignedOf = [&](std::int64_t v) { return std::uint64_t(v) & maskOf(sizeOf(type0)); };
  switch (i.opcode) {
  case Opcode::Mov:
  case Opcode::Movi:
    for (unsigned n = 0; n < size; ++n)
      marks[n] = s[0].marks[n];
    return each([&](unsigned n) { return value(0, n); });
  case Opcode::Not:
    for (unsigned n = 0; n < size; ++n)
      marks[n] = s[0].marks[n];
    return each([&](unsigned n) { return Wide(~a[n]); });
  case Opcode::And:
    for (unsigned n = 0; n < size; ++n)
      marks[n] = (s[0].marks[n] & s[1].marks[n]) | (s[0].marks[n] & std::uint64_t(b[n])) |
                 (s[1].marks[n] & std::uint64_t(a[n]));
    return each([&](unsigned n) { return Wide(a[n] & b[n]); });
  case Opcode::Or:
    for (unsigned n = 0; n < size; ++n)
      marks[n] = (s[0].marks[n] & s[1].marks[n]) | (s[0].marks[n] & ~std::uint64_t(b[n])) |
                 (s[1].marks[n] & ~std::uint64_t(a[n]));
    return each([&](unsigned n) { return Wide(a[n] | b[n]); });
  case Opcode::Xor:
    for (unsigned n = 0; n < size; ++n)
      marks[n] = anyMarks(n);
    return each([&](unsigned n) { return Wide(a[n] ^ b[n]); });
  case Opcode::Shl:
    return shift(
        i, s, r, marks, [](std::int64_t v, unsigned n) { return Wide(static_cast<unsigned __int128>(Wide(v)) << n); },
        [](std::uint64_t m, unsigned n) { return m << n; });
  case Opcode::Shr:
    return shift(
        i, s, r, marks, [&](std::int64_t v, unsigned n) { return Wide(unsignedOf(v) >> n); },
        [&](std::uint64_t m, unsigned n) { return (m & maskOf(sizeOf(type0))) >> n; });
  case Opcode::Asr:
    return shift(
        i, s, r, marks,
        [&](std::int64_t v, unsigned n) { return type0 == Type::UQ ? Wide(std::uint64_t(v) >> n) : Wide(v >> n); },
        [&](std::uint64_t m, unsigned n) { return type0 == Type::UQ ? m >> n : std::uint64_t(std::int64_t(m) >> n); });
  case Opcode::Ror:
  case Opcode::Rol: {
    unsigned bits = sizeOf(type0) * 8;
    markAll();
    return each([&](unsigned n) {
      unsigned count = unsigned(b[n]) % bits;
      std::uint64_t v = unsignedOf(a[n]);
      if (i.opcode == Opcode::Ror)
        count = (bits - count) % bits;
      return Wide(count ? (v << count | v >> (bits - count)) & maskOf(sizeOf(type0)) : v);
    });
  }
  case Opcode::Bfrev:
    markAll();
    return each([&](unsigned n) {
      std::uint32_t v = std::uint32_t(a[n]), back = 0;
      for (unsigned bit = 0; bit < 32; ++bit)
        back |= (v >> bit & 1) << (31 - bit);
      return Wide(back);
    });
  case Opcode::Bfe:
    markAll();
    return each([&](unsigned n) {
      unsigned width = unsigned(a[n]) & 31, offset = unsigned(b[n]) & 31;
      bool arithmetic = i.to.type == Type::D;
      if (!width)
        return Wide(0);
      auto v = std::uint32_t(c[n]);
      if (offset + width < 32) {
        v <<= 32 - offset - width;
        return Wide(arithmetic ? std::int64_t(std::int32_t(v) >> (32 - width)) : std::int64_t(v >> (32 - width)));
      }
      return Wide(arithmetic ? std::int64_t(std::int32_t(v) >> offset) : std::int64_t(v >> offset));
    });
  case Opcode::Bfi1:
    markAll();
    return each([&](unsigned n) { return Wide(std::uint32_t(((1u << (a[n] & 31)) - 1) << (b[n] & 31))); });
  case Opcode::Bfi2:
    markAll();
    return each([&](unsigned n) {
      auto mask = std::uint32_t(a[n]);
      unsigned first = mask ? unsigned(std::countr_zero(mask)) : 31;
      return Wide((std::uint32_t(b[n]) << first & mask) | (std::uint32_t(c[n]) & ~mask));
    });
  case Opcode::Bfn:
    markAll();
    return each([&](unsigned n) {
      std::uint64_t out = 0;
      for (unsigned k = 0; k < 8; ++k)
        if (i.table >> k & 1)
          out |= (k & 1 ? a[n] : ~a[n]) & (k & 2 ? b[n] : ~b[n]) & (k & 4 ? c[n] : ~c[n]);
      return Wide(out & maskOf(sizeOf(i.to.type)));
    });
  case Opcode::Add:
    markUpwards();
    return each([&](unsigned n) { return value(0, n) + value(1, n); });
  case Opcode::Add3:
    markUpwards();
    return each([&](unsigned n) { return value(0, n) + value(1, n) + value(2, n); });
  case Opcode::Mul: {
    bool dwords = sizeOf(type0) == 4 && sizeOf(i.from[1].type) == 4;
    bool toQword = sizeOf(i.to.type) == 8 && platform.generation == Generation::XeHpc;
    if (dwords && platform.generation != Generation::Gen9 && !toQword)
      throw Problem("a product of two dwords, which " + std::string(platform.name) + " does not have");
    markUpwards();
    return each([&](unsigned n) { return productOf(value(0, n), value(1, n)); });
  }
  case Opcode::Mad:
    markUpwards();
    return each([&](unsigned n) { return sumOf(productOf(value(1, n), value(2, n)), value(0, n)); });
  case Opcode::Avg:
    markAll();
    return each([&](unsigned n) { return (value(0, n) + value(1, n) + 1) >> 1; });
  case Opcode::Lzd:
    markAll();
    return each([&](unsigned n) { return Wide(std::countl_zero(std::uint32_t(a[n]))); });
  case Opcode::Fbh:
    markAll();
    return each([&](unsigned n) {
      auto v = std::uint32_t(a[n]);
      if (type0 == Type::D && std::int32_t(v) < 0)
        v = ~v;
      return v ? Wide(std::countl_zero(v)) : Wide(0xFFFFFFFF);
    });
  case Opcode::Fbl:
    markAll();
    return each([&](unsigned n) {
      auto v = std::uint32_t(a[n]);
      return v ? Wide(std::countr_zero(v)) : Wide(0xFFFFFFFF);
    });
  case Opcode::Cbit:
    markAll();
    return each([&](unsigned n) { return Wide(std::popcount(unsignedOf(a[n]))); });
  case Opcode::Csel:
    markAll();
    return each([&](unsigned n) { return holds(i.condition, value(2, n), Wide(0)) ? value(0, n) : value(1, n); });
  case Opcode::Dp4a:
    markAll();
    return each([&](unsigned n) {
      Wide sum = a[n];
      for (unsigned k = 0; k < 4; ++k) {
        int x = isSigned(i.from[1].type) ? std::int8_t(b[n] >> 8 * k) : std::uint8_t(b[n] >> 8 * k);
        int y = isSigned(i.from[2].type) ? std::int8_t(c[n] >> 8 * k) : std::uint8_t(c[n] >> 8 * k);
        sum += x * y;
      }
      return sum;
    });
  case Opcode::Sad2:
    markAll();
    return each([&](unsigned n) {
      unsigned first = n & ~1u;
      Wide sum = 0;
      for (unsigned k = first; k < first + 2; ++k)
        sum += distanceOf(a[k], b[k]);
      return sum;
    });
  case Opcode::Mac:
  case Opcode::Sada2:
  case Opcode::Mach:
  case Opcode::Macl: {
    markAll();
    for (unsigned n = 0; n < size; ++n) {
      Wide acc = t.wide[n];
      unsigned bytes = sizeOf(i.to.type);
      for (unsigned k = n * bytes; k < (n + 1) * bytes && (channels >> n & 1); ++k)
        if (t.accumulators.marks[k])
          marks[n] = AllMarked;
      if (i.opcode == Opcode::Mac) {
        r[n] = sumOf(productOf(value(0, n), value(1, n)), acc);
      } else if (i.opcode == Opcode::Sada2) {
        unsigned first = n & ~1u;
        r[n] = acc;
        for (unsigned k = first; k < first + 2; ++k)
          r[n] += distanceOf(a[k], b[k]);
      } else {
        std::int64_t high =
            isSigned(i.from[1].type) ? std::int64_t(std::int32_t(b[n])) >> 16 : std::int64_t(std::uint32_t(b[n]) >> 16);
        r[n] = acc + ((Wide(a[n]) * high) << 16);
      }
    }
    return;
  }
  case Opcode::Addc:
  case Opcode::Subb: {
    markAll();
    bool adds = i.opcode == Opcode::Addc;
    std::uint64_t carries[MostChannels];
    for (unsigned n = 0; n < size; ++n) {
      auto x = std::uint32_t(a[n]), y = std::uint32_t(b[n]);
      r[n] = std::uint32_t(adds ? x + y : x - y);
      carries[n] = adds ? std::uint64_t(x) + y > 0xFFFFFFFF : x < y;
    }
    Operand accumulator;
    accumulator.kind = Operand::Kind::Architecture;
    accumulator.arf = Arf::Acc;
    accumulator.type = Type::UD;
    accumulator.horizontal = 1;
    storeBits(t, accumulator, size, channels, carries, marks);
    for (unsigned n = 0; n < size; ++n)
      if (channels >> n & 1)
        t.wide[n] = std::int64_t(carries[n]);
    return;
  }
  default:
    refuse("this operation on integers");
  }
}

/// Whether both sources are the same elements of registers.
bool sameSources(const Instruction &i) {
  const Operand &a = i.from[0], &b = i.from[1];
  return a.kind == Operand::Kind::General && b.kind == a.kind && a.number == b.number && a.offset == b.offset &&
         a.type == b.type && a.vertical == b.vertical && a.width == b.width && a.horizontal == b.horizontal &&
         a.negate == b.negate && a.absolute == b.absolute;
}

void compare(Thread &t, const Instruction &i, std::uint32_t channels, std::uint32_t unknown, bool numbers, Lanes *s) {
  std::uint32_t values = 0, marked = 0;
  std::uint64_t bits[MostChannels], marks[MostChannels];
  std::uint64_t within = maskOf(std::max(sizeOf(i.from[0].type), sizeOf(i.from[1].type)));
  for (unsigned n = 0; n < i.size; ++n) {
    bool flag, decided = !numbers && sameSources(i); // whatever it is, it equals itself
    std::uint64_t either = (s[0].marks[n] | s[1].marks[n]) & within;
    if (numbers) {
      double x = s[0].number[n], y = s[1].number[n];
      flag = i.condition == Condition::Unordered ? std::isnan(x) || std::isnan(y) : holds(i.condition, x, y);
      if (i.opcode == Opcode::Cmpn && std::isnan(y))
        flag = true;
    } else {
      auto wide = [&](unsigned k) {
        return i.from[k].type == Type::UQ && !i.from[k].negate ? Wide(std::uint64_t(s[k].integer[n]))
                                                               : Wide(s[k].integer[n]);
      };
      flag = holds(i.condition, wide(0), wide(1));
      if (either && (i.condition == Condition::Eq || i.condition == Condition::Ne) &&
          ((std::uint64_t(s[0].integer[n]) ^ std::uint64_t(s[1].integer[n])) & within & ~either)) {
        flag = i.condition == Condition::Ne;
        decided = true;
      }
    }
    bool isMarked = (either && !decided) || unknown >> n & 1;
    values |= std::uint32_t(flag) << n;
    marked |= std::uint32_t(isMarked) << n;
    bits[n] = flag ? ~std::uint64_t(0) : 0;
    marks[n] = isMarked ? AllMarked : 0;
  }
  storeBits(t, i.to, i.size, channels, bits, marks);
  setFlags(t, i, channels, values, marked);
}

void select(Thread &t, Instruction i, std::uint32_t channels, ChannelMask predicate, bool numbers, Lanes *s) {
  Lanes r;
  for (unsigned n = 0; n < i.size; ++n) {
    bool first, unknown = predicate.marks >> n & 1;
    if (i.predicate != Predicate::None) {
      first = predicate.bits >> n & 1;
    } else if (numbers) {
      double x = s[0].number[n], y = s[1].number[n];
      first = std::isnan(y) || (!std::isnan(x) && holds(i.condition, x, y));
    } else {
      auto wide = [&](unsigned k) {
        return i.from[k].type == Type::UQ && !i.from[k].negate ? Wide(std::uint64_t(s[k].integer[n]))
                                                               : Wide(s[k].integer[n]);
      };
      first = holds(i.condition, wide(0), wide(1));
      unknown = (s[0].marks[n] | s[1].marks[n]) != 0;
    }
    if (numbers) {
      unknown |= i.predicate == Predicate::None && (s[0].marks[n] | s[1].marks[n]);
      r.number[n] = s[first ? 0 : 1].number[n];
    } else {
      r.integer[n] = s[first ? 0 : 1].integer[n];
    }
    r.marks[n] = unknown ? AllMarked : s[first ? 0 : 1].marks[n];
  }
  i.predicate = Predicate::None;
  i.condition = Condition::None;
  finish(t, i, channels, 0, numbers, r);
}

/// Executes for those of its channels that are in `only`.
void execute(Thread &t, const Instruction &i, const Platform &platform, std::uint32_t only) {
  std::uint32_t enabled = enabledChannels(t, i) & only;
  if (!enabled)
    return;
  ChannelMask predicate = predicateOf(t, i);
  bool selects = i.opcode == Opcode::Sel;
  std::uint32_t channels = selects ? enabled : enabled & (predicate.bits | predicate.marks);
  std::uint32_t unknown = selects ? 0 : predicate.marks & channels;
  if (!channels)
    return;
  if (copiesBits(i))
    return copyBits(t, i, channels, unknown);
  unsigned sources = sourcesOf(i);
  bool numbers = isFloat(i.from[0].type);
  bool logic = isLogic(i.opcode) || i.opcode == Opcode::Bfn;
  // A selection by a predicate copies, but for what modifiers make of the value.
  bool flush = !(selects && i.predicate != Predicate::None);
  Lanes s[3];
  bool pairs =
      i.opcode == Opcode::Sad2 || i.opcode == Opcode::Sada2 || (i.opcode >= Opcode::Dp4 && i.opcode <= Opcode::Dp2);
  for (unsigned k = 0; k < sources; ++k) {
    if (isFloat(i.from[k].type) != numbers)
      throw Problem("sources of which some are floats and others are not");
    fetch(t, i.from[k], i.size, pairs ? allOf(i.size) : channels, logic, flush, s[k], packedStep(i));
  }
  std::unique_ptr<RoundingScope> rounding;
  if (numbers || isFloat(i.to.type))
    if (t.control.get<std::uint32_t>(0) >> control::RoundingShift & 3)
      rounding = std::make_unique<RoundingScope>(t);
  if (i.opcode == Opcode::Cmp || i.opcode == Opcode::Cmpn)
    return compare(t, i, channels, unknown, numbers, s);
  if (selects)
    return select(t, i, channels, predicate, numbers, s);
  if (numbers) {
    Lanes r;
    for (unsigned n = 0; n < i.size; ++n)
      r.marks[n] = s[0].marks[n] | (sources > 1 ? s[1].marks[n] : 0) | (sources > 2 ? s[2].marks[n] : 0);
    computeNumbers(t, i, channels, s, r);
    return finish(t, i, channels, unknown, true, r);
  }
  Wide results[MostChannels];
  std::uint64_t marks[MostChannels];
  computeIntegers(t, i, channels, platform, s, results, marks);
  if ((i.opcode == Opcode::Mach || i.opcode == Opcode::Macl) && i.writesAccumulator) { // the high half, too
    Wide whole[MostChannels];
    std::copy_n(results, i.size, whole);
    for (unsigned n = 0; n < i.size; ++n)
      results[n] >>= 32;
    Instruction high = i;
    high.writesAccumulator = false;
    finishIntegers(t, high, channels, unknown, results, marks);
    Instruction low = i;
    low.to.kind = Operand::Kind::Architecture;
    low.to.arf = Arf::Acc;
    low.to.number = low.to.offset = 0;
    low.to.horizontal = 1;
    low.writesAccumulator = low.saturate = false;
    low.condition = Condition::None;
    return finishIntegers(t, low, channels, unknown, whole, marks);
  }
  bool carries = i.opcode == Opcode::Addc || i.opcode == Opcode::Subb; // have written the accumulator
  if (carries && i.writesAccumulator) {
    Instruction once = i;
    once.writesAccumulator = false;
    return finishIntegers(t, once, channels, unknown, results, marks);
  }
  finishIntegers(t, i, channels, unknown, results, marks);
}

} // namespace

void executeArithmetic(Thread &t, const Instruction &i, const Platform &platform) {
  if (i.opcode != Opcode::Smov)
    return execute(t, i, platform, ~0u);
  // A scattered move goes to the channels in its second source, each by the first address that the destination names.
  Lanes which;
  fetch(t, i.from[1], 1, 1, true, false, which);
  Instruction move = i;
  move.opcode = Opcode::Mov;
  execute(t, move, platform, std::uint32_t(which.integer[0]));
}

} // namespace pocm::gensim
