// Statements of a random program, and control flow of scalars and of channels around them:
//
//     SIMD_IF_BEGIN(v2 > s1) { ... SIMD_BREAK; } SIMD_ELSE { ... } SIMD_IF_END;
#pragma once

#include "Functions.h"
#include <algorithm>
#include <utility>

namespace pocm::fuzz {

class ControlFlow : protected Functions {
protected:
  using Functions::Functions;

  static std::string indented(const std::string &text) {
    std::string result = "  ";
    for (char c : text) {
      result += c;
      if (c == '\n')
        result += "  ";
    }
    return result;
  }
  Statement statements(int most, Scope scope) override {
    std::string all;
    bool leaves = false;
    std::vector<Step> runs;
    int outer = std::exchange(scopeWidth, scope.width);
    for (int n = pick(1, most); n > 0; --n) {
      int name = made++;
      Statement s = statement(scope);
      if (dropped.contains(name))
        continue;
      all += (all.empty() ? "" : "\n") + s.text;
      runs.push_back(std::move(s.run));
      leaves |= s.leaves;
      scope.mayBeEmpty |= s.leaves;
    }
    scopeWidth = outer;
    return {all,
            [runs](ModelThread &t) {
              for (const Step &run : runs)
                if (t.width == 0 || t.active)
                  run(t);
            },
            leaves};
  }
  Statement statement(const Scope &scope) {
    if (!functions.empty() && !scope.width && chance(25))
      return call(scope);
    int kind = pick(0, 99);
    if (scope.depth < amounts.nested) {
      Scope inner = scope;
      ++inner.depth;
      if (kind < 14)
        return simdIf(inner);
      if (kind < 21)
        return simdLoop(inner);
      if (kind < 31 && !scope.width)
        return chance(50) ? scalarIf(inner) : scalarLoop(inner);
    }
    if (scope.inLoop && kind > 99 - mix.leaving)
      return leaving();
    if (kind < 37)
      return merging(scope);
    if (kind < 39)
      return withTwoResults(scope);
    if (kind < 44)
      return scatter(scope);
    if (kind < 49)
      return gather(scope);
    if (kind < 52)
      return atomic(scope);
    if (kind < 54)
      return shared(scope);
    if (kind < 58)
      return mediaBlock(scope);
    if (kind < 62)
      return byteBlock(scope);
    if (kind < 65)
      return fourChannels(scope);
    if (kind < 75)
      return cacheMessage(scope);
    if (kind < 80)
      return systolic(scope);
    if (kind < 86 && !scope.width)
      return elementLoop();
    return assignment(scope);
  }
  /// Those of a body.
  Statement bodyOf(int most, const Scope &scope) { return statements(std::min(most, amounts.inside), scope); }

  Statement leaving() {
    bool forGood = chance(50);
    return {forGood ? "SIMD_BREAK;" : "SIMD_CONTINUE;",
            [=](ModelThread &t) {
              (forGood ? t.broken : t.continued) |= t.active;
              t.active = 0;
            },
            true};
  }

  /// A condition of SIMD control flow; a scalar one holds for every channel.
  Expression condition(const Scope &scope, bool outermost) {
    int outer = std::exchange(scopeWidth, outermost ? 0 : scope.width);
    bool packed = std::exchange(mayMix, false);
    Expression e = !outermost && chance(10) ? comparison(scalar(1), scalar(1))
                   : chance(80)             ? comparison(value(scope.width, 1, true), value(scope.width, 1))
                                            : value(scope.width, 1, true);
    if (factsOf(e.type).isFloat)
      e = convert(e, Type::Int);
    scopeWidth = outer;
    mayMix = packed;
    return e;
  }
  static std::uint32_t channels(const Expression &condition, ModelThread &t, int width) {
    Lanes lanes = condition.value(t);
    std::uint32_t bits = 0;
    for (int k = 0; k < width; ++k)
      bits |= std::uint32_t(at(lanes, k) != 0) << k;
    return bits;
  }
  static std::uint32_t allOf(int width) { return width == 32 ? ~0u : (1u << width) - 1; }

