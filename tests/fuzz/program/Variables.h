// The variables of a random program, and the regions of them that it names:
//
//     matrix<short, 4, 8> m1 = 0;      m1.select<2, 1, 4, 2>(1, s2 & 3)
#pragma once

#include "Amounts.h"
#include "Model.h"
#include "Palette.h"
#include <fmt/format.h>
#include <random>
#include <set>

namespace pocm::fuzz {

class Variables {
protected:
  Variables(unsigned seed, ProgramFeatures features, std::set<int> without, const Mix &mix)
      : mix(mix), random(seed), palette(seed / mix.together, features), may(features), dropped(std::move(without)) {}

  static constexpr int mostAtOnce = 64; ///< Elements of an expression.

  const Mix mix;
  Amounts amounts = middleProgram;
  std::mt19937 random;
  Palette palette;
  ProgramFeatures may;
  std::set<int> dropped;
  int made = 0;
  std::vector<Variable> variables;
  std::vector<Step> steps;
  std::string declarations, body;
  /// A part of what a thread stores at its end.
  struct Result {
    std::size_t at, bytes;
    int each, first; ///< The size of an element, and which one is there.
    std::string name;
  };
  std::vector<Result> results;
  int resultBytes = 0, counters = 0, blockWidth = 8;
  int ramp = 0, argument = 0, me = 0, localId = 0, window = 0, base = 0;
  bool usesGroups = false;

  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T> const T &oneOf(const std::vector<T> &all) {
    return all[std::size_t(pick(0, int(all.size()) - 1))];
  }

  Type anyType() { return oneOf(palette.types); }
  /// How many of that many elements a region has.
  int partOf(int total) {
    std::vector<int> fitting;
    for (int part : palette.parts)
      if (part <= total)
        fitting.push_back(part);
    return fitting.empty() ? total : oneOf(fitting);
  }
  Type integerType() {
    for (;;)
      if (Type type = anyType(); !factsOf(type).isFloat)
        return type;
  }
  /// How far from 0 a variable of floats may be.
  static Lane limitOf(Type type) {
    return type == Type::Half ? 31 : type == Type::BFloat ? 15 : factsOf(type).isFloat ? 4095 : factsOf(type).whole;
  }
  static Lane at(const Lanes &lanes, int k) { return lanes[lanes.size() == 1 ? 0 : std::size_t(k)]; }
  static std::string objectOf(Type type, int count) {
    return count ? fmt::format("vector<{}, {}>", factsOf(type).name, count) : factsOf(type).name;
  }

  int declare(Type type, int rows, int columns, std::string name) {
    variables.push_back({type, rows, columns, std::move(name)});
    const Variable &v = variables.back();
    std::string object =
        v.rows ? fmt::format("matrix<{}, {}, {}>", factsOf(type).name, rows, columns) : objectOf(type, columns);
    declarations += "  " + object + " " + v.name + " = 0;\n";
    return int(variables.size()) - 1;
  }
  Expression whole(int variable) {
    const Variable &v = variables[std::size_t(variable)];
    return read({variable, v.type, v.isScalar() ? 0 : v.elements(), v.name, nullptr});
  }

  static std::vector<int> elementsOf(const Place &place, ModelThread &t) {
    if (place.elements)
      return place.elements(t);
    std::vector<int> all(std::size_t(std::max(place.count, 1)));
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k] = int(k);
    return all;
  }
  static Expression read(const Place &place) {
    return {place.type, place.count, place.text, limitOf(place.type), [place](ModelThread &t) {
              Lanes lanes;
              const Bytes &bytes = t.variables[std::size_t(place.variable)];
              for (int e : elementsOf(place, t))
                lanes.push_back(load(place.type, &bytes[std::size_t(e * factsOf(place.type).bytes)]));
              return lanes;
            }};
  }
  /// Writes lanes of the place's own type, as far as they are active.
  static void write(const Place &place, ModelThread &t, const Lanes &lanes) {
    Bytes &bytes = t.variables[std::size_t(place.variable)];
    std::vector<int> elements = elementsOf(place, t);
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (place.count == 0 || t.isActive(int(k)))
        save(place.type, &bytes[std::size_t(elements[k] * factsOf(place.type).bytes)], at(lanes, int(k)));
  }

