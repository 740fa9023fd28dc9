// Operators, conversions and functions of one lane of a random program:
//
//     (v2 / (s1 | 1))      cm_add<uchar>(v1, u2, SAT)      cm_rnde<int>((u1 * 0.25f))
#pragma once

#include "BitFunctions.h"

namespace pocm::fuzz {

class Arithmetic : protected BitFunctions {
protected:
  using BitFunctions::BitFunctions;

  static Expression convert(const Expression &e, Type type, bool saturate = false) {
    Expression from = factsOf(type).isFloat && !saturate ? bounded(e, limitOf(type)) : e;
    if (!e.count && factsOf(e.type).isFloat && !factsOf(type).isFloat && type != Type::Int) // C++ defines no other
      from = convert(e, Type::Int);
    std::string text = !e.count ? fmt::format("({})({})", factsOf(type).name, from.text)
                                : fmt::format("{}({}{})", objectOf(type, e.count), from.text, saturate ? ", SAT" : "");
    Lane bound = saturate && factsOf(type).isFloat ? 1 : factsOf(type).isFloat ? from.bound : limitOf(type);
    return {type, e.count, text, bound, [=](ModelThread &t) {
              Lanes all = from.value(t);
              for (Lane &x : all)
                x = converted(type, from.type, x, saturate);
              return all;
            }};
  }
  /// The same or another value that is not further from 0 than that; 2^n - 1.
  static Expression bounded(const Expression &e, Lane most) {
    if (e.bound <= most)
      return e;
    return masked(factsOf(e.type).isFloat ? convert(e, Type::Int) : e, most);
  }

  using Operation = std::function<Lane(Lane, Lane)>;
  /// Two operands of one element type after C's promotion; the result is of another where that is said.
  Expression combined(const Expression &a, const Expression &b, Type common, Type result, Lane bound,
                      const std::string &text, Operation operation) {
    int count = std::max(a.count, b.count);
    return {result, count, text, bound, [=](ModelThread &t) {
              Lanes left = a.value(t), right = b.value(t), all(std::size_t(std::max(count, 1)));
              for (std::size_t k = 0; k < all.size(); ++k)
                all[k] = operation(converted(common, a.type, at(left, int(k))),
                                   converted(common, b.type, at(right, int(k))));
              return all;
            }};
  }
  static Lane product(Lane a, Lane b) { return Lane(std::uint64_t(a) * std::uint64_t(b)); }
  static Lane sum(Lane a, Lane b) { return Lane(std::uint64_t(a) + std::uint64_t(b)); }
  static Lane difference(Lane a, Lane b) { return Lane(std::uint64_t(a) - std::uint64_t(b)); }

