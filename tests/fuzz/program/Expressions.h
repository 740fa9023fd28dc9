// Expressions of a random program: constants, operators, builtins, reductions, elements in another order.
//
//     ((v2 + 7u) * cm_min<int>(s1, (int)(w.any())))
#pragma once

#include "BitFunctions.h"

namespace pocm::fuzz {

class Expressions : protected BitFunctions {
protected:
  using BitFunctions::BitFunctions;

  bool mayPack = true; ///< Masks as bits of a number, and back: not in conditions of channels.
  int scopeWidth = 0;  ///< Of SIMD control flow around what is generated.

  Expression anyConstant() {
    Type type =
        oneOf<Type>({Type::Int, Type::Int, Type::Int, Type::UInt, Type::Short, Type::UChar, Type::Long, Type::Float});
    static const Lane edges[] = {0, 1, -1, 2, 255, 127, -128, 65535, 32767, -32768, 0x7FFFFFFF, 4};
    Lane x = chance(40) ? edges[pick(0, 11)] : pick(-100, 300);
    if (!factsOf(type).isFloat)
      x = wrapped(type, x);
    else
      x = std::clamp<Lane>(x, -4095, 4095);
    return constant(type, x);
  }

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
    case 9: { // of the promoted type of the left operand
      b = a.count >= b.count && chance(60) ? constant(Type::Int, pick(0, bits - 1)) : masked(b, bits - 1);
      Type type = promoted(a.type);
      bool left = chance(50);
      return combined(a, b, type, type, limitOf(type), infix(left ? "<<" : ">>"), [=](Lane x, Lane n) {
        return left                  ? wrapped(type, Lane(std::uint64_t(x) << n))
               : type == Type::ULong ? Lane(std::uint64_t(x) >> n)
                                     : wrapped(type, x >> n);
      });
    }
    default: {
      b = a.count >= b.count && chance(50) ? constant(oneOf<Type>({Type::Int, Type::UInt, Type::Short}), pick(1, 100))
                                           : sumOf(masked(b, 15), 1);
      common = commonOf(a.type, b.type);
      bool remainder = chance(50);
      return combined(a, b, common, common, limitOf(common), infix(remainder ? "%" : "/"), [=](Lane x, Lane y) {
        __int128 n = numberOf(common, x), d = numberOf(common, y);
        return wrapped(common, Lane(remainder ? n % d : n / d));
      });
    }
    }
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
    Lane whole = factsOf(common).whole, small = common == Type::Half ? 31 : 2047;
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

  /// A scalar of all lanes, of the active ones in SIMD control flow.
  Expression reduction(const Expression &e) {
    if (mayPack && !scopeWidth && e.count <= 32 && chance(10)) {
      const Expression mask = comparison(e, anyConstant());
      return {Type::UInt, 0, fmt::format("cm_pack_mask({})", mask.text), limitOf(Type::UInt), [mask](ModelThread &t) {
                std::uint32_t bits = 0;
                const Lanes lanes = mask.value(t);
                for (std::size_t k = 0; k < lanes.size(); ++k)
                  bits |= std::uint32_t(lanes[k] != 0) << k;
                return Lanes{Lane(bits)};
              }};
    }
    switch (pick(0, 3)) {
    case 0:
      if (factsOf(e.type).isFloat)
        break;
      return {Type::Int, 0, fmt::format("cm_sum<int>({})", e.text), limitOf(Type::Int), [e](ModelThread &t) {
                Lane total = 0;
                Lanes all = e.value(t);
                for (std::size_t k = 0; k < all.size(); ++k)
                  total = t.isActive(int(k)) ? sum(total, all[k]) : total;
                return Lanes{wrapped(Type::Int, total)};
              }};
    case 1: {
      bool least = chance(50);
      return {e.type, 0, fmt::format("cm_reduced_{}<{}>({})", least ? "min" : "max", factsOf(e.type).name, e.text),
              e.bound, [e, least](ModelThread &t) {
                Lanes all = e.value(t);
                bool any = false;
                Lane found = 0;
                for (std::size_t k = 0; k < all.size(); ++k)
                  if (t.isActive(int(k))) {
                    found = !any || isLess(e.type, all[k], found) == least ? all[k] : found;
                    any = true;
                  }
                return Lanes{found};
              }};
    }
    default:
      break;
    }
    bool every = chance(50);
    Expression mask = comparison(e, anyConstant());
    return {Type::Int, 0, fmt::format("(int)({}.{}())", mask.text, every ? "all" : "any"), 1, [=](ModelThread &t) {
              Lanes all = mask.value(t);
              bool any = false, each = true;
              for (std::size_t k = 0; k < all.size(); ++k)
                if (t.isActive(int(k))) {
                  any |= all[k] != 0;
                  each &= all[k] != 0;
                }
              return Lanes{Lane(every ? each : any)};
            }};
  }

