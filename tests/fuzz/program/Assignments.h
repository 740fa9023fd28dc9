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
      return region(v, chance(50) ? total : partOf(total));
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
    int op = pick(0, 5);
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
  Statement merging(const Scope &scope) {
    Place to = target(scope);
    if (to.count < 2)
      return assignment(scope);
    Expression mask = comparison(value(to.count, 1, true), value(to.count, 1));
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