  Expression binary(Expression a, Expression b) {
    Type common = commonOf(a.type, b.type);
    if (factsOf(common).isFloat)
      return floating(a, b, common);
    auto infix = [&](const char *op) { return fmt::format("({} {} {})", a.text, op, b.text); };
    auto plain = [&](const char *op, Operation operation) {
      return combined(a, b, common, common, limitOf(common), infix(op),
                      [=](Lane x, Lane y) { return wrapped(common, operation(x, y)); });
    };
    int bits = 8 * factsOf(promoted(a.type)).bytes;
    switch (pick(0, 10)) {
    case 0:
    case 1:
      return plain("+", sum);
    case 2:
      return plain("-", difference);
    case 3:
    case 4:
      return plain("*", product);
    case 5:
      return plain("&", [](Lane x, Lane y) { return x & y; });
    case 6:
      return plain("|", [](Lane x, Lane y) { return x | y; });
    case 7:
      return plain("^", [](Lane x, Lane y) { return x ^ y; });
    case 8:
    case 9: { // of the promoted type of the left operand, by the low bits of the right one
      if (!(a.count || b.count) || !chance(25)) // C++ defines no other shift of a scalar
        b = a.count >= b.count && chance(60) ? constant(Type::Int, pick(0, bits - 1)) : masked(b, bits - 1);
      Type type = promoted(a.type);
      bool left = chance(50);
      return combined(a, b, type, type, limitOf(type), infix(left ? "<<" : ">>"),
                      [=](Lane x, Lane n) { return shift(type, x, n & (bits - 1), left); });
    }
    default: {
      b = divisor(a, b);
      common = commonOf(a.type, b.type);
      bool remainder = chance(50);
      return combined(a, b, common, common, limitOf(common), infix(remainder ? "%" : "/"),
                      [=](Lane x, Lane y) { return quotient(common, x, y, remainder); });
    }
    }
  }
  static Lane shift(Type type, Lane x, Lane n, bool left) {
    return left                  ? wrapped(type, Lane(std::uint64_t(x) << n))
           : type == Type::ULong ? Lane(std::uint64_t(x) >> n)
                                 : wrapped(type, x >> n);
  }
  static Lane quotient(Type common, Lane x, Lane y, bool remainder) {
    const __int128 n = numberOf(common, x), d = numberOf(common, y);
    return wrapped(common, Lane(remainder ? n % d : n / d));
  }
  /// No 0: LLVM takes x / x for 1 whatever x is.
  Expression divisor(const Expression &a, const Expression &b) {
    if (a.count >= b.count && chance(40))
      return constant(oneOf<Type>({Type::Int, Type::UInt, Type::Short}), pick(1, 100));
    if ((!a.count && !b.count) || chance(50)) // of scalars C++ defines no quotient of the smallest number by -1
      return sumOf(masked(b, 15), 1);
    const Type type = promoted(b.type);
    return {type, b.count, fmt::format("({} | 1)", b.text), limitOf(type), [=](ModelThread &t) {
              Lanes all = b.value(t);
              for (Lane &x : all)
                x |= 1;
              return all;
            }};
  }
  Expression sumOf(const Expression &e, int x) {
    return {e.type, e.count, fmt::format("({} + {})", e.text, x), e.bound + x, [=](ModelThread &t) {
              Lanes all = e.value(t);
              for (Lane &lane : all)
                lane += x;
              return all;
            }};
  }
  /// Sums, differences and products that are exact.
  Expression floating(Expression a, Expression b, Type common) {
    // A scalar may become an int, which C++ defines as far as it holds the number.
    const Lane ints = Lane(1) << 31, exact = factsOf(common).whole;
    Lane whole = a.count || b.count ? exact : std::min(exact, ints), small = common == Type::BFloat ? 15
                                                                             : common == Type::Half ? 31
                                                                                                    : 2047;
    int op = pick(0, 2);
    a = bounded(a, op == 2 ? small : whole / 2 - 1);
    b = bounded(b, op == 2 ? small : whole / 2 - 1);
    if (commonOf(a.type, b.type) != common) // both were masked
      a = convert(a, common);
    static const char *const names[] = {"+", "-", "*"};
    static const Operation operations[] = {sum, difference, product};
    if (op != 1 && chance(15))
      return combined(a, b, common, common, 1,
                      fmt::format("cm_{}<{}>({}, {}, SAT)", op ? "mul" : "add", factsOf(common).name, a.text, b.text),
                      [op](Lane x, Lane y) { return std::clamp<Lane>(operations[op](x, y), 0, 1); });
    return combined(a, b, common, common, op == 2 ? a.bound * b.bound : a.bound + b.bound,
                    fmt::format("({} {} {})", a.text, names[op], b.text), operations[op]);
  }
  Expression comparison(Expression a, Expression b) {
    Type common = commonOf(a.type, b.type);
    if (factsOf(common).isFloat) {
      a = bounded(a, factsOf(common).whole - 1);
      b = bounded(b, factsOf(common).whole - 1);
      common = commonOf(a.type, b.type);
    }
    static const char *const names[] = {"<", "<=", ">", ">=", "==", "!="};
    int op = pick(0, 5);
    std::string text = fmt::format("({} {} {})", a.text, names[op], b.text);
    Type result = std::max(a.count, b.count) ? Type::UShort : Type::Int;
    if (result == Type::Int)
      text = "(int)" + text;
    return combined(a, b, common, result, 1, text, [=](Lane x, Lane y) {
      bool less = isLess(common, x, y), equal = x == y;
      bool all[] = {less, less || equal, !less && !equal, !less, equal, !equal};
      return Lane(all[op]);
    });
  }
  Expression negated(const Expression &e) {
    bool complement = !factsOf(e.type).isFloat && chance(50);
    Type type = promoted(e.type);
    return {type, e.count, fmt::format("({}{})", complement ? "~" : "-", e.text),
            factsOf(type).isFloat ? e.bound : limitOf(type), [=](ModelThread &t) {
              Lanes all = e.value(t);
              for (Lane &x : all)
                x = wrapped(type, complement ? ~x : difference(0, x));
              return all;
            }};
  }