  /// Elements of a variable in an order known at run time, or in a pattern.
  Expression gathered(int count, int depth) {
    int variable = variableOf(2);
    const Variable v = variables[std::size_t(variable)];
    int total = v.elements();
    std::string name = v.rows ? fmt::format("{}.format<{}>()", v.name, factsOf(v.type).name) : v.name;
    Place all{variable, v.type, total, name, nullptr};
    if (chance(50)) {
      int width = 1;
      for (int w = 1 << pick(0, 3); w >= 1 && width == 1; --w)
        width = count % w == 0 ? w : 1;
      int rows = count / width, across = pick(0, 2), down = oneOf<int>({0, 1, 4});
      if ((rows - 1) * down + (width - 1) * across >= total)
        across = down = 0;
      int from = pick(0, total - 1 - ((rows - 1) * down + (width - 1) * across));
      all.count = count;
      all.text = fmt::format("{}.replicate<{}, {}, {}, {}>({})", name, rows, down, width, across, from);
      all.elements = [=](ModelThread &) {
        std::vector<int> places;
        for (int k = 0; k < count; ++k)
          places.push_back(from + k / width * down + k % width * across);
        return places;
      };
      return read(all);
    }
    Lane mask = 1;
    while (mask * 2 + 1 < total)
      mask = mask * 2 + 1;
    Expression index = value(count, depth + 2, true);
    index = convert(masked(factsOf(index.type).isFloat ? convert(index, Type::Int) : index, mask), Type::UShort);
    all.count = count;
    all.text = fmt::format("{}.iselect({})", name, index.text);
    all.elements = [=](ModelThread &t) {
      Lanes lanes = index.value(t);
      return std::vector<int>(lanes.begin(), lanes.end());
    };
    return read(all);
  }

  static Expression integers(const Expression &e) { return factsOf(e.type).isFloat ? convert(e, Type::Int) : e; }

  /// A vector of `count` elements, or, where that is allowed, a scalar to be spread over them.
  Expression value(int count, int depth, bool whole = false) {
    if (count == 0)
      return scalar(depth);
    if (!whole && chance(15))
      return scalar(depth + 1);
    int kind = depth >= 3 ? pick(0, 29) : pick(0, 99);
    if (kind < 20)
      return read(region(variableOf(count), count));
    if (kind == 20 && mayPack && !scopeWidth && (count == 8 || count == 16 || count == 32) && depth < 3) {
      const Expression bits = convert(integers(scalar(depth + 1)), Type::UInt);
      return {Type::UShort, count, fmt::format("cm_unpack_mask<ushort, {}>({})", count, bits.text), 1,
              [bits, count](ModelThread &t) {
                const Lane x = bits.value(t)[0];
                Lanes all;
                for (int k = 0; k < count; ++k)
                  all.push_back(x >> k & 1);
                return all;
              }};
    }
    if (kind < 24)
      return read(formatted(variableOf(count), count));
    if (kind < 27 && depth < 3)
      return gathered(count, depth);
    if (kind < 30)
      return convert(read(region(variableOf(count), count)), integerType());
    if (kind < 70)
      return chance(15) ? binary(scalar(depth + 1), value(count, depth + 1, true))
                        : binary(value(count, depth + 1, true), value(count, depth + 1));
    if (kind < 74)
      return comparison(value(count, depth + 1, true), value(count, depth + 1));
    if (kind < 79)
      return bitFunction(integers(value(count, depth + 1, true)), integers(value(count, depth + 1)),
                         integers(value(count, depth + 2)));
    if (kind < 83)
      return negated(value(count, depth + 1, true));
    if (kind < 90)
      return builtin(value(count, depth + 1, true), value(count, depth + 1));
    return convert(value(count, depth + 1, true), anyType(), chance(40));
  }
  Expression scalar(int depth) {
    int kind = depth >= 3 ? pick(0, 49) : pick(0, 99);
    if (kind < 25)
      return anyConstant();
    if (kind < 40)
      return scalarVariable();
    if (kind < 50)
      return element(variableOf(2));
    if (kind < 70)
      return binary(scalar(depth + 1), scalar(depth + 1));
    if (kind < 76)
      return comparison(scalar(depth + 1), scalar(depth + 1));
    if (kind < 80)
      return bitFunction(integers(scalar(depth + 1)), integers(scalar(depth + 1)), integers(scalar(depth + 2)));
    if (kind < 85)
      return convert(scalar(depth + 1), integerType());
    return reduction(value(reduced(), depth + 1, true));
  }
  int reduced() { return scopeWidth ? scopeWidth : 1 << pick(1, 5); }
  Expression element(int variable) {
    const Variable &v = variables[std::size_t(variable)];
    return read(elementPlace(variable, v));
  }
  Place elementPlace(int variable, const Variable &v) {
    if (v.rows) {
      int r = pick(0, v.rows - 1), c = pick(0, v.columns - 1), e = r * v.columns + c;
      return {variable, v.type, 0, fmt::format("{}({}, {})", v.name, r, c),
              [e](ModelThread &) { return std::vector<int>{e}; }};
    }
    Expression index = offset(v.columns - 1);
    return {variable, v.type, 0, fmt::format("{}({})", v.name, index.text),
            [index](ModelThread &t) { return std::vector<int>{int(index.value(t)[0])}; }};
  }
};

} // namespace pocm::fuzz