  static Expression constant(Type type, Lane x) {
    std::string text = x < 0 ? fmt::format("({})", x) : fmt::format("{}", x);
    if (x == std::numeric_limits<std::int32_t>::min())
      text = "(-2147483647 - 1)";
    switch (type) {
    case Type::Int:
      break;
    case Type::UInt:
      text += "u";
      break;
    case Type::Long:
      text = fmt::format("({}ll)", x);
      break;
    case Type::Float:
      text = fmt::format("({}.0f)", x);
      break;
    case Type::Double:
      text = fmt::format("({}.0)", x);
      break;
    default:
      text = fmt::format("({})({})", factsOf(type).name, text);
    }
    return {type, 0, text, x < 0 ? -x : x, [x](ModelThread &) { return Lanes{x}; }};
  }

  /// The low bits of an integer, a number from 0 to `mask`.
  static Expression masked(const Expression &e, Lane mask) {
    Type type = promoted(e.type);
    return {type, e.count, fmt::format("({} & {})", e.text, mask), mask, [=](ModelThread &t) {
              Lanes all = e.value(t);
              for (Lane &x : all)
                x &= mask;
              return all;
            }};
  }

  /// A number from 0 to `room`, often known at run time only.
  Expression offset(int room) {
    if (room <= 0 || chance(70))
      return constant(Type::Int, room <= 0 ? 0 : pick(0, room));
    Lane mask = 1;
    while (mask * 2 + 1 <= room)
      mask = mask * 2 + 1;
    return masked(scalarVariable(), mask);
  }

