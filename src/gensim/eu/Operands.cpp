//===- Operands.cpp - Regions, modifiers, conversions from and to registers --------------===//
#include "gensim/eu/Lanes.h"
#include <cmath>

namespace pocm::gensim {

double doubleOf(std::uint16_t half) {
  unsigned exponent = half >> 10 & 31, mantissa = half & 1023;
  double magnitude = exponent == 31 ? (mantissa ? std::nan("") : HUGE_VAL)
                     : exponent     ? std::ldexp(double(mantissa + 1024), int(exponent) - 25)
                                    : std::ldexp(double(mantissa), -24);
  return half & 0x8000 ? -magnitude : magnitude;
}

std::uint16_t halfOf(double value, unsigned rounding) {
  auto sign = std::uint16_t(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value))
    return std::uint16_t(sign | 0x7E00);
  double magnitude = std::fabs(value);
  constexpr double most = 65504, least = 0x1p-24;
  if (std::isinf(value))
    return std::uint16_t(sign | 0x7C00);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  double unit = std::ldexp(1.0, std::max(exponent - 11, -24)); // of the last bit
  double steps = magnitude / unit, whole = std::floor(steps), rest = steps - whole;
  bool up = false;
  if (rounding == 0)
    up = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) == 1);
  else if (rounding == 1)
    up = rest > 0 && !sign;
  else if (rounding == 2)
    up = rest > 0 && sign;
  double rounded = (whole + (up ? 1 : 0)) * unit;
  if (rounded > most) {
    bool toInfinity = rounding == 0 || (rounding == 1 && !sign) || (rounding == 2 && sign);
    return std::uint16_t(sign | (toInfinity ? 0x7C00 : 0x7BFF));
  }
  if (rounded < 0x1p-14)
    return std::uint16_t(sign | unsigned(rounded / least));
  std::frexp(rounded, &exponent);
  auto mantissa = unsigned(std::ldexp(rounded, 11 - exponent)) - 1024;
  return std::uint16_t(sign | unsigned(exponent + 14) << 10 | mantissa);
}

Area areaOf(Thread &t, const Operand &o) {
  if (o.kind != Operand::Kind::Architecture)
    return {t.registers.data, t.registers.marks, t.registerCount * t.registerBytes};
  switch (o.arf) {
  case Arf::A:
    return t.addresses.area();
  case Arf::Acc:
    return {t.accumulators.data, t.accumulators.marks, 16 * t.registerBytes};
  case Arf::F:
    return t.flags.area();
  case Arf::Sr:
    return t.state.area();
  case Arf::Cr:
    return t.control.area();
  case Arf::N:
    return t.notification.area();
  case Arf::Tm: {
    t.clock.set(0, t.instructions);
    return t.clock.area();
  }
  case Arf::Ip:
    t.other.set(0, t.ip);
    return t.other.area();
  case Arf::Ce:
    t.other.set(0, t.active());
    return t.other.area();
  case Arf::Null:
    t.other.clear(0);
    return t.other.area();
  default:
    throw Problem("an architecture register that is not modelled");
  }
}

static unsigned baseOf(const Thread &t, const Operand &o) {
  if (o.kind == Operand::Kind::General)
    return o.number * t.registerBytes + o.offset;
  if (o.arf == Arf::Acc)
    return o.number * t.registerBytes + o.offset;
  if (o.arf == Arf::F)
    return o.number * 4u + o.offset;
  if (o.arf == Arf::Null || o.number)
    return 0;
  return o.offset;
}

void elementsOf(Thread &t, const Operand &o, unsigned size, std::uint32_t channels, unsigned *offsets) {
  unsigned bytes = sizeOf(o.type);
  if (o.kind == Operand::Kind::Architecture && o.arf == Arf::Null) {
    std::fill_n(offsets, size, 0);
    return;
  }
  unsigned limit = o.kind != Operand::Kind::Architecture ? t.registerCount * t.registerBytes
                   : o.arf == Arf::Acc                   ? 16 * t.registerBytes
                   : o.arf == Arf::F                     ? 16
                                                         : 64;
  bool indirect = o.kind == Operand::Kind::Indirect;
  unsigned base = indirect ? 0 : baseOf(t, o);
  for (unsigned n = 0; n < size; ++n) {
    unsigned row = n / o.width, column = n % o.width;
    unsigned start = base;
    if (indirect) {
      unsigned word = (o.address + (o.eachRow ? row : 0)) * 2;
      if (word + 2 > sizeof(t.addresses.data))
        throw Problem("an address register that there is not");
      start = std::uint16_t(t.addresses.get<std::uint16_t>(word) + std::uint16_t(o.addressOffset));
    }
    unsigned at = start + (row * o.vertical + column * o.horizontal) * bytes;
    bool wanted = channels >> n & 1;
    if (at + bytes > limit) {
      if (wanted && !indirect)
        throw Problem("an operand that leaves the register file, at byte " + std::to_string(at));
      if (wanted)
        t.beyond = true;
      at = Nowhere;
    }
    offsets[n] = at;
  }
}