  /// cm_min, cm_max, cm_add, cm_avg, cm_abs.
  Expression builtin(Expression a, Expression b) {
    Type common = commonOf(a.type, b.type);
    if (factsOf(common).isFloat) {
      a = convert(a, common);
      b = convert(b, common);
    }
    bool small =
        !factsOf(common).isFloat && factsOf(common).bytes == 4 && factsOf(a.type).isSigned == factsOf(b.type).isSigned;
    Type result = small && chance(70) ? integerType() : common;
    const char *name = factsOf(result).name;
    switch (pick(0, small ? 4 : 1)) {
    case 0:
    case 1: {
      bool least = chance(50);
      result = common;
      return combined(a, b, common, common, std::max(a.bound, b.bound),
                      fmt::format("cm_{}<{}>({}, {})", least ? "min" : "max", factsOf(common).name, a.text, b.text),
                      [=](Lane x, Lane y) { return isLess(common, x, y) == least ? x : y; });
    }
    case 2: { // the sum is exact before it is clamped
      bool saturate = chance(70);
      return combined(
          a, b, common, result, limitOf(result),
          fmt::format("cm_add<{}>({}, {}{})", name, a.text, b.text, saturate ? ", SAT" : ""), [=](Lane x, Lane y) {
            return saturate ? converted(result, Type::Long, x + y, true) : wrapped(result, wrapped(common, x + y));
          });
    }
    case 3: {
      bool saturate = chance(50);
      return combined(a, b, common, result, limitOf(result),
                      fmt::format("cm_avg<{}>({}, {}{})", name, a.text, b.text, saturate ? ", SAT" : ""),
                      [=](Lane x, Lane y) { return converted(result, Type::Long, (x + y + 1) >> 1, saturate); });
    }
    default: {
      bool saturate = chance(50);
      return combined(a, b, common, result, limitOf(result),
                      fmt::format("cm_mul<{}>({}, {}{})", name, a.text, b.text, saturate ? ", SAT" : ""),
                      [=](Lane x, Lane y) {
                        __int128 exact = __int128(x) * y;
                        if (!saturate)
                          return wrapped(result, wrapped(common, Lane(exact)));
                        __int128 most = result == Type::ULong ? __int128(~std::uint64_t(0)) : factsOf(result).whole;
                        return Lane(std::clamp<__int128>(exact, factsOf(result).isSigned ? -most - 1 : 0, most));
                      });
    }
    }
  }
  static Expression integers(const Expression &e) { return factsOf(e.type).isFloat ? convert(e, Type::Int) : e; }

