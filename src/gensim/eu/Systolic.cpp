//===- Systolic.cpp - Products of matrices ----------------------------------------------===//
//
// Elements of source 1 fill dwords, of which a register has one for each lane; those of a row of source 2 lie side by
// side. Each lane adds to its accumulator the products of its column and the row:
//
//     dpas.8x4 r30:d r24:d r10:b r18:ub    four rows, eight deep: 32 bytes each
//
//===----------------------------------------------------------------------===//
#include "gensim/eu/Execute.h"
#include <algorithm>
#include <bit>

namespace pocm::gensim {
namespace {

unsigned bitsOf(const Instruction &i, unsigned source) {
  return i.bits[source] ? i.bits[source] : sizeOf(i.from[source].type) * 8;
}

/// How elements of both sources lie in dwords.
struct Shape {
  explicit Shape(const Instruction &i)
      : numbers(isFloat(i.from[1].type)), bits1(bitsOf(i, 1)), bits2(bitsOf(i, 2)),
        products(i.depth * (32 / std::max({bits1, bits2, 4u}))), rowBytes(products * bits2 / 8) {
    if (i.depth != 8)
      throw Problem("a systolic product of another depth than 8");
    if (!numbers && (bits1 > 8 || bits2 > 8))
      throw Problem("a systolic product of integers of more than 8 bits");
  }

  bool numbers;
  unsigned bits1, bits2; ///< Of an element.
  unsigned products;     ///< That a lane adds for each row.
  unsigned rowBytes;     ///< Of source 2.
};

std::uint32_t dwordAt(const std::uint8_t *from) {
  std::uint32_t value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

/// The element of that many bits from a bit of a dword on.
double elementOf(std::uint32_t dword, unsigned bit, unsigned bits, Type type) {
  dword >>= bit;
  if (type == Type::HF)
    return doubleOf(std::uint16_t(dword));
  if (type == Type::BF)
    return double(std::bit_cast<float>(dword << 16));
  if (type == Type::TF32) // 19 bits of a float
    return double(std::bit_cast<float>(dword & ~0x1FFFu));
  dword &= (1u << bits) - 1;
  return isSigned(type) ? double(std::int32_t(dword << (32 - bits)) >> (32 - bits)) : double(dword);
}

unsigned placeOf(const Thread &t, const Operand &o, unsigned bytes) {
  unsigned at = o.number * t.registerBytes + o.offset;
  if (o.kind != Operand::Kind::General || at + bytes > t.registerCount * t.registerBytes)
    throw Problem("a systolic product of what is not in registers");
  return at;
}

std::uint32_t saturated(std::int64_t value, bool isUnsigned) {
  return isUnsigned ? std::uint32_t(std::clamp<std::int64_t>(value, 0, UINT32_MAX))
                    : std::uint32_t(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

} // namespace

void Rows::append(const Rows &others) {
  data.insert(data.end(), others.data.begin(), others.data.end());
  marks.insert(marks.end(), others.marks.begin(), others.marks.end());
}

Rows rowsOf(const Thread &t, const Instruction &i, unsigned rows) {
  unsigned bytes = rows * Shape(i).rowBytes, at = placeOf(t, i.from[2], bytes);
  const std::uint8_t *data = t.registers.data + at, *marks = t.registers.marks + at;
  return {{data, data + bytes}, {marks, marks + bytes}};
}

void executeDpas(Thread &t, const Instruction &i, const Platform &platform, const Rows &rows) {
  constexpr unsigned dword = 4;
  Type first = i.from[1].type, second = i.from[2].type;
  bool known = first == Type::HF || first == Type::BF || first == Type::TF32;
  bool toFloat = i.to.type == Type::F && (i.from[0].kind != Operand::Kind::General || i.from[0].type == Type::F);
  if (isFloat(first) || isFloat(second))
    if (!known || second != first || !toFloat)
      throw Problem("a systolic product of these types is not supported by the simulator");
  Shape shape(i);
  unsigned lanes = platform.grfBytes / dword, count = i.repeat * lanes;
  bool fromNull = i.from[0].kind == Operand::Kind::Architecture;
  unsigned sums = fromNull ? 0 : placeOf(t, i.from[0], count * dword), to = placeOf(t, i.to, count * dword),
           columns = placeOf(t, i.from[1], shape.products * shape.bits1 / 32 * lanes * dword);
  std::vector<std::uint32_t> results(count);
  std::vector<bool> unknown(count);
  for (unsigned place = 0; place < count; ++place) {
    unsigned row = place / lanes, lane = place % lanes;
    std::uint32_t old = fromNull ? 0 : dwordAt(t.registers.data + sums + place * dword);
    bool bad = !fromNull && dwordAt(t.registers.marks + sums + place * dword);
    float sum = std::bit_cast<float>(old);
    std::int64_t whole = i.to.type == Type::UD ? std::int64_t(old) : std::int64_t(std::int32_t(old));
    for (unsigned n = 0; n < shape.products; ++n) {
      const unsigned k = n ^ unsigned(first == Type::BF); // docs/numerics.md
      unsigned bit1 = k * shape.bits1, bit2 = k * shape.bits2;
      unsigned at1 = columns + (bit1 / 32 * lanes + lane) * dword, at2 = row * shape.rowBytes + bit2 / 32 * dword;
      bad |= dwordAt(t.registers.marks + at1) || dwordAt(rows.marks.data() + at2);
      double a = elementOf(dwordAt(t.registers.data + at1), bit1 % 32, shape.bits1, first),
             b = elementOf(dwordAt(rows.data.data() + at2), bit2 % 32, shape.bits2, second);
      if (shape.numbers)
        sum = float(double(sum) + a * b);
      else
        whole += std::int64_t(a) * std::int64_t(b);
    }
    unknown[place] = bad;
    results[place] = shape.numbers ? std::bit_cast<std::uint32_t>(sum)
                     : i.saturate  ? saturated(whole, i.to.type == Type::UD)
                                   : std::uint32_t(whole);
  }
  for (unsigned k = 0; k < count; ++k) {
    t.registers.set(to + k * dword, results[k]);
    if (unknown[k])
      std::memset(t.registers.marks + to + k * dword, 0xFF, dword);
  }
}

} // namespace pocm::gensim