namespace {

template <class T> T load(const std::uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

std::uint64_t loadBytes(const std::uint8_t *from, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

double flushed(double value, double least) { return std::fabs(value) < least ? std::copysign(0.0, value) : value; }

constexpr double LeastHalf = 0x1p-14, LeastFloat = 0x1p-126, LeastDouble = 0x1p-1022;

/// The element of a packed vector that a channel reads.
unsigned elementOf(unsigned channel, unsigned step, unsigned elements) {
  if (step > 1 && channel * step >= elements)
    throw Problem("a packed vector of " + std::to_string(elements) + " elements of which channel " +
                  std::to_string(channel) + " would read number " + std::to_string(channel * step));
  return channel * step % elements;
}

void fetchImmediate(const Operand &o, unsigned size, unsigned step, Lanes &to) {
  std::uint64_t bits = o.immediate;
  for (unsigned n = 0; n < size; ++n)
    switch (o.type) {
    case Type::UV:
      to.integer[n] = std::int64_t(bits >> elementOf(n, step, 8) * 4 & 15);
      break;
    case Type::V:
      to.integer[n] = std::int64_t(bits << (60 - elementOf(n, step, 8) * 4)) >> 60;
      break;
    case Type::VF: {
      unsigned byte = unsigned(bits >> elementOf(n, step, 4) * 8) & 255;
      double magnitude = byte & 127 ? std::ldexp(1 + (byte & 15) / 16.0, int(byte >> 4 & 7) - 3) : 0;
      to.number[n] = byte & 128 ? -magnitude : magnitude;
      break;
    }
    case Type::UW:
      to.integer[n] = std::uint16_t(bits);
      break;
    case Type::W:
      to.integer[n] = std::int16_t(bits);
      break;
    case Type::UD:
      to.integer[n] = std::uint32_t(bits);
      break;
    case Type::D:
      to.integer[n] = std::int32_t(bits);
      break;
    case Type::UQ:
    case Type::Q:
      to.integer[n] = std::int64_t(bits);
      break;
    case Type::HF:
      to.number[n] = doubleOf(std::uint16_t(bits));
      break;
    case Type::BF:
    case Type::F: {
      auto word = std::uint32_t(o.type == Type::BF ? bits << 16 : bits);
      float value;
      std::memcpy(&value, &word, sizeof(value));
      to.number[n] = value;
      break;
    }
    case Type::DF:
      std::memcpy(&to.number[n], &bits, sizeof(bits));
      break;
    default:
      throw Problem("an immediate of type " + std::string(nameOf(o.type)));
    }
  std::memset(to.marks, 0, sizeof(to.marks));
  to.marked = false;
}

/// The bit of a type's sign with the marks above it set when it is not known.
std::uint64_t extendedMarks(std::uint64_t marks, Type type) {
  unsigned bits = sizeOf(type) * 8;
  if (isSigned(type) && bits < 64 && marks >> (bits - 1) & 1)
    marks |= ~std::uint64_t(0) << bits;
  return marks;
}

} // namespace

unsigned packedStep(const Instruction &i) {
  const unsigned stride = sizeOf(i.to.type) * std::max<unsigned>(i.to.horizontal, 1);
  return std::max(stride / 2, 1u);
}

void fetch(Thread &t, const Operand &o, unsigned size, std::uint32_t channels, bool logic, bool flush, Lanes &to,
           unsigned step) {
  if (o.kind == Operand::Kind::Immediate) {
    fetchImmediate(o, size, o.type == Type::VF ? 1 : step, to);
  } else {
    unsigned offsets[MostChannels];
    elementsOf(t, o, size, channels, offsets);
    Area area = areaOf(t, o);
    const std::uint8_t *data = area.data;
    static constexpr std::uint8_t zeros[8] = {}, unknown[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    auto each = [&](auto read) {
      for (unsigned n = 0; n < size; ++n)
        read(n, offsets[n] == Nowhere ? zeros : data + offsets[n]);
    };
    switch (o.type) {
    case Type::UB:
      each([&](unsigned n, const std::uint8_t *p) { to.integer[n] = *p; });
      break;
    case Type::B:
      each([&](unsigned n, const std::uint8_t *p) { to.integer[n] = std::int8_t(*p); });
      break;
    case Type::UW:
      each([&](unsigned n, const std::uint8_t *p) { to.integer[n] = load<std::uint16_t>(p); });
      break;
    case Type::W:
      each([&](unsigned n, const std::uint8_t *p) { to.integer[n] = load<std::int16_t>(p); });
      break;
    case Type::UD:
      each([&](unsigned n, const std::uint8_t *p) { to.integer[n] = load<std::uint32_t>(p); });
      break;
    case Type::D:
      each([&](unsigned n, const std::uint8_t *p) { to.integer[n] = load<std::int32_t>(p); });
      break;
    case Type::UQ:
    case Type::Q:
      each([&](unsigned n, const std::uint8_t *p) { to.integer[n] = load<std::int64_t>(p); });
      break;
    case Type::HF:
      each([&](unsigned n, const std::uint8_t *p) { to.number[n] = doubleOf(load<std::uint16_t>(p)); });
      break;
    case Type::BF:
      each([&](unsigned n, const std::uint8_t *p) {
        auto bits = std::uint32_t(load<std::uint16_t>(p)) << 16;
        float value;
        std::memcpy(&value, &bits, sizeof(value));
        to.number[n] = value;
      });
      break;
    case Type::F:
      each([&](unsigned n, const std::uint8_t *p) { to.number[n] = load<float>(p); });
      break;
    case Type::DF:
      each([&](unsigned n, const std::uint8_t *p) { to.number[n] = load<double>(p); });
      break;
    default:
      throw Problem("a source of type " + std::string(nameOf(o.type)));
    }
    unsigned bytes = sizeOf(o.type);
    std::uint64_t any = 0;
    for (unsigned n = 0; n < size; ++n) {
      to.marks[n] =
          channels >> n & 1
              ? extendedMarks(loadBytes(offsets[n] == Nowhere ? unknown : area.marks + offsets[n], bytes), o.type)
              : 0;
      any |= to.marks[n];
    }
    to.marked = any != 0;
  }
  if (isFloat(o.type)) {
    std::uint32_t mode = t.control.get<std::uint32_t>(0);
    double least = o.type == Type::HF && !(mode & control::KeepDenormalHalves)                          ? LeastHalf
                   : (o.type == Type::F || o.type == Type::BF) && !(mode & control::KeepDenormalFloats) ? LeastFloat
                   : o.type == Type::DF && !(mode & control::KeepDenormalDoubles)                       ? LeastDouble
                                                                                                        : 0;
    if (flush && least)
      for (unsigned n = 0; n < size; ++n)
        to.number[n] = flushed(to.number[n], least);
    if (o.absolute)
      for (unsigned n = 0; n < size; ++n)
        to.number[n] = std::fabs(to.number[n]);
    if (o.negate)
      for (unsigned n = 0; n < size; ++n)
        to.number[n] = -to.number[n];
    return;
  }
  if (o.absolute)
    for (unsigned n = 0; n < size; ++n)
      to.integer[n] =
          isSigned(o.type) && to.integer[n] < 0 ? std::int64_t(-std::uint64_t(to.integer[n])) : to.integer[n];
  if (!o.negate)
    return;
  for (unsigned n = 0; n < size; ++n)
    to.integer[n] = logic ? ~to.integer[n] : std::int64_t(-std::uint64_t(to.integer[n]));
  if (!logic && to.marked) // a borrow goes upwards
    for (unsigned n = 0; n < size; ++n)
      if (to.marks[n])
        to.marks[n] |= -(to.marks[n] & -to.marks[n]);
}

void storeBits(Thread &t, const Operand &o, unsigned size, std::uint32_t channels, const std::uint64_t *bits,
               const std::uint64_t *marks) {
  if (o.kind == Operand::Kind::Architecture && o.arf == Arf::Null)
    return;
  Operand region = o;
  region.width = 1; // elements `horizontal` apart
  region.vertical = o.horizontal;
  region.horizontal = 0;
  region.eachRow = false;
  unsigned offsets[MostChannels];
  elementsOf(t, region, size, channels, offsets);
  Area area = areaOf(t, o);
  unsigned bytes = sizeOf(o.type);
  for (unsigned n = 0; n < size; ++n) {
    if (!(channels >> n & 1) || offsets[n] == Nowhere)
      continue;
    std::memcpy(area.data + offsets[n], &bits[n], bytes);
    std::memcpy(area.marks + offsets[n], &marks[n], bytes);
  }
}

} // namespace pocm::gensim
