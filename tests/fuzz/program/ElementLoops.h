// Loops over elements in a random program, which compilers make vectors of where no iteration takes what another one
// has written:
//
//     for (int i = 0; i < 4; ++i)
//       for (int j = 0; j < 8; ++j)
//         m1(i, j) = (uint)(v2(j * 2 + 1)) + (uint)(m1(j, i));
//
// Some sum elements up, along all iterations or those of the inner loop, and read the sum on the way, or count
// downwards, or begin and end where the program says, or run again with twice as many iterations.
#pragma once

#include "Assignments.h"
#include <memory>
#include <optional>

namespace pocm::fuzz {

class ElementLoops : protected Assignments {
protected:
  using Assignments::Assignments;

  Statement elementLoop() {
    Nest nest;
    nest.outer = chance(35) ? pick(2, 8) : 0;
    nest.inner = nest.outer ? pick(2, 16) : oneOf<int>({4, 5, 7, 8, 8, 12, 16, 16, 31, 32, 64});
    Expression first = constant(Type::Int, nest.outer ? 0 : pick(0, 1));
    if (chance(10))
      first = masked(scalarVariable(), oneOf<Lane>({1, 3, 7}));
    nest.deep = chance(20) ? pick(2, 3) : 0;
    Expression limit = constant(Type::Int, nest.inner);
    const bool doubles = !nest.outer && chance(10);
    if (doubles) {
      limit.text = "twice";
    } else if (!nest.outer && chance(30)) {
      Lane mask = 1;
      while (mask * 2 + 1 <= nest.inner)
        mask = mask * 2 + 1;
      limit = masked(scalarVariable(), mask);
    }
    std::vector<Statement> statements;
    for (int n = pick(1, 3); n > 0; --n)
      if (std::optional<Statement> s = chance(25)   ? guardedStatement(nest)
                                       : chance(10) ? chosenStatement(nest)
                                                    : elementStatement(nest))
        statements.push_back(std::move(*s));
    const std::optional<Sum> sum = chance(30) ? sumOfElements(nest) : std::nullopt;
    if (sum) {
      statements.insert(statements.begin() + pick(0, int(statements.size())), sum->step);
      if (std::optional<Place> to = chance(40) ? element(nest, true) : std::nullopt; to && !factsOf(to->type).isFloat)
        statements.insert(statements.begin() + pick(0, int(statements.size())),
                          {fmt::format("{} = (uint)sum;", to->text), [=, to = *to](ModelThread &t) {
                             write(to, t, {converted(to.type, Type::UInt, wrapped(Type::UInt, *sum->now))});
                           }});
    }
    if (statements.empty())
      return {";", [](ModelThread &) {}};
    std::string inside;
    for (const Statement &s : statements)
      inside += fmt::format("\n{}{}", nest.outer ? "    " : "  ", s.text);
    if (nest.deep)
      inside = fmt::format("\nfor (int k = 0; k < {}; ++k) {{{}\n}}", nest.deep, inside);
    std::string text =
        fmt::format("for (int j = {}; j < {}; ++j) {{{}\n{}}}", first.text, limit.text, inside, nest.outer ? "  " : "");
    if (doubles)
      text = fmt::format("for (int twice = 2; twice <= {}; twice *= 2)\n  {}", nest.inner, text);
    auto summed = [&](const std::string &loop) {
      return fmt::format("{{\n{}\n{}\n{}\n}}", sum->begin.text, loop, sum->end.text);
    };
    if (sum && sum->ofRow)
      text = summed(text);
    if (nest.outer)
      text = fmt::format("for (int i = 0; i < {}; ++i)\n  {}", nest.outer, text);
    if (chance(20))
      text = "#pragma unroll\n" + text;
    if (sum && !sum->ofRow)
      text = summed(text);
    return {text, [=](ModelThread &t) {
              const Lane end = limit.value(t)[0], begin = first.value(t)[0];
              auto when = [&](bool ofRow, const Statement Sum::*s) {
                if (sum && sum->ofRow == ofRow)
                  ((*sum).*s).run(t);
              };
              when(false, &Sum::begin);
              for (*nest.i = 0; *nest.i < std::max(nest.outer, 1); ++*nest.i) {
                when(true, &Sum::begin);
                for (int n = doubles ? 2 : int(end); n <= end; n = doubles ? n * 2 : int(end) + 1)
                  for (*nest.j = int(begin); *nest.j < n; ++*nest.j)
                    for (*nest.k = 0; *nest.k < std::max(nest.deep, 1); ++*nest.k)
                      for (const Statement &s : statements)
                        s.run(t);
                when(true, &Sum::end);
              }
              when(false, &Sum::end);
            }};
  }

private:
  struct Nest {
    int outer = 0, inner = 0, deep = 0; ///< Iterations; no such loop: 0.
    std::shared_ptr<int> i = std::make_shared<int>(0), j = std::make_shared<int>(0), k = std::make_shared<int>(0);
  };