  Statement simdIf(Scope scope) {
    bool outermost = scope.width == 0, leaves = false;
    if (outermost)
      scope.width = blockWidth;
    struct Branch {
      Expression condition;
      Statement body;
      bool isElse;
    };
    std::vector<Branch> branches;
    Scope inside = scope;
    inside.mayBeEmpty = false;
    for (int n = pick(1, 3); n > 0; --n)
      branches.push_back({condition(scope, outermost && branches.empty()), bodyOf(3, inside), false});
    if (chance(50))
      branches.push_back({constant(Type::Int, 1), bodyOf(3, inside), true});
    std::string all;
    for (const Branch &b : branches) {
      leaves |= b.body.leaves;
      all += (all.empty() ? fmt::format("SIMD_IF_BEGIN({}) {{\n", b.condition.text)
              : b.isElse  ? " SIMD_ELSE {\n"
                          : fmt::format(" SIMD_ELSEIF({}) {{\n", b.condition.text)) +
             indented(b.body.text) + "\n}";
    }
    return {all + " SIMD_IF_END;",
            [=, width = scope.width](ModelThread &t) {
              int outerWidth = t.width;
              if (!outerWidth) {
                t.active = allOf(width);
                t.broken = t.continued = 0;
              }
              std::uint32_t left = t.active;
              const std::uint32_t before = left;
              bool first = true;
              for (const Branch &b : branches) {
                if (!left)
                  break;
                t.active = left;
                t.width = first ? outerWidth : width; // nothing is masked yet in the outermost condition
                std::uint32_t taken = channels(b.condition, t, width) & left;
                t.width = width;
                first = false;
                left &= ~taken;
                t.active = taken;
                if (taken)
                  b.body.run(t);
              }
              t.active = before & ~t.broken & ~t.continued;
              t.width = outerWidth;
            },
            leaves};
  }

  Statement simdLoop(Scope scope) {
    bool outermost = scope.width == 0;
    if (outermost)
      scope.width = blockWidth;
    int width = scope.width, times = pick(1, 4);
    int counter =
        declare(oneOf<Type>({Type::Int, Type::UShort, Type::UChar}), 0, width, fmt::format("c{}", ++counters));
    Place count{counter, variables[std::size_t(counter)].type, width, variables[std::size_t(counter)].name, nullptr};
    scope.inLoop = true;
    Statement body = bodyOf(4, scope);
    Expression extra = condition(scope, false);
    bool hasExtra = extra.count && chance(60);
    if (hasExtra)
      extra = {Type::UShort, width, fmt::format("({} != 0)", extra.text), 1, extra.value};
    std::string end = fmt::format("{} < {}", count.text, times);
    if (hasExtra)
      end = fmt::format("({}) & {}", end, extra.text);
    std::string all = fmt::format("{0} = 0;\nSIMD_DO_WHILE_BEGIN {{\n  {0} += 1;\n{1}\n}} SIMD_DO_WHILE_END({2});",
                                  count.text, indented(body.text), end);
    return {all, [=](ModelThread &t) {
              int outerWidth = t.width;
              std::uint32_t before = outerWidth ? t.active : allOf(width);
              auto [broken, continued] = std::pair(t.broken, t.continued);
              write(count, t, {0});
              t.width = width;
              t.active = before;
              t.broken = t.continued = 0;
              do {
                Lanes lanes = read(count).value(t);
                for (Lane &x : lanes)
                  ++x;
                write(count, t, lanes);
                body.run(t);
                t.continued = 0;
                t.active = before & ~t.broken;
                std::uint32_t again = t.active && hasExtra ? channels(extra, t, width) : ~0u;
                lanes = read(count).value(t);
                for (int k = 0; k < width; ++k)
                  if (lanes[std::size_t(k)] >= times)
                    again &= ~(1u << k);
                t.active &= again;
                t.broken |= ~t.active;
              } while (t.active);
              t.broken = outerWidth ? broken : 0;
              t.continued = outerWidth ? continued : 0;
              t.active = before;
              t.width = outerWidth;
            }};
  }

  Statement scalarIf(const Scope &scope) {
    Expression when = chance(50) ? comparison(scalar(1), scalar(1)) : reduction(value(reduced(), 1, true));
    if (factsOf(when.type).isFloat)
      when = convert(when, Type::Int);
    Statement then = bodyOf(3, scope);
    bool two = chance(50);
    Statement otherwise = two ? bodyOf(3, scope) : Statement{};
    return {fmt::format("if ({} != 0) {{\n{}\n}}", when.text, indented(then.text)) +
                (two ? " else {\n" + indented(otherwise.text) + "\n}" : ""),
            [=](ModelThread &t) {
              if (when.value(t)[0])
                then.run(t);
              else if (two)
                otherwise.run(t);
            }};
  }
  Statement scalarLoop(const Scope &scope) {
    int counter = declare(Type::Int, 0, 0, fmt::format("c{}", ++counters)), times = pick(1, 5);
    Place count{counter, Type::Int, 0, variables[std::size_t(counter)].name, nullptr};
    Statement body = bodyOf(3, scope);
    return {fmt::format("for ({0} = 0; {0} < {1}; {0}++) {{\n{2}\n}}", count.text, times, indented(body.text)),
            [=](ModelThread &t) {
              for (int k = 0; k < times; ++k) {
                write(count, t, {k});
                body.run(t);
              }
              write(count, t, {times});
            }};
  }
};

} // namespace pocm::fuzz
