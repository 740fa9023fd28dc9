// Functions of a random program that look at the bits of integers: counts, fields, shifts and rotations.
//
//     cm_bf_extract(5, (s1 & 31), u1.select<8, 1>(3))      cm_shl<short>(v1, 7, SAT)
#pragma once

#include "Variables.h"

namespace pocm::fuzz {

class BitFunctions : protected Variables {
protected:
  using Variables::Variables;

  static int bitsOf(Type type) { return 8 * factsOf(type).bytes; }
  static std::uint64_t lowBits(int count) { return count >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << count) - 1; }
  static std::uint64_t bitsIn(Type type, Lane x) { return std::uint64_t(x) & lowBits(bitsOf(type)); }
  static Type unsignedOf(Type type) {
    for (Type u : {Type::UChar, Type::UShort, Type::UInt, Type::ULong})
      if (factsOf(u).bytes == factsOf(type).bytes)
        return u;
    return type;
  }

  /// A function of one lane of each operand.
  static Expression lanewise(const std::vector<Expression> &operands, Type result, const std::string &text,
                             const std::function<Lane(const Lanes &)> &of) {
    int count = 0;
    for (const Expression &e : operands)
      count = std::max(count, e.count);
    return {result, count, text, limitOf(result), [=](ModelThread &t) {
              std::vector<Lanes> values;
              for (const Expression &e : operands)
                values.push_back(e.value(t));
              Lanes all, one(operands.size());
              for (int k = 0; k < std::max(count, 1); ++k) {
                for (std::size_t o = 0; o < operands.size(); ++o)
                  one[o] = at(values[o], k);
                all.push_back(wrapped(result, of(one)));
              }
              return all;
            }};
  }

  /// How far to shift, and the like: a constant or what is known at run time, at most `most`, which is 2^n - 1.
  Expression amount(const Expression &from, int most) {
    return from.count && chance(50) ? masked(from, most) : constant(Type::Int, pick(0, most));
  }