  /// What a loop carries: it begins as a number, and becomes an element in the end.
  struct Sum {
    bool ofRow; ///< One for each iteration of the outer loop.
    std::shared_ptr<Lane> now;
    Statement begin, step, end;
  };
  std::optional<Sum> sumOfElements(const Nest &nest) {
    const Type type = oneOf<Type>({Type::UInt, Type::UInt, Type::Int, Type::UShort});
    const bool ofRow = nest.outer && chance(50);
    const std::optional<Expression> e = bits(nest), condition = bits(nest);
    const std::optional<Place> to = ofRow ? elementOfRow(nest) : anyElement();
    if (!e || !condition || !to)
      return std::nullopt;
    const std::string name = factsOf(type).name;
    auto now = std::make_shared<Lane>(0);
    const int first = pick(0, 100), least = pick(0, 1000), op = pick(0, 9);
    if (chance(30))
      return sumOfFloats(ofRow, first, *e, *condition, least, *to);
    static const char *const steps[] = {"sum += {0};",
                                        "sum ^= {0};",
                                        "sum |= {0};",
                                        "sum &= {0};",
                                        "sum = {0} > sum ? {0} : sum;",
                                        "if ({0} < sum) sum = {0};",
                                        "if ((uint)({1}) > {2}) ++sum;",
                                        "if ((uint)({1}) > {2}) sum += {0};",
                                        "sum *= {0};",
                                        "sum = {0};"};
    const std::string value = fmt::format("({})({})", name, e->text);
    return Sum{ofRow,
               now,
               {fmt::format("{} sum = {};", name, first), [=](ModelThread &) { *now = first; }},
               {fmt::format(fmt::runtime((type == Type::Int && op < 4) || (type != Type::UInt && op == 8) ? steps[1]
                                                                                                          : steps[op]),
                            value, condition->text, least),
                [=, e = *e, condition = *condition](ModelThread &t) {
                  const Lane x = wrapped(type, e.value(t)[0]), old = *now;
                  const bool on = wrapped(Type::UInt, condition.value(t)[0]) > least;
                  const Lane all[] = {old + x,          old ^ x,
                                      old | x,          old & x,
                                      std::max(old, x), std::min(old, x),
                                      old + on,         on ? old + x : old,
                                      old * x,          x};
                  *now = wrapped(type, all[(type == Type::Int && op < 4) || (type != Type::UInt && op == 8) ? 1 : op]);
                }},
               {fmt::format("{} = (uint)sum;", to->text), [=, to = *to](ModelThread &t) {
                  write(to, t, {converted(to.type, Type::UInt, wrapped(Type::UInt, *now))});
                }}};
  }
  /// Of whole numbers that are small enough to be added in any order.
  Sum sumOfFloats(bool ofRow, int first, const Expression &e, const Expression &condition, int least, const Place &to) {
    constexpr Lane few = 63, fewer = 7;
    auto now = std::make_shared<Lane>(0);
    const bool conditional = chance(40), ofProducts = chance(50);
    const std::string one = fmt::format("(float)((uint)({}) & {})", e.text, few),
                      two = fmt::format("(float)((uint)({}) & {})", condition.text, fewer);
    return Sum{
        ofRow,
        now,
        {fmt::format("float sum = {};", first), [=](ModelThread &) { *now = first; }},
        {fmt::format("{}sum += {}{};", conditional ? fmt::format("if ((uint)({}) > {}) ", condition.text, least) : "",
                     one, ofProducts ? " * " + two : ""),
         [=](ModelThread &t) {
           const Lane x = wrapped(Type::UInt, e.value(t)[0]), y = wrapped(Type::UInt, condition.value(t)[0]);
           if (!conditional || y > least)
             *now += (x & few) * (ofProducts ? y & fewer : 1);
         }},
        {fmt::format("{} = (uint)sum;", to.text),
         [=](ModelThread &t) { write(to, t, {converted(to.type, Type::UInt, *now)}); }}};
  }
  /// Of integers.
  std::optional<Place> anyElement() {
    for (int attempt = 0; attempt < 10; ++attempt)
      if (const int v = variableOf(2, true); v >= 0 && !factsOf(variables[std::size_t(v)].type).isFloat)
        return elementPlace(v, variables[std::size_t(v)]);
    return std::nullopt;
  }
  std::optional<Place> elementOfRow(const Nest &nest) {
    for (int attempt = 0; attempt < 10; ++attempt) {
      const int v = variableOf(2, true);
      const Variable *found = v < 0 ? nullptr : &variables[std::size_t(v)];
      if (!found || factsOf(found->type).isFloat || (found->rows ? found->rows : found->columns) < nest.outer)
        continue;
      const int column = found->rows ? pick(0, found->columns - 1) : 0, step = found->rows ? found->columns : 1;
      return Place{v, found->type, 0,
                   found->rows ? fmt::format("{}(i, {})", found->name, column) : fmt::format("{}(i)", found->name),
                   [=, i = nest.i](ModelThread &) { return std::vector<int>{*i * step + column}; }};
    }
    return std::nullopt;
  }