  /// cm_quot, cm_mod, cm_abs, cm_min and cm_max of another type, cm_sad2, cm_sada2. `a` has as many elements as the
  /// result.
  Expression furtherFunction(const Expression &a, const Expression &b, const Expression &c, bool inLanesOnly) {
    const Type result = integerType();
    const char *name = factsOf(result).name;
    const bool saturate = chance(50);
    const char *flag = saturate ? ", SAT" : "";
    switch (pick(0, inLanesOnly || a.count < 2 || a.count % 2 ? 4 : 6)) {
    case 0:
    case 1: {
      const Expression by = divisor(a, b);
      const Type common = commonOf(a.type, by.type);
      const bool remainder = chance(50);
      return combined(a, by, common, result, limitOf(result),
                      fmt::format("cm_{}<{}>({}, {})", remainder ? "mod" : "quot", name, a.text, by.text),
                      [=](Lane x, Lane y) { return wrapped(result, quotient(common, x, y, remainder)); });
    }
    case 2:
      return lanewise({a}, result, fmt::format("cm_abs<{}>({}{})", name, a.text, flag),
                      [=, type = a.type, wide = promoted(a.type)](const Lanes &x) {
                        const Lane least = wide == Type::Int ? std::numeric_limits<std::int32_t>::min()
                                                             : std::numeric_limits<Lane>::min();
                        if (!factsOf(type).isSigned || x[0] >= 0)
                          return converted(result, type, x[0], saturate);
                        if (x[0] == least) // has no counterpart
                          return converted(result, wide, saturate ? factsOf(wide).whole : least, saturate);
                        return converted(result, wide, -x[0], saturate);
                      });
    case 3:
    case 4: {
      const Type common = a.type == b.type ? a.type : commonOf(a.type, b.type);
      const bool least = chance(50);
      return combined(
          a, b, common, result, limitOf(result),
          fmt::format("cm_{}<{}>({}, {}{})", least ? "min" : "max", name, a.text, b.text, flag),
          [=](Lane x, Lane y) { return converted(result, common, isLess(common, x, y) == least ? x : y, saturate); });
    }
    case 5:
      return distances(a, b, nullptr, result, false);
    default:
      return distances(a, b, &c, result, saturate);
    }
  }
  /// Distances of pairs of bytes, in the even elements, with what is added to them.
  static Expression distances(const Expression &a, const Expression &b, const Expression *more, Type result,
                              bool saturate) {
    const Type byte = factsOf(a.type).isSigned ? Type::Char : Type::UChar;
    const Expression added = more ? *more : constant(Type::Int, 0);
    const std::string text = more ? fmt::format("cm_sada2<{}>({}, {}, {}{})", factsOf(result).name, a.text, b.text,
                                                more->text, saturate ? ", SAT" : "")
                                  : fmt::format("cm_sad2<{}>({}, {})", factsOf(result).name, a.text, b.text);
    return {result, a.count, text, limitOf(result), [=](ModelThread &t) {
              const Lanes left = a.value(t), right = b.value(t), to = added.value(t);
              Lanes all(std::size_t(a.count));
              for (int k = 0; k < a.count; k += 2) {
                Lane sum = 0;
                for (int i = k; i < k + 2; ++i)
                  sum += std::abs(wrapped(byte, at(left, i)) - wrapped(byte, at(right, i)));
                const Type common = commonOf(Type::Int, added.type);
                const __int128 exact = numberOf(added.type, at(to, k)) + sum;
                all[std::size_t(k)] = saturate ? clamped(result, exact) : wrapped(result, wrapped(common, Lane(exact)));
              }
              return all;
            }};
  }
  static Lane clamped(Type type, __int128 x) {
    const __int128 most = type == Type::ULong ? __int128(~std::uint64_t(0)) : factsOf(type).whole;
    return Lane(std::clamp<__int128>(x, factsOf(type).isSigned ? -most - 1 : 0, most));
  }