  /// Integers all; `a` has as many elements as the result.
  Expression bitFunction(const Expression &a, const Expression &b, const Expression &c) {
    const Type type = a.type, wide = promoted(type);
    const int bits = bitsOf(type);
    switch (pick(0, 11)) {
    case 0:
      return lanewise({a}, Type::UInt, fmt::format("cm_cbit({})", a.text),
                      [=](const Lanes &x) { return __builtin_popcountll(bitsIn(type, x[0])); });
    case 1:
      return lanewise({a}, unsignedOf(wide), fmt::format("cm_lzd({})", a.text), [=](const Lanes &x) {
        const std::uint64_t value = bitsIn(wide, x[0]);
        return value ? __builtin_clzll(value) - (64 - bitsOf(wide)) : bitsOf(wide);
      });
    case 2:
      return lanewise({a}, Type::UInt, fmt::format("cm_fbl({})", a.text), [](const Lanes &x) {
        const auto low = std::uint32_t(x[0]);
        return low ? Lane(__builtin_ctz(low)) : -1;
      });
    case 3: {
      const bool isSigned = chance(50);
      return lanewise({a}, isSigned ? Type::Int : Type::UInt,
                      fmt::format("cm_fbh<{}>({})", isSigned ? "int" : "uint", a.text), [=](const Lanes &x) {
                        auto value = std::uint32_t(x[0]);
                        if (isSigned && value >> 31)
                          value = ~value;
                        return value ? Lane(__builtin_clz(value)) : -1;
                      });
    }
    case 4:
      return lanewise({a}, type, fmt::format("cm_bf_reverse({})", a.text),
                      [](const Lanes &x) { return Lane(__builtin_bitreverse32(std::uint32_t(x[0]))); });
    case 5:
      if (bits <= 32)
        return extracted(a, amount(b, 31), amount(c, 31));
      [[fallthrough]];
    case 6:
      if (bits <= 32)
        return inserted(a, b, amount(b, 31), amount(c, 31));
      [[fallthrough]];
    case 7:
      if (bits > 8)
        return rotated(a, b);
      [[fallthrough]];
    case 8:
      if (bits == 16 || bits == 32)
        return truthTable(a, b, c);
      [[fallthrough]];
    case 9:
      if (bits == 32 && bitsOf(b.type) == 32 && bitsOf(c.type) <= 32)
        return products(c, a, b);
      [[fallthrough]];
    case 10:
      return shifted(a, amount(b, bitsOf(wide) - 1));
    default: {
      const Type result = integerType();
      const Expression count = amount(b, bitsOf(wide) - 1);
      const int kind = pick(0, 2); // the kind of the operand, of one without a sign, of one with
      const bool isSigned = kind == 0 ? factsOf(wide).isSigned : kind == 2, saturate = chance(40);
      static const char *const names[] = {"shr", "lsr", "asr"};
      return lanewise({a, count}, result,
                      fmt::format("cm_{}<{}>({}, {}{})", names[kind], factsOf(result).name, a.text, count.text,
                                  saturate ? ", SAT" : ""),
                      [=](const Lanes &x) {
                        const bool four = bitsOf(wide) == 32;
                        const Lane value = isSigned ? (four ? Lane(std::int32_t(x[0]) >> x[1]) : x[0] >> x[1])
                                                    : Lane(bitsIn(wide, x[0]) >> x[1]);
                        return converted(result, isSigned || four ? Type::Long : Type::ULong, value, saturate);
                      });
    }
    }
  }

private:
  static Expression extracted(const Expression &a, const Expression &width, const Expression &from) {
    const bool isSigned = factsOf(a.type).isSigned;
    return lanewise({width, from, a}, isSigned ? Type::Int : Type::UInt,
                    fmt::format("cm_bf_extract({}, {}, {})", width.text, from.text, a.text), [=](const Lanes &x) {
                      const int count = int(std::min(x[0], 32 - x[1]));
                      const std::uint64_t field = std::uint32_t(x[2]) >> x[1] & lowBits(count);
                      const bool negative = isSigned && count && field >> (count - 1) & 1;
                      return Lane(negative ? field | ~lowBits(count) : field);
                    });
  }
  static Expression inserted(const Expression &a, const Expression &b, const Expression &width, const Expression &to) {
    return lanewise({width, to, b, a}, factsOf(a.type).isSigned ? Type::Int : Type::UInt,
                    fmt::format("cm_bf_insert({}, {}, {}, {})", width.text, to.text, b.text, a.text),
                    [](const Lanes &x) {
                      const auto mask = std::uint32_t(lowBits(int(x[0])) << x[1]);
                      return Lane((std::uint32_t(x[2]) << x[1] & mask) | (std::uint32_t(x[3]) & ~mask));
                    });
  }
  Expression rotated(const Expression &a, const Expression &b) {
    const Type type = a.type;
    const int bits = bitsOf(type);
    const Expression count = amount(b, bits - 1);
    const bool left = chance(50);
    return lanewise({a, count}, type, fmt::format("cm_{}({}, {})", left ? "rol" : "ror", a.text, count.text),
                    [=](const Lanes &x) {
                      const int up = int(left ? x[1] : bits - x[1]) % bits;
                      const std::uint64_t value = bitsIn(type, x[0]);
                      return Lane(up ? value << up | value >> (bits - up) : value);
                    });
  }
  Expression truthTable(const Expression &a, const Expression &b, const Expression &c) {
    const int table = pick(0, 255);
    return lanewise({a, b, c}, a.type, fmt::format("cm_bfn<BFNT({})>({}, {}, {})", table, a.text, b.text, c.text),
                    [=](const Lanes &x) {
                      std::uint64_t result = 0;
                      for (int bit = 0; bit < 64; ++bit) {
                        const int row = int(x[0] >> bit & 1) | int(x[1] >> bit & 1) << 1 | int(x[2] >> bit & 1) << 2;
                        result |= std::uint64_t(table >> row & 1) << bit;
                      }
                      return Lane(result);
                    });
  }
  /// Four products of bytes, added to one operand.
  Expression products(const Expression &sum, const Expression &a, const Expression &b) {
    const Type result = chance(50) ? Type::Int : Type::UInt;
    const bool saturate = chance(50);
    return lanewise({sum, a, b}, result,
                    fmt::format("cm_dp4a<{}>({}, {}, {}{})", factsOf(result).name, sum.text, a.text, b.text,
                                saturate ? ", SAT" : ""),
                    [=, left = a.type, right = b.type](const Lanes &x) {
                      auto byte = [](Type type, Lane of, int k) {
                        return wrapped(type == Type::Int ? Type::Char : Type::UChar, of >> 8 * k);
                      };
                      Lane total = x[0];
                      for (int k = 0; k < 4; ++k)
                        total += byte(left, x[1], k) * byte(right, x[2], k);
                      return converted(result, Type::Long, total, saturate);
                    });
  }
  Expression shifted(const Expression &a, const Expression &count) {
    const Type wide = promoted(a.type), result = integerType();
    const bool saturate = bitsOf(wide) == 32 && chance(60);
    return lanewise(
        {a, count}, result,
        fmt::format("cm_shl<{}>({}, {}{})", factsOf(result).name, a.text, count.text, saturate ? ", SAT" : ""),
        [=](const Lanes &x) {
          const auto up = Lane(std::uint64_t(x[0]) << x[1]);
          return saturate ? converted(result, Type::Long, up, true) : wrapped(wide, up);
        });
  }
};

} // namespace pocm::fuzz
