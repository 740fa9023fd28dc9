// What a random program writes to its variables:
//
//     v2.select<8, 2>(1) += s1 * 3;      u1.merge(a, b, mask);
#pragma once

#include "Expressions.h"

namespace pocm::fuzz {

class Assignments : protected Expressions {
protected:
  using Expressions::Expressions;

  /// A place that may be written: of that count in SIMD control flow, of any outside.
  Place target(const Scope &scope) {
    if (!scope.mayBeEmpty && chance(15)) {
      for (int attempt = 0; attempt < 20; ++attempt) {
        int v = pick(0, int(variables.size()) - 1);
        if (variables[std::size_t(v)].isScalar() && !isFixed(v))
          return {v, variables[std::size_t(v)].type, 0, variables[std::size_t(v)].name, nullptr};
      }
    }
    int count = scope.width;
    if (!count) {
      int v = variableOf(2, true);
      if (chance(10))
        return elementPlace(v, variables[std::size_t(v)]);
      int total = variables[std::size_t(v)].elements();
      return region(v, chance(50) && total <= mostAtOnce ? total : partOf(total));
    }
    int v = variableOf(count, true);
    return chance(15) ? formatted(v, count) : region(v, count);
  }

  Statement assignment(const Scope &scope) {
    Place to = target(scope);
    Expression e = value(to.count, 0);
    if (chance(25) && !factsOf(to.type).isFloat && !factsOf(e.type).isFloat)
      return compound(to, e);
    if (!to.count && factsOf(e.type).isFloat && !factsOf(to.type).isFloat)
      e = convert(e, to.type);
    if (factsOf(to.type).isFloat || factsOf(e.type).isFloat)
      e = bounded(e, factsOf(to.type).isFloat ? limitOf(to.type) : (1 << 30) - 1);
    return {fmt::format("{} = {};", to.text, e.text), [=](ModelThread &t) {
              Lanes all = e.value(t);
              for (Lane &x : all)
                x = converted(to.type, e.type, x);
              write(to, t, all);
            }};
  }
  Statement compound(const Place &to, const Expression &e) {
    static const char *const names[] = {"+", "-", "*", "&", "|", "^"};
    static const std::function<Lane(Lane, Lane)> operations[] = {sum,
                                                                 difference,
                                                                 product,
                                                                 [](Lane a, Lane b) { return a & b; },
                                                                 [](Lane a, Lane b) { return a | b; },
                                                                 [](Lane a, Lane b) { return a ^ b; }};
    int op = pick(0, 7);
    if (op > 5)
      return shifting(to, e, op == 6);
    Type common = commonOf(to.type, e.type);
    Expression result = combined(read(to), e, common, common, 0, "", operations[op]);
    result.count = to.count;
    return {fmt::format("{} {}= {};", to.text, names[op], e.text), [=](ModelThread &t) {
              Lanes all = result.value(t);
              for (Lane &x : all)
                x = converted(to.type, common, wrapped(common, x));
              write(to, t, all);
            }};
  }
  Statement shifting(const Place &to, const Expression &e, bool left) {
    Type type = promoted(to.type);
    Expression count = masked(e, bitsOf(type) - 1);
    return {fmt::format("{} {}= {};", to.text, left ? "<<" : ">>", count.text), [=](ModelThread &t) {
              Lanes all = read(to).value(t), by = count.value(t);
              for (std::size_t k = 0; k < all.size(); ++k) {
                const Lane n = at(by, int(k));
                all[k] = converted(to.type, type,
                                   left                  ? wrapped(type, Lane(std::uint64_t(all[k]) << n))
                                   : type == Type::ULong ? Lane(std::uint64_t(all[k]) >> n)
                                                         : all[k] >> n);
              }
              write(to, t, all);
            }};
  }

  /// A function with two results: sum and carry, difference and borrow, both halves of a product.
  Statement withTwoResults(const Scope &scope) {
    Place to = target(scope);
    int other = to.count < 2 ? -1 : variableOf(to.count, true);
    if (other < 0 || factsOf(to.type).isFloat || factsOf(variables[std::size_t(other)].type).isFloat)
      return assignment(scope);
    const int kind = pick(0, 2);
    const Type type =
        kind == 2 ? oneOf<Type>({Type::Int, Type::UInt}) : oneOf<Type>({Type::UInt, Type::UInt, Type::ULong});
    Place second = region(other, to.count);
    const Expression a = convert(integers(value(to.count, 1, true)), type),
                     b = convert(integers(value(to.count, 1)), type);
    static const char *const names[] = {"addc", "subb", "imul"};
    const std::string text =
        kind == 2 ? fmt::format("{} = cm_imul({}, {}, {});", to.text, second.text, a.text, b.text)
                  : fmt::format("{} = cm_{}({}, {}, {});", to.text, names[kind], a.text, b.text, second.text);
    return {text, [=](ModelThread &t) {
              Lanes left = a.value(t), right = b.value(t), all(std::size_t(to.count)), also = all;
              for (std::size_t k = 0; k < all.size(); ++k) {
                const __int128 x = numberOf(type, at(left, int(k))), y = numberOf(type, at(right, int(k)));
                const __int128 whole = kind == 0 ? x + y : kind == 1 ? x - y : x * y;
                const Lane main = wrapped(type, Lane(kind == 2 ? whole >> 32 : whole));
                all[k] = converted(to.type, type, main);
                const Lane more = kind == 2 ? wrapped(type, Lane(whole)) : Lane(whole >> bitsOf(type) & 1);
                also[k] = converted(second.type, type, more);
              }
              write(second, t, also);
              write(to, t, all);
            }};
  }

  /// Bits of a scalar, for that many channels.
  Expression bitsAsMask(int count) {
    Expression bits = integers(scalar(1));
    const int there = std::min(bitsOf(bits.type), 32);
    bits.value = [value = bits.value, count, there](ModelThread &t) {
      const Lane x = value(t)[0];
      Lanes all;
      for (int k = 0; k < count; ++k)
        all.push_back(k < there ? x >> k & 1 : 0);
      return all;
    };
    return bits;
  }

  Statement merging(const Scope &scope) {
    Place to = target(scope);
    if (to.count < 2)
      return assignment(scope);
    Expression mask =
        to.count <= 32 && chance(15) ? bitsAsMask(to.count) : comparison(value(to.count, 1, true), value(to.count, 1));
    auto fitting = [&] {
      Expression e = value(to.count, 1);
      return factsOf(to.type).isFloat || factsOf(e.type).isFloat ? bounded(e, std::min<Lane>(limitOf(to.type), 4095))
                                                                 : e;
    };
    Expression a = fitting();
    bool two = chance(50);
    Expression b = two ? fitting() : read(to);
    std::string text = two ? fmt::format("{}.merge({}, {}, {});", to.text, a.text, b.text, mask.text)
                           : fmt::format("{}.merge({}, {});", to.text, a.text, mask.text);
    return {text, [=](ModelThread &t) {
              Lanes on = mask.value(t), left = a.value(t), right = b.value(t), all(std::size_t(to.count));
              for (std::size_t k = 0; k < all.size(); ++k)
                all[k] = at(on, int(k)) ? converted(to.type, a.type, at(left, int(k)))
                                        : converted(to.type, b.type, at(right, int(k)));
              write(to, t, all);
            }};
  }
};

} // namespace pocm::fuzz
