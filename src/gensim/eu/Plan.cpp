//===- Plan.cpp - How an instruction is executed when nothing is unusual ------------------------===//
#include "gensim/eu/Plan.h"
#include "gensim/isa/Layouts.h"
#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <type_traits>

namespace pocm::gensim {
namespace {

using LoadStep = void (*)(const std::uint8_t *, const Reader &, LaneRow &);
using StoreStep = void (*)(std::uint8_t *, std::uint8_t *, const Writer &, const LaneRow &, std::uint32_t);
using ComputeStep = void (*)(const Plan &, const LaneRow *, LaneRow &);
using CompareStep = std::uint32_t (*)(const LaneRow &, const LaneRow &);
enum class Shape { Packed, Scalar, Rows };

/// What one set of the host's instructions has.
struct Steps {
  LoadStep (*load)(Type, Shape, unsigned size, bool flushes);
  StoreStep (*store)(unsigned bytes, bool packed, unsigned size);
  ComputeStep (*compute)(Opcode, bool numbers, bool truncates, bool flushes); ///< Null for what there is none for.
  CompareStep (*compare)(Condition, bool numbers, bool isUnsigned);
  void (*modify)(const Reader &, LaneRow &);
  void (*convert)(const Plan &, LaneRow &);
  void (*saturate)(const Plan &, LaneRow &);
  void (*narrow)(const Plan &, LaneRow &);
};

namespace baseline {
#include "gensim/eu/PlanLanes.inc"
}
#ifdef __x86_64__
#pragma clang attribute push(__attribute__((target("avx,avx2,fma"))), apply_to = function)
namespace avx2 {
#include "gensim/eu/PlanLanes.inc"
}
#pragma clang attribute pop
const Steps &steps =
    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2::AllSteps : baseline::AllSteps;
#else
const Steps &steps = baseline::AllSteps;
#endif

/// What values an integer can have.
struct Range {
  std::int64_t least = 0, most = 0;
  bool within(std::int64_t low, std::int64_t high) const { return least >= low && most <= high; }
  bool isInt() const { return within(INT32_MIN, INT32_MAX); }
  bool isUnsigned() const { return within(0, UINT32_MAX); }
};

Range rangeOf(Type type) {
  unsigned bits = sizeOf(type) * 8;
  return isSigned(type) ? Range{-(std::int64_t(1) << (bits - 1)), (std::int64_t(1) << (bits - 1)) - 1}
                        : Range{0, (std::int64_t(1) << bits) - 1};
}

/// What does not fit is the largest number, or the smallest.
std::int64_t productOf(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  return product;
}

Range productOf(Range a, Range b) {
  auto limits = {productOf(a.least, b.least), productOf(a.least, b.most), productOf(a.most, b.least),
                 productOf(a.most, b.most)};
  return {std::min(limits), std::max(limits)};
}

bool isPlannable(Type type) {
  switch (type) {
  case Type::UB:
  case Type::B:
  case Type::UW:
  case Type::W:
  case Type::UD:
  case Type::D:
  case Type::F:
    return true;
  default:
    return false;
  }
}

/// Where a register lies in a thread; none for those that have a meaning beyond their bytes.
struct Place {
  std::uint32_t data, marks, bytes;
};
std::optional<Place> placeOf(const Operand &o, unsigned registerBytes) {
  if (o.kind == Operand::Kind::General)
    return Place{std::uint32_t(offsetof(Thread, registers.data)) + o.number * registerBytes + o.offset,
                 std::uint32_t(offsetof(Thread, registers.marks)) + o.number * registerBytes + o.offset,
                 MostRegisters * registerBytes - o.number * registerBytes - o.offset};
  auto named = [&](std::size_t data, std::size_t marks, std::uint32_t at, std::uint32_t bytes) -> std::optional<Place> {
    if (at >= bytes)
      return {};
    return Place{std::uint32_t(data) + at, std::uint32_t(marks) + at, bytes - at};
  };
  if (o.kind == Operand::Kind::Architecture && o.arf == Arf::A && !o.number)
    return named(offsetof(Thread, addresses.data), offsetof(Thread, addresses.marks), o.offset, 64);
  if (o.kind == Operand::Kind::Architecture && o.arf == Arf::F)
    return named(offsetof(Thread, flags.data), offsetof(Thread, flags.marks), o.number * 4u + o.offset, 16);
  return {};
}

/// Fills in how a source is read; false when it has no plan.
bool planSource(Plan &plan, Reader &r, const Instruction &i, const Operand &o, Type type, unsigned registerBytes) {
  r.size = i.size;
  r.isNumber = type == Type::F;
  unsigned bytes = sizeOf(type);
  if (o.kind == Operand::Kind::Immediate) {
    r.constant = type == Type::W    ? std::uint32_t(std::int32_t(std::int16_t(o.immediate)))
                 : type == Type::UW ? std::uint16_t(o.immediate)
                                    : std::uint32_t(o.immediate);
    return true;
  }
  std::optional<Place> place = placeOf(o, registerBytes);
  if (!place)
    return false;
  r.data = place->data;
  r.marks = place->marks;
  r.vertical = std::uint16_t(o.vertical * bytes);
  r.width = std::max<std::uint8_t>(o.width, 1);
  r.horizontal = std::uint16_t(o.horizontal * bytes);
  unsigned last = (i.size - 1u) / r.width * r.vertical + std::min<unsigned>(r.width - 1u, i.size - 1u) * r.horizontal;
  r.span = std::uint16_t(last + bytes);
  if (r.span > place->bytes)
    return false;
  if (o.kind == Operand::Kind::General)
    plan.highest = std::max(plan.highest, o.number * registerBytes + o.offset + r.span);
  bool even = o.vertical == o.width * o.horizontal || i.size <= r.width; // one step from each element to the next
  bool single = i.size == 1 || (!o.vertical && (!o.horizontal || o.width == 1));
  bool columns = o.width == 1;
  Shape shape = single                                  ? Shape::Scalar
                : columns && o.vertical == 1            ? Shape::Packed
                : !columns && even && o.horizontal == 1 ? Shape::Packed
                                                        : Shape::Rows;
  r.load[0] = steps.load(type, shape, i.size, false);
  r.load[1] = steps.load(type, shape, i.size, true);
  return true;
}

bool planDestination(Plan &plan, const Instruction &i, unsigned registerBytes) {
  const Operand &o = i.to;
  plan.to.size = i.size;
  if (o.kind == Operand::Kind::Architecture && o.arf == Arf::Null)
    return true;
  std::optional<Place> place = placeOf(o, registerBytes);
  if (!place)
    return false;
  unsigned bytes = sizeOf(o.type);
  plan.to.data = place->data;
  plan.to.marks = place->marks;
  plan.to.stride = std::uint16_t(o.horizontal * bytes);
  unsigned span = (i.size - 1u) * plan.to.stride + bytes;
  if (span > place->bytes)
    return false;
  if (o.kind == Operand::Kind::General)
    plan.highest = std::max(plan.highest, o.number * registerBytes + o.offset + span);
  plan.to.store = steps.store(bytes, o.horizontal == 1, i.size);
  return true;
}

void setCompute(Plan &plan, Opcode opcode, bool numbers, bool truncates) {
  plan.compute[0] = steps.compute(opcode, numbers, truncates, false);
  plan.compute[1] = steps.compute(opcode, numbers, truncates, true);
}

/// A move of whole registers' parts, marks and all.
bool planCopy(Plan &plan, const Instruction &i) {
  const Operand &from = i.from[0];
  bool alike = sizeOf(from.type) == sizeOf(i.to.type) && isFloat(from.type) == isFloat(i.to.type) &&
               (!isFloat(from.type) || from.type == i.to.type);
  if (i.opcode != Opcode::Mov || !alike || i.saturate || i.condition != Condition::None || from.negate || from.absolute)
    return false;
  plan.way = Plan::Way::Compute;
  setCompute(plan, Opcode::Mov, false, false);
  return true;
}

bool isLogic(Opcode o) { return o == Opcode::And || o == Opcode::Or || o == Opcode::Xor || o == Opcode::Not; }

/// Integers: whether 32 bits of each lane say enough.
bool planIntegers(Plan &plan, const Instruction &i, const Range *s) {
  bool saturates = i.saturate || isFloat(i.to.type);
  Range result{INT64_MIN, INT64_MAX};
  switch (i.opcode) {
  case Opcode::Mov:
    result = s[0];
    break;
  case Opcode::Add:
    result = {s[0].least + s[1].least, s[0].most + s[1].most};
    break;
  case Opcode::Mul:
    result = productOf(s[0], s[1]);
    break;
  case Opcode::Mad: {
    Range product = productOf(s[1], s[2]);
    if (product.within(-(std::int64_t(1) << 62), std::int64_t(1) << 62))
      result = {product.least + s[0].least, product.most + s[0].most};
    break;
  }
  case Opcode::Shr: {
    unsigned bytes = sizeOf(i.from[0].type);
    plan.shiftMask = bytes == 4 ? ~0u : (1u << bytes * 8) - 1;
    break;
  }
  case Opcode::Asr:
    if (s[0].isInt())
      break;
    if (!s[0].isUnsigned())
      return false;
    setCompute(plan, Opcode::Shr, false, false);
    break;
  default:
    break;
  }
  if (!saturates)
    return true;
  if (isFloat(i.to.type)) {
    plan.unsignedOrder = !result.isInt();
    return !i.saturate && (result.isInt() || result.isUnsigned());
  }
  Range limits = rangeOf(i.to.type);
  plan.least = double(std::max<std::int64_t>(limits.least, INT32_MIN));
  plan.most = double(std::min<std::int64_t>(limits.most, INT32_MAX));
  return result.isInt();
}

} // namespace

Plan planOf(const Instruction &i, const Platform &platform) {
  Plan plan, none;
  unsigned bytes = platform.grfBytes, sources = infoOf(i.opcode).sources;
  bool ordinary = i.format == Format::Basic || i.format == Format::Ternary;
  if (!ordinary || i.writesAccumulator || isMacro(i) || !sources || sources > 3 || i.opcode == Opcode::Smov)
    return none;
  if (!isPlannable(i.to.type))
    return none;
  bool compares = i.opcode == Opcode::Cmp, selects = i.opcode == Opcode::Sel, copies = planCopy(plan, i);
  bool numbers = !copies && i.from[0].type == Type::F, logic = isLogic(i.opcode);
  plan.sources = std::uint8_t(sources);
  plan.numbers = numbers;
  plan.toNumber = !copies && i.to.type == Type::F;
  plan.usesNumbers = numbers || plan.toNumber;
  plan.saturate = i.saturate;
  plan.all = i.size >= 32 ? ~0u : (1u << i.size) - 1;
  Range ranges[3];
  for (unsigned k = 0; k < sources; ++k) {
    const Operand &o = i.from[k];
    if (!isPlannable(o.type) || (!copies && (o.type == Type::F) != numbers))
      return none;
    Reader &r = plan.from[k];
    if (!planSource(plan, r, i, o, copies && o.type == Type::F ? Type::UD : o.type, bytes))
      return none;
    r.negate = o.negate && !logic;
    r.inverts = o.negate && logic;
    r.absolute = o.absolute && (numbers || isSigned(o.type));
    Range range = rangeOf(o.type == Type::F ? Type::UD : o.type);
    if (r.absolute)
      range = {0, std::max(-range.least, range.most)};
    if (r.negate)
      range = {-range.most, -range.least};
    ranges[k] = range;
  }
  if (!planDestination(plan, i, bytes))
    return none;
  if (compares || (selects && i.predicate == Predicate::None)) {
    plan.way = compares ? Plan::Way::Compare : Plan::Way::Select;
    bool asInt = ranges[0].isInt() && ranges[1].isInt();
    if (!numbers && !asInt && !(ranges[0].isUnsigned() && ranges[1].isUnsigned()))
      return none;
    plan.compare = steps.compare(i.condition, numbers, !asInt);
    if (!plan.compare || (selects && (i.to.type == Type::F) != numbers))
      return none;
    plan.toNumber &= selects;
    if (selects && i.saturate && !numbers)
      return none;
    return plan;
  }
  if (selects) {
    plan.way = Plan::Way::Choose;
    return (i.to.type == Type::F) != numbers || (i.saturate && !numbers) ? none : plan;
  }
  if (copies)
    return plan;
  // A product of two dwords, which later generations lack, is refused in the general way.
  if (!numbers && i.opcode == Opcode::Mul && sizeOf(i.from[0].type) == 4 && sizeOf(i.from[1].type) == 4 &&
      platform.generation != Generation::Gen9)
    return none;
  bool truncates = numbers && !plan.toNumber;
  plan.way = Plan::Way::Compute;
  setCompute(plan, i.opcode, numbers, truncates);
  if (!plan.compute[0] || (!numbers && !planIntegers(plan, i, ranges)))
    return none;
  if (truncates) {
    Range limits = rangeOf(i.to.type);
    if (!limits.isInt())
      return none;
    plan.least = double(limits.least);
    plan.most = double(limits.most);
    plan.saturate = false; // which they are in any case
  }
  if (i.condition == Condition::None)
    return plan;
  bool isUnsigned = !plan.toNumber && !isSigned(i.to.type);
  if (plan.unsignedOrder || (!numbers && plan.toNumber))
    return none;
  plan.unsignedOrder = isUnsigned;
  plan.narrowed = std::uint8_t(sizeOf(i.to.type) * 8);
  plan.compare = steps.compare(i.condition, plan.toNumber, isUnsigned);
  return plan.compare ? plan : none;
}

namespace {

/// Whether everything there has been written.
inline bool isClean(const std::uint8_t *marks, unsigned bytes) {
  std::uint64_t any = 0, piece;
  if (bytes < sizeof(piece)) {
    for (unsigned k = 0; k < bytes; ++k)
      any |= marks[k];
    return !any;
  }
  for (unsigned k = 0; k + sizeof(piece) <= bytes; k += sizeof(piece)) {
    std::memcpy(&piece, marks + k, sizeof(piece));
    any |= piece;
  }
  std::memcpy(&piece, marks + bytes - sizeof(piece), sizeof(piece));
  return !(any | piece);
}

void broadcast(const Reader &r, bool flush, LaneRow &to) {
  std::uint32_t bits = flush && !(r.constant & 0x7F800000) ? r.constant & 0x80000000 : r.constant;
  for (unsigned n = 0; n < MostChannels; ++n)
    to.integer[n] = std::int32_t(bits);
}

} // namespace

bool execute(const Plan &p, Thread &t, const Instruction &i) {
  if (p.way == Plan::Way::General || p.highest > t.registerCount * t.registerBytes)
    return false;
  std::uint32_t mode = t.control.get<std::uint32_t>(0);
  if (p.usesNumbers && (mode >> control::RoundingShift & 3))
    return false;
  bool flush = !(mode & control::KeepDenormalFloats);
  std::uint32_t enabled = enabledChannels(t, i), channels = enabled;
  if (!enabled)
    return true;
  ChannelMask predicate;
  if (i.predicate != Predicate::None) {
    predicate = predicateOf(t, i);
    if (predicate.marks & enabled)
      return false;
    if (p.way != Plan::Way::Choose)
      channels &= predicate.bits;
    if (!channels)
      return true;
  }
  auto *bytes = reinterpret_cast<std::uint8_t *>(&t);
  LaneRow s[3], result;
  for (unsigned k = 0; k < p.sources; ++k) {
    const Reader &r = p.from[k];
    if (!r.load[0]) {
      broadcast(r, flush && r.isNumber, s[k]);
    } else {
      if (!isClean(bytes + r.marks, r.span))
        return false;
      r.load[flush](bytes + r.data, r, s[k]);
    }
    if (r.negate || r.absolute || r.inverts)
      steps.modify(r, s[k]);
  }
  std::uint32_t bits = 0;
  auto choose = [&](std::uint32_t first) {
    for (unsigned n = 0; n < MostChannels; ++n)
      result.integer[n] = first >> n & 1 ? s[0].integer[n] : s[1].integer[n];
  };
  switch (p.way) {
  case Plan::Way::Compute:
    p.compute[flush](p, s, result);
    if (p.toNumber && !p.numbers)
      steps.convert(p, result);
    break;
  case Plan::Way::Choose:
    choose(predicate.bits);
    break;
  case Plan::Way::Select:
    bits = p.compare(s[0], s[1]);
    if (p.numbers)
      for (unsigned n = 0; n < i.size; ++n) {
        bool noFirst = s[0].number[n] != s[0].number[n], noSecond = s[1].number[n] != s[1].number[n];
        if (noFirst || noSecond)
          bits = (bits & ~(1u << n)) | std::uint32_t(noSecond) << n;
      }
    choose(bits);
    break;
  default:
    bits = p.compare(s[0], s[1]);
    for (unsigned n = 0; n < MostChannels; ++n)
      result.integer[n] = -std::int32_t(bits >> n & 1);
    break;
  }
  if (p.saturate)
    steps.saturate(p, result);
  if (p.to.store)
    p.to.store(bytes + p.to.data, bytes + p.to.marks, p.to, result, channels);
  if (p.way == Plan::Way::Compare) {
    setFlags(t, i, channels, bits, 0);
  } else if (p.narrowed) {
    if (p.narrowed < 32)
      steps.narrow(p, result);
    LaneRow zero{};
    setFlags(t, i, channels, p.compare(result, zero), 0);
  }
  return true;
}

} // namespace pocm::gensim