  /// One or two elements of variables make another.
  std::optional<Statement> elementStatement(const Nest &nest) {
    std::optional<Place> to = element(nest, true);
    if (!to)
      return std::nullopt;
    const bool isFloat = factsOf(to->type).isFloat;
    std::optional<Expression> e = isFloat ? likeIt(nest, *to) : bits(nest);
    if (!e)
      return std::nullopt;
    if (!isFloat && chance(20)) // in each iteration to the same one, where the counters say so
      e = Expression{Type::UInt, 0, fmt::format("((uint)({}) + (uint)({}))", to->text, e->text), limitOf(Type::UInt),
                     [old = read(*to), e = *e](ModelThread &t) {
                       return Lanes{wrapped(Type::UInt,
                                            wrapped(Type::UInt, old.value(t)[0]) + wrapped(Type::UInt, e.value(t)[0]))};
                     }};
    return Statement{fmt::format("{} = {};", to->text, e->text),
                     [to = *to, e = *e](ModelThread &t) { write(to, t, {converted(to.type, e.type, e.value(t)[0])}); }};
  }

  /// By a switch over what is an element or made of some.
  std::optional<Statement> chosenStatement(const Nest &nest) {
    const std::optional<Expression> of = bits(nest);
    const std::optional<Statement> some = elementStatement(nest), others = elementStatement(nest);
    if (!of || !some || !others)
      return std::nullopt;
    const int one = pick(0, 7), two = (one + pick(1, 3)) % 8, third = (one + pick(4, 7)) % 8;
    const bool elseToo = chance(50);
    return Statement{fmt::format("switch ((uint)({}) & 7) {{ case {}: case {}: {} break; {} {} }}", of->text, one, two,
                                 some->text, elseToo ? "default:" : fmt::format("case {}:", third), others->text),
                     [=, of = *of, some = *some, others = *others](ModelThread &t) {
                       const Lane x = wrapped(Type::UInt, of.value(t)[0]) & 7;
                       if (x == one || x == two)
                         some.run(t);
                       else if (elseToo || x == third)
                         others.run(t);
                     }};
  }

  /// What is done to elements before and behind the counters', where they exist.
  std::optional<Statement> guardedStatement(const Nest &nest) {
    const bool written = chance(40);
    const int v = variableOf(2, written);
    if (v < 0 || variables[std::size_t(v)].rows || factsOf(variables[std::size_t(v)].type).isFloat)
      return std::nullopt;
    const Variable &found = variables[std::size_t(v)];
    const int far = pick(-4, 4), elements = found.elements();
    const bool further = nest.deep && chance(50);
    const std::string index = fmt::format("j + {}{}", far, further ? " + k" : "");
    auto at = [=, j = nest.j, k = nest.k] { return *j + far + (further ? *k : 0); };
    const Place shifted{v, found.type, 0, fmt::format("{}({})", found.name, index),
                        [=](ModelThread &) { return std::vector<int>{at()}; }};
    const std::optional<Place> to = written ? std::optional(shifted) : element(nest, true);
    const std::optional<Expression> more = bits(nest);
    if (!to || !more || factsOf(to->type).isFloat)
      return std::nullopt;
    const Expression one = read(shifted);
    return Statement{fmt::format("if ({0} >= 0 && {0} < {1}) {2} = (uint)({3}) + (uint)({4});", index, elements,
                                 to->text, one.text, more->text),
                     [=, to = *to, more = *more](ModelThread &t) {
                       if (at() < 0 || at() >= elements)
                         return;
                       const Lane sum = wrapped(Type::UInt, one.value(t)[0]) + wrapped(Type::UInt, more.value(t)[0]);
                       write(to, t, {converted(to.type, Type::UInt, wrapped(Type::UInt, sum))});
                     }};
  }