  /// A region of `count` elements of a variable that has them; of the whole variable too.
  Place region(int variable, int count) {
    const Variable v = variables[std::size_t(variable)];
    int total = v.elements();
    if (v.isScalar())
      return {variable, v.type, 0, v.name, nullptr};
    if (count == total && chance(50))
      return {variable, v.type, count, v.name, nullptr};
    if (v.rows && count == v.columns && chance(50)) {
      int row = pick(0, v.rows - 1), columns = v.columns;
      return {variable, v.type, count, fmt::format("{}.row({})", v.name, row), [=](ModelThread &) {
                std::vector<int> all;
                for (int k = 0; k < columns; ++k)
                  all.push_back(row * columns + k);
                return all;
              }};
    }
    if (v.rows && count == v.rows && chance(30)) {
      int column = pick(0, v.columns - 1), columns = v.columns;
      return {variable, v.type, count, fmt::format("{}.column({})", v.name, column), [=](ModelThread &) {
                std::vector<int> all;
                for (int k = 0; k < count; ++k)
                  all.push_back(k * columns + column);
                return all;
              }};
    }
    if (v.rows)
      if (auto place = block(variable, count); place.count)
        return place;
    if (chance(8))
      if (auto place = regionOfRegion(variable, count); place.count)
        return place;
    std::string name = v.name;
    if (v.rows)
      name += fmt::format(".format<{}>()", factsOf(v.type).name);
    int stride = count == 1 || chance(60) || (count - 1) * palette.stride >= total ? 1 : palette.stride;
    Expression from = offset(total - 1 - stride * (count - 1));
    return {variable, v.type, count, fmt::format("{}.select<{}, {}>({})", name, count, stride, from.text),
            [=](ModelThread &t) {
              std::vector<int> all;
              Lane first = from.value(t)[0];
              for (int k = 0; k < count; ++k)
                all.push_back(int(first) + k * stride);
              return all;
            }};
  }
  /// A part of a part; a place of no elements where the variable has too few.
  Place regionOfRegion(int variable, int count) {
    const Variable v = variables[std::size_t(variable)];
    const int total = v.elements(), outer = oneOf(palette.parts);
    auto step = [&](int of, int among) {
      return of == 1 || chance(40) || (of - 1) * palette.stride >= among ? 1 : palette.stride;
    };
    if (outer < count || outer > total)
      return {variable, v.type, 0, "", nullptr};
    const int far = step(outer, total), near = step(count, outer);
    const Expression from = offset(total - 1 - far * (outer - 1)), then = offset(outer - 1 - near * (count - 1));
    const std::string whole = v.rows ? fmt::format("{}.format<{}>()", v.name, factsOf(v.type).name) : v.name;
    return {
        variable, v.type, count,
        fmt::format("{}.select<{}, {}>({}).select<{}, {}>({})", whole, outer, far, from.text, count, near, then.text),
        [=](ModelThread &t) {
          std::vector<int> all;
          const int first = int(from.value(t)[0]), second = int(then.value(t)[0]);
          for (int k = 0; k < count; ++k)
            all.push_back(first + (second + k * near) * far);
          return all;
        }};
  }
  /// Rows and columns of a matrix; a place of no elements where there is none of that count.
  Place block(int variable, int count) {
    const Variable v = variables[std::size_t(variable)];
    for (int attempt = 0; attempt < 10; ++attempt) {
      int rows = pick(1, v.rows);
      if (count % rows || count / rows > v.columns)
        continue;
      int columns = count / rows;
      auto step = [&](int of, int among) {
        return of == 1 || chance(60) || (of - 1) * palette.stride >= among ? 1 : palette.stride;
      };
      int down = step(rows, v.rows), across = step(columns, v.columns);
      Expression row = offset(v.rows - 1 - down * (rows - 1)), column = offset(v.columns - 1 - across * (columns - 1));
      return {
          variable, v.type, count,
          fmt::format("{}.select<{}, {}, {}, {}>({}, {})", v.name, rows, down, columns, across, row.text, column.text),
          [=, width = v.columns](ModelThread &t) {
            std::vector<int> all;
            Lane r = row.value(t)[0], c = column.value(t)[0];
            for (int k = 0; k < count; ++k)
              all.push_back(int(r + k / columns * down) * width + int(c) + k % columns * across);
            return all;
          }};
    }
    return {variable, v.type, 0, "", nullptr};
  }
  /// The bytes of a variable of integers as others.
  Place formatted(int variable, int count) {
    const Variable v = variables[std::size_t(variable)];
    Type type = integerType();
    int total = v.elements() * factsOf(v.type).bytes / factsOf(type).bytes;
    if (factsOf(v.type).isFloat || v.isScalar() || type == v.type || total < count ||
        v.elements() * factsOf(v.type).bytes % factsOf(type).bytes)
      return region(variable, count);
    int first = pick(0, total - count);
    return {variable, type, count,
            fmt::format("{}.format<{}>().select<{}, 1>({})", v.name, factsOf(type).name, count, first),
            [=](ModelThread &) {
              std::vector<int> all;
              for (int k = 0; k < count; ++k)
                all.push_back(first + k);
              return all;
            }};
  }

  /// A variable of vectors or matrices with at least so many elements, of any type or of one; the ramp if there is
  /// none. One that is written is always found: `w` if no other has as many.
  int variableOf(int count, bool written = false, const Type *type = nullptr) {
    auto fits = [&](int v) {
      const Variable &found = variables[std::size_t(v)];
      return !found.isScalar() && found.elements() >= count && !(written && isFixed(v)) &&
             (!type || found.type == *type);
    };
    for (int attempt = 0; attempt < 40; ++attempt)
      if (int v = pick(0, int(variables.size()) - 1); fits(v))
        return v;
    for (int v = 0; written && v < int(variables.size()); ++v)
      if (fits(v))
        return v;
    return written || type ? -1 : ramp;
  }
  bool isFixed(int v) const { return v <= base || variables[std::size_t(v)].name[0] == 'c'; }
  Expression scalarVariable() {
    for (;;) {
      int v = pick(0, int(variables.size()) - 1);
      const Variable &found = variables[std::size_t(v)];
      if (found.isScalar() && !factsOf(found.type).isFloat && found.type != Type::ULong)
        return whole(v);
    }
  }
};

} // namespace pocm::fuzz
