// Expressions of a random program: constants, variables, what Arithmetic.h makes of them, reductions, elements in
// another order.
//
//     ((v2 + 7u) * cm_min<int>(s1, (int)(w.any())))
#pragma once

#include "Arithmetic.h"

namespace pocm::fuzz {

class Expressions : protected Arithmetic {
protected:
  using Arithmetic::Arithmetic;

  bool mayMix = true; ///< Lanes: masks as bits of a number and back, sums of neighbours. Not in conditions of channels.
  int scopeWidth = 0; ///< Of SIMD control flow around what is generated.

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

  /// A scalar of all lanes, of the active ones in SIMD control flow.
  Expression reduction(const Expression &e) {
    if (mayMix && !scopeWidth && e.count <= 32 && chance(10)) {
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

  /// A vector of `count` elements, or, where that is allowed, a scalar to be spread over them.
  Expression value(int count, int depth, bool whole = false) {
    if (count == 0)
      return scalar(depth);
    if (!whole && chance(15))
      return scalar(depth + 1);
    int kind = depth >= 3 ? pick(0, 29) : pick(0, 99);
    if (kind < 20)
      return read(region(variableOf(count), count));
    if (kind == 20 && mayMix && !scopeWidth && (count == 8 || count == 16 || count == 32) && depth < 3) {
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
    if (kind < 81)
      return furtherFunction(integers(value(count, depth + 1, true)), integers(value(count, depth + 1)),
                             integers(value(count, depth + 2)), scopeWidth || !mayMix);
    if (kind < 84)
      return floatFunction(value(count, depth + 1, true), value(count, depth + 1), value(count, depth + 2),
                           scopeWidth || !mayMix);
    if (kind < 87)
      return negated(value(count, depth + 1, true));
    if (kind < 92)
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