  /// A float of the same type, as it is or limited.
  std::optional<Expression> likeIt(const Nest &nest, const Place &to) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      std::optional<Place> from = element(nest, false);
      if (!from || from->type != to.type)
        continue;
      const Expression x = read(*from);
      if (chance(50))
        return x;
      const int most = pick(0, 15);
      const std::string name = factsOf(to.type).name;
      return Expression{to.type, 0, fmt::format("({} > ({}){} ? ({}){} : {})", x.text, name, most, name, most, x.text),
                        x.bound, [=](ModelThread &t) { return Lanes{std::min<Lane>(x.value(t)[0], most)}; }};
    }
    return std::nullopt;
  }

  /// Of integers, and counters, without a sign, where nothing overflows.
  std::optional<Expression> bits(const Nest &nest) {
    std::optional<Expression> a = term(nest), b = term(nest);
    if (!a || !b || chance(20))
      return a;
    static const char *const names[] = {"+", "-", "*", "&", "|", "^"};
    const int op = pick(0, 7);
    auto number = [](const Expression &e) { return fmt::format("(uint)({})", e.text); };
    auto value = [](const Expression &e, ModelThread &t) { return wrapped(Type::UInt, e.value(t)[0]); };
    if (op > 5)
      return Expression{Type::UInt, 0, fmt::format("({0} > {1} ? {0} : {1} * 3)", number(*a), number(*b)),
                        limitOf(Type::UInt), [=, a = *a, b = *b](ModelThread &t) {
                          const Lane x = value(a, t), y = value(b, t);
                          return Lanes{x > y ? x : wrapped(Type::UInt, y * 3)};
                        }};
    return Expression{Type::UInt, 0, fmt::format("({} {} {})", number(*a), names[op], number(*b)), limitOf(Type::UInt),
                      [=, a = *a, b = *b](ModelThread &t) {
                        const auto x = std::uint64_t(value(a, t)), y = std::uint64_t(value(b, t));
                        const std::uint64_t all[] = {x + y, x - y, x * y, x & y, x | y, x ^ y};
                        return Lanes{wrapped(Type::UInt, Lane(all[op]))};
                      }};
  }
  std::optional<Expression> term(const Nest &nest) {
    if (chance(15))
      return constant(Type::Int, pick(0, 1000));
    if (chance(15))
      return Expression{Type::Int, 0, "j", 100, [j = nest.j](ModelThread &) { return Lanes{*j}; }};
    for (int attempt = 0; attempt < 20; ++attempt)
      if (std::optional<Place> from = element(nest, false); from && !factsOf(from->type).isFloat)
        return read(*from);
    return std::nullopt;
  }

  /// An element that the counters choose.
  std::optional<Place> element(const Nest &nest, bool written) {
    const int v = variableOf(2, written);
    if (v < 0)
      return std::nullopt;
    const Variable &found = variables[std::size_t(v)];
    const int outer = std::max(nest.outer, 1);
    if (found.rows) {
      const bool byRows = chance(50);
      struct Index {
        std::string text;
        int inner, outer, constant;
      };
      auto index = [&](bool inner, int most) -> std::optional<Index> {
        if (inner && nest.inner <= most)
          return chance(20) ? Index{fmt::format("{} - j", most - 1), -1, 0, most - 1} : Index{"j", 1, 0, 0};
        if (!inner && nest.outer && nest.outer <= most)
          return Index{"i", 0, 1, 0};
        const int c = pick(0, most - 1);
        return Index{fmt::format("{}", c), 0, 0, c};
      };
      const std::optional<Index> row = index(!byRows, found.rows), column = index(byRows, found.columns);
      auto value = [i = nest.i, j = nest.j](const Index &x) { return x.inner * *j + x.outer * *i + x.constant; };
      return Place{v, found.type, 0, fmt::format("{}({}, {})", found.name, row->text, column->text),
                   [=, columns = found.columns](ModelThread &) {
                     return std::vector<int>{value(*row) * columns + value(*column)};
                   }};
    }
    for (int attempt = 0; attempt < 10; ++attempt) {
      const int step = oneOf<int>({0, 1, 1, 1, 2, 3, -1, -2}), far = nest.outer ? oneOf<int>({0, 1, nest.inner}) : 0;
      const int further = nest.deep && chance(50) ? 1 : 0;
      const bool chosen = chance(10);
      constexpr Lane mostChosen = 3;
      const int room = found.elements() - 1 - std::abs(step) * (nest.inner - 1) - far * (outer - 1) -
                       further * (nest.deep - 1) - (chosen ? int(mostChosen) : 0);
      if (room < 0)
        continue;
      const int first = (chance(50) ? 0 : pick(0, std::min(room, 5))) + std::max(-step, 0) * (nest.inner - 1);
      std::string text = step < 0 ? fmt::format("{} - j * {}", first, -step) : fmt::format("j * {} + {}", step, first);
      if (far)
        text += fmt::format(" + i * {}", far);
      if (further)
        text += " + k";
      const Expression more = chosen ? masked(scalarVariable(), mostChosen) : constant(Type::Int, 0);
      if (chosen)
        text += fmt::format(" + {}", more.text);
      return Place{v, found.type, 0, fmt::format("{}({})", found.name, text),
                   [=, i = nest.i, j = nest.j, k = nest.k](ModelThread &t) {
                     return std::vector<int>{*j * step + first + *i * far + *k * further + int(more.value(t)[0])};
                   }};
    }
    return std::nullopt;
  }
};

} // namespace pocm::fuzz
