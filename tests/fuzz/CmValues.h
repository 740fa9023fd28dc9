// Values of the CM language in plain scalar C++, for programs that are generated with their results (RandomProgram.h).
// It shares nothing with the compiler or a device: a lane of any element type is a 64-bit number, floats and halves
// hold whole numbers only, which they have exactly.
//
//     wrapped(Type::UChar, 300) == 44        commonOf(Type::Short, Type::UInt) == Type::UInt
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace pocm::fuzz {

using Lane = std::int64_t; ///< An unsigned number of 64 bits is its bits.
using Lanes = std::vector<Lane>;

enum class Type : std::uint8_t { Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, BFloat, Float, Double };

struct TypeFacts {
  const char *name;
  int bytes;
  bool isSigned, isFloat;
  Lane whole; ///< Floats: all whole numbers up to this one are exact. Integers: the greatest, as far as a lane has it.
};
inline const TypeFacts &factsOf(Type type) {
  static const TypeFacts facts[] = {
      {"char", 1, true, false, 127},
      {"uchar", 1, false, false, 255},
      {"short", 2, true, false, 32767},
      {"ushort", 2, false, false, 65535},
      {"int", 4, true, false, 0x7FFFFFFF},
      {"uint", 4, false, false, 0xFFFFFFFF},
      {"long long", 8, true, false, std::numeric_limits<Lane>::max()},
      {"unsigned long long", 8, false, false, std::numeric_limits<Lane>::max()},
      {"half", 2, true, true, 1 << 11},
      {"bfloat16", 2, true, true, 1 << 8},
      {"float", 4, true, true, 1 << 24},
      {"double", 8, true, true, Lane(1) << 53},
  };
  return facts[std::size_t(type)];
}

/// The low bits of an integer; floats as they are.
inline Lane wrapped(Type type, Lane x) {
  switch (type) {
  case Type::Char:
    return std::int8_t(x);
  case Type::UChar:
    return std::uint8_t(x);
  case Type::Short:
    return std::int16_t(x);
  case Type::UShort:
    return std::uint16_t(x);
  case Type::Int:
    return std::int32_t(x);
  case Type::UInt:
    return std::uint32_t(x);
  default:
    return x;
  }
}

inline __int128 numberOf(Type type, Lane x) { return type == Type::ULong ? __int128(std::uint64_t(x)) : __int128(x); }
inline bool isLess(Type type, Lane a, Lane b) { return numberOf(type, a) < numberOf(type, b); }

/// A conversion of a value of `from`: integers keep their low bits, floats are clamped.
inline Lane converted(Type to, Type from, Lane x, bool saturate = false) {
  const TypeFacts &facts = factsOf(to);
  __int128 number = numberOf(from, x);
  if (saturate && facts.isFloat)
    return Lane(std::clamp<__int128>(number, 0, 1));
  if (facts.isFloat || (!saturate && !factsOf(from).isFloat))
    return wrapped(to, x);
  __int128 most = to == Type::ULong ? __int128(~std::uint64_t(0)) : __int128(facts.whole);
  return Lane(std::clamp<__int128>(number, facts.isSigned ? -most - 1 : 0, most));
}

inline Type promoted(Type type) { return factsOf(type).bytes < 4 && !factsOf(type).isFloat ? Type::Int : type; }
inline Type commonOf(Type a, Type b) {
  a = promoted(a);
  b = promoted(b);
  if (factsOf(a).isFloat != factsOf(b).isFloat)
    return factsOf(a).isFloat ? a : b;
  if (std::min(a, b) == Type::Half && std::max(a, b) == Type::BFloat) // neither has the other's numbers
    return Type::Float;
  return std::max(a, b); // the enumeration is in the order of ranks
}

/// The bytes of a value in memory, and back.
inline void save(Type type, void *to, Lane x) {
  if (type == Type::Float) {
    float f = float(x);
    std::memcpy(to, &f, sizeof(f));
  } else if (type == Type::Double) {
    double d = double(x);
    std::memcpy(to, &d, sizeof(d));
  } else if (type == Type::Half) {
    _Float16 h = _Float16(float(x));
    std::memcpy(to, &h, sizeof(h));
  } else if (type == Type::BFloat) { // the upper half of a float's bits; the lower one is 0
    float f = float(x);
    std::memcpy(to, reinterpret_cast<const char *>(&f) + 2, 2);
  } else {
    std::memcpy(to, &x, std::size_t(factsOf(type).bytes));
  }
}
inline Lane load(Type type, const void *from) {
  if (type == Type::Float) {
    float f;
    std::memcpy(&f, from, sizeof(f));
    return Lane(f);
  }
  if (type == Type::Double) {
    double d;
    std::memcpy(&d, from, sizeof(d));
    return Lane(d);
  }
  if (type == Type::Half) {
    _Float16 h;
    std::memcpy(&h, from, sizeof(h));
    return Lane(float(h));
  }
  if (type == Type::BFloat) {
    float f = 0;
    std::memcpy(reinterpret_cast<char *>(&f) + 2, from, 2);
    return Lane(f);
  }
  Lane x = 0;
  std::memcpy(&x, from, std::size_t(factsOf(type).bytes));
  return wrapped(type, x);
}

} // namespace pocm::fuzz