  /// Functions of floats whose results are whole numbers again: quarters rounded, dot products, lines, fewer bits.
  Expression floatFunction(const Expression &a, const Expression &b, const Expression &c, bool inLanesOnly) {
    const auto floats = [](const Expression &e, Lane most) { return convert(bounded(e, most), Type::Float); };
    switch (pick(0, inLanesOnly ? 3 : !a.count || a.count % 4 ? 5 : 7)) {
    case 0:
    case 1:
      return rounded(floats(a, 4095));
    case 2: {
      const Expression x = floats(a, 4095);
      return {Type::Float, x.count, fmt::format("(cm_frc<float>({} * 0.25f) * 4.0f)", x.text), 3, [x](ModelThread &t) {
                Lanes all = x.value(t);
                for (Lane &lane : all)
                  lane &= 3;
                return all;
              }};
    }
    case 3:
      return fewerBits(floats(a, 4095));
    case 4: {
      const Expression weight = floats(c, 15), x = floats(a, 255), y = floats(b, 255);
      Expression e =
          lanewise({weight, x, y}, Type::Float, fmt::format("cm_lrp<float>({}, {}, {})", weight.text, x.text, y.text),
                   [](const Lanes &v) { return v[1] * v[0] + v[2] * (1 - v[0]); });
      e.bound = 255 * 15 + 255 * 16;
      return e;
    }
    case 5: {
      const int slope = pick(-9, 9), from = pick(-99, 99);
      const Expression x = floats(a, 255);
      Expression e = lanewise({x}, Type::Float, fmt::format("cm_line<float>({}.0f, {}.0f, {})", slope, from, x.text),
                              [=](const Lanes &v) { return v[0] * slope + from; });
      e.bound = 255 * 9 + 99;
      return e;
    }
    default:
      return dotProduct(floats(a, 255), floats(b, 255));
    }
  }

private:
  Expression rounded(const Expression &x) {
    static const char *const names[] = {"rndd", "rndu", "rnde", "rndz"};
    const int way = pick(0, 3);
    const Type result = chance(50) ? Type::Float : integerType();
    Expression e = lanewise({x}, result, fmt::format("cm_{}<{}>({} * 0.25f)", names[way], factsOf(result).name, x.text),
                            [=](const Lanes &v) {
                              const Lane down = v[0] >> 2, rest = v[0] & 3;
                              const bool up = way == 1   ? rest > 0
                                              : way == 2 ? rest == 3 || (rest == 2 && down % 2)
                                              : way == 3 ? rest && v[0] < 0
                                                         : false;
                              return converted(result, Type::Float, down + up);
                            });
    e.bound = result == Type::Float ? x.bound / 4 + 1 : limitOf(result);
    return e;
  }
  /// Through a format with fewer bits: rounded to the nearest, ties to even.
  Expression fewerBits(const Expression &x) {
    const bool brain = chance(50);
    const int kept = brain ? 8 : 11;
    Expression e = lanewise({x}, Type::Float,
                            brain ? fmt::format("cm_bf_cvt<float>(cm_bf_cvt<bfloat16>({}))", x.text)
                                  : fmt::format("cm_tf32_cvt<float>(cm_tf32_cvt<uint>({}))", x.text),
                            [kept](const Lanes &v) {
                              const Lane size = std::abs(v[0]);
                              int dropped = 0;
                              while (size >> dropped >= Lane(1) << kept)
                                ++dropped;
                              const Lane half = dropped ? Lane(1) << (dropped - 1) : 0;
                              const Lane cut = size >> dropped, rest = size - (cut << dropped);
                              const Lane near = (cut + (rest > half || (dropped && rest == half && cut % 2)))
                                                << dropped;
                              return v[0] < 0 ? -near : near;
                            });
    e.bound = 4096;
    return e;
  }
  Expression dotProduct(const Expression &a, const Expression &b) {
    static const char *const names[] = {"dp2", "dp3", "dp4", "dph"};
    const int kind = pick(0, 3);
    return {Type::Float, a.count, fmt::format("cm_{}<float>({}, {})", names[kind], a.text, b.text), 4 * 255 * 255,
            [=](ModelThread &t) {
              const Lanes x = a.value(t), y = b.value(t);
              Lanes all;
              for (int k = 0; k < a.count; ++k) {
                Lane sum = 0;
                for (int i = 0; i < (kind == 3 ? 3 : kind + 2); ++i)
                  sum += at(x, k / 4 * 4 + i) * at(y, k / 4 * 4 + i);
                all.push_back(kind == 3 ? sum + at(y, k / 4 * 4 + 3) : sum);
              }
              return all;
            }};
  }
};

} // namespace pocm::fuzz
