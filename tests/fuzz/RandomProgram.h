// Random CM programs with their results, for cm-fuzz: whoever adds a piece of text adds what it does to a thread, in
// plain scalar C++ (CmValues.h), so that a program comes with a model of itself that shares nothing with the compiler
// or a device. The same seed gives the same program.
//
//     RandomProgram program(7);
//     program.text          vector<ushort, 16> v2 = ...; SIMD_IF_BEGIN(v2.select<8, 2>(1) > s1) { ... } SIMD_IF_END;
//     program.execute()     what is in the buffers after a launch
#pragma once

#include "CmValues.h"
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>

namespace pocm::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// What a launch reads and writes: a surface of each, and memory that has an address.
struct ProgramMemory {
  Bytes in, out, addressed;
};

/// A thread of the model, and the channels of SIMD control flow that are active in it.
struct ModelThread {
  std::vector<Bytes> variables;
  ProgramMemory *memory = nullptr;
  Bytes *slm = nullptr;
  unsigned number = 0, local = 0;
  int width = 0; ///< Of SIMD control flow; 0 outside of it.
  std::uint32_t active = 0, broken = 0, continued = 0;

  bool isActive(int lane) const { return width == 0 || (active >> lane & 1); }
};

/// What not every target has.
struct ProgramFeatures {
  bool wordAtomics = false; ///< Atomics of 16 bits, by address.
};

class RandomProgram {
public:
  static constexpr int inBytes = 1024, scratchBytes = 512, slotBytes = 128, mostThreads = 16;
  static constexpr int sharedAt = scratchBytes * mostThreads, sharedBlock = 64, resultsAt = sharedAt + 8 * sharedBlock;

  std::string text;
  unsigned groups = 1, threads = 1; ///< Of a launch, and of a group.
  std::vector<std::int16_t> words = std::vector<std::int16_t>(16);
  std::int32_t number = 0;

  /// The program of a seed, without the statements of these numbers.
  explicit RandomProgram(unsigned seed, ProgramFeatures features = {}, std::set<int> without = {})
      : random(seed), may(features), dropped(std::move(without)) {
    generate();
  }
  RandomProgram(const RandomProgram &) = delete; // its statements know where it is

  /// How many statements there are, the dropped ones included.
  int statementCount() const { return made; }

  /// What lies at a byte of the output: "element 3 of v2 of thread 1".
  std::string nameOf(std::size_t byte) const {
    if (byte < std::size_t(resultsAt))
      return byte < std::size_t(sharedAt)
                 ? fmt::format("byte {} of thread {}'s part", byte % scratchBytes, byte / scratchBytes)
                 : fmt::format("dword {} of ATOMIC_{}", (byte - sharedAt) % sharedBlock / 4,
                               atomics()[(byte - sharedAt) / sharedBlock].name);
    std::size_t at = byte - resultsAt, thread = at / std::size_t(resultBytes),
                part = at % std::size_t(resultBytes) / 128;
    return fmt::format("element {} of {} of thread {}", at % 128 / 4, results[part], thread);
  }

  /// Buffers before a launch.
  ProgramMemory memory() const {
    ProgramMemory all{Bytes(inBytes), Bytes(std::size_t(resultsAt) + groups * threads * std::size_t(resultBytes)),
                      Bytes(std::size_t(scratchBytes) * mostThreads)};
    for (int i = 0; i < inBytes; ++i)
      all.in[std::size_t(i)] = std::uint8_t(std::uint32_t(i / 4 * 2654435761u) >> (i % 4 * 8));
    for (std::size_t i = 0; i < resultsAt; ++i)
      all.out[i] = std::uint8_t(i * 37 + i / 256);
    for (std::size_t i = 0; i < all.addressed.size(); ++i)
      all.addressed[i] = std::uint8_t(i * 91 + i / 256);
    return all;
  }

  /// Buffers after a launch, by the model.
  ProgramMemory execute() const {
    ProgramMemory all = memory();
    for (unsigned group = 0; group < groups; ++group) {
      Bytes slm(std::size_t(slotBytes) * mostThreads + 256);
      std::vector<ModelThread> team(threads);
      for (unsigned local = 0; local < threads; ++local) {
        ModelThread &t = team[local];
        t.memory = &all;
        t.slm = &slm;
        t.local = local;
        t.number = group * threads + local;
        for (const Variable &v : variables)
          t.variables.emplace_back(std::size_t(v.elements() * factsOf(v.type).bytes));
      }
      for (const Step &step : steps) // barriers stand between them
        for (ModelThread &t : team)
          step(t);
    }
    return all;
  }

private:
  using Step = std::function<void(ModelThread &)>;

  struct Variable {
    Type type;
    int rows, columns; ///< A vector has no rows, a scalar neither.
    std::string name;
    int elements() const { return std::max(rows, 1) * std::max(columns, 1); }
    bool isScalar() const { return columns == 0; }
  };
  struct Expression {
    Type type;
    int count; ///< 0: a scalar.
    std::string text;
    Lane bound; ///< No value is further from 0.
    std::function<Lanes(ModelThread &)> value;
  };
  /// A region of a variable, to be read or written.
  struct Place {
    int variable;
    Type type; ///< Of the elements, which need not be the variable's: format.
    int count;
    std::string text;
    std::function<std::vector<int>(ModelThread &)> elements;
  };
  struct Statement {
    std::string text;
    Step run;
    bool leaves = false; ///< Channels may leave the SIMD loop around it, or its iteration.
  };
  /// Where a statement stands.
  struct Scope {
    int width = 0; ///< Of SIMD control flow around it.
    bool inLoop = false;
    bool mayBeEmpty = false; ///< All channels may have left: what is no channel's own is not said there.
    int depth = 0;
  };

  std::mt19937 random;
  ProgramFeatures may;
  std::set<int> dropped;
  int made = 0;
  std::vector<Variable> variables;
  std::vector<Step> steps;
  std::string declarations, body;
  std::vector<std::string> results; ///< What the parts of a thread's results are.
  int resultBytes = 0, counters = 0, blockWidth = 8;
  int ramp = 0, me = 0, localId = 0, window = 0, base = 0;
  bool usesGroups = false;

  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T> const T &oneOf(const std::vector<T> &all) {
    return all[std::size_t(pick(0, int(all.size()) - 1))];
  }

  Type anyType() {
    return oneOf<Type>({Type::Char, Type::UChar, Type::UChar, Type::Short, Type::Short, Type::UShort, Type::Int,
                        Type::Int, Type::Int, Type::UInt, Type::UInt, Type::Long, Type::ULong, Type::Half, Type::Float,
                        Type::Float});
  }
  Type integerType() {
    for (;;)
      if (Type type = anyType(); !factsOf(type).isFloat)
        return type;
  }
  /// How far from 0 a variable of floats may be.
  static Lane limitOf(Type type) { return type == Type::Half ? 31 : type == Type::Float ? 4095 : factsOf(type).whole; }
  static Lane at(const Lanes &lanes, int k) { return lanes[lanes.size() == 1 ? 0 : std::size_t(k)]; }
  static std::string objectOf(Type type, int count) {
    return count ? fmt::format("vector<{}, {}>", factsOf(type).name, count) : factsOf(type).name;
  }

  // Variables

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
    if (v.rows)
      if (auto place = block(variable, count); place.count)
        return place;
    std::string name = v.name;
    if (v.rows)
      name += fmt::format(".format<{}>()", factsOf(v.type).name);
    int stride = count == 1 ? 1 : pick(1, std::max(1, std::min(4, (total - 1) / (count - 1))));
    if (chance(50))
      stride = 1;
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
  /// Rows and columns of a matrix; a place of no elements where there is none of that count.
  Place block(int variable, int count) {
    const Variable v = variables[std::size_t(variable)];
    for (int attempt = 0; attempt < 10; ++attempt) {
      int rows = pick(1, v.rows);
      if (count % rows || count / rows > v.columns)
        continue;
      int columns = count / rows;
      int down = rows == 1 ? 1 : pick(1, std::min(3, (v.rows - 1) / (rows - 1)));
      int across = columns == 1 ? 1 : pick(1, std::min(3, (v.columns - 1) / (columns - 1)));
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
  /// none.
  int variableOf(int count, bool written = false, const Type *type = nullptr) {
    for (int attempt = 0; attempt < 40; ++attempt) {
      int v = pick(0, int(variables.size()) - 1);
      const Variable &found = variables[std::size_t(v)];
      if (!found.isScalar() && found.elements() >= count && !(written && isFixed(v)) && (!type || found.type == *type))
        return v;
    }
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

  // Expressions

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
    default:
      text = fmt::format("({})({})", factsOf(type).name, text);
    }
    return {type, 0, text, x < 0 ? -x : x, [x](ModelThread &) { return Lanes{x}; }};
  }
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
      for (int w = pick(1, count); w >= 1 && width == 1; --w)
        width = count % w == 0 ? w : 1;
      int rows = count / width, across = pick(0, 3), down = pick(0, 5);
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
    if (kind < 24)
      return read(formatted(variableOf(count), count));
    if (kind < 27 && depth < 3)
      return gathered(count, depth);
    if (kind < 30)
      return convert(read(region(variableOf(count), count)), integerType());
    if (kind < 70)
      return chance(15) ? binary(scalar(depth + 1), value(count, depth + 1, true))
                        : binary(value(count, depth + 1, true), value(count, depth + 1));
    if (kind < 76)
      return comparison(value(count, depth + 1, true), value(count, depth + 1));
    if (kind < 82)
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
    if (kind < 78)
      return comparison(scalar(depth + 1), scalar(depth + 1));
    if (kind < 85)
      return convert(scalar(depth + 1), integerType());
    return reduction(value(reduced(), depth + 1, true));
  }
  int scopeWidth = 0; ///< Of SIMD control flow around what is generated.
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

  // Statements

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
      return region(v, chance(50) ? total : pick(2, total));
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

  // Memory

  /// Places of so many elements among `room`, a power of two; different ones, where that is asked for.
  Expression places(int count, int room, bool different) {
    Expression e = whole(ramp);
    if (different) {
      Expression steps = read(region(ramp, count));
      steps = read({ramp, Type::UShort, count, fmt::format("ramp.select<{}, 1>(0)", count), [count](ModelThread &) {
                      std::vector<int> all;
                      for (int k = 0; k < count; ++k)
                        all.push_back(k);
                      return all;
                    }});
      int odd = pick(0, 7) * 2 + 1;
      Expression from = scalarVariable();
      e = {Type::Int, count, fmt::format("({} * {} + (int)({}))", steps.text, odd, from.text), limitOf(Type::Int),
           [=](ModelThread &t) {
             Lanes all = steps.value(t);
             Lane first = converted(Type::Int, from.type, from.value(t)[0]);
             for (Lane &x : all)
               x = wrapped(Type::Int, sum(product(x, odd), first));
             return all;
           }};
    } else {
      e = value(count, 2, true);
      if (factsOf(e.type).isFloat)
        e = convert(e, Type::Int);
    }
    return convert(masked(e, room - 1), Type::UInt);
  }

  enum class Space : std::uint8_t { Surface, Local, Address };
  static std::uint8_t *bytesOf(Space space, ModelThread &t, Lane offset) {
    switch (space) {
    case Space::Surface:
      return &t.memory->out[std::size_t(t.number * scratchBytes + offset)];
    case Space::Local:
      return &(*t.slm)[std::size_t(t.local * slotBytes + offset)];
    default:
      return &t.memory->addressed[std::size_t(t.number * scratchBytes + offset)];
    }
  }
  static int roomOf(Space space) { return space == Space::Local ? slotBytes : scratchBytes; }

  /// A space of memory and a number of elements that messages to it have.
  int lanesOf(const Scope &scope) { return scope.width ? scope.width : 1 << pick(1, 5); }

  /// The text of the offsets of elements in a thread's own part of a space, and how many bytes one of them is.
  std::string offsets(Space space, const Expression &where, int bytes, bool scaled) {
    int scale = scaled ? bytes : 1;
    switch (space) {
    case Space::Surface:
      return fmt::format("{} * {}", where.text, scale);
    case Space::Local:
      return fmt::format("{} * {} + local * {}", where.text, scale, slotBytes / (scaled ? 1 : bytes));
    default:
      return fmt::format("vector<unsigned long long, {}>({} * {}) + (memory + me * {})", where.count, where.text, bytes,
                         scratchBytes);
    }
  }
  Space space() { return !usesGroups || chance(40) ? (chance(60) ? Space::Surface : Space::Address) : Space::Local; }

  Statement scatter(const Scope &scope) {
    Space to = space();
    int count = lanesOf(scope);
    Type type = anyType();
    int bytes = factsOf(type).bytes;
    while (count * bytes > roomOf(to)) {
      type = Type::UChar;
      bytes = 1;
    }
    if (bytes == 8 && to == Space::Surface) { // which has elements of 1, 2 and 4 bytes
      type = Type::Int;
      bytes = 4;
    }
    bool scaled = chance(50);
    Expression where = places(count, roomOf(to) / bytes, true), e = value(count, 1, true);
    e = factsOf(type).isFloat ? convert(convert(bounded(e, (1 << 20) - 1), Type::Int), type) : convert(e, type);
    std::string at = offsets(to, where, bytes, scaled), text;
    if (to == Space::Surface)
      text = fmt::format("write{}(out, me * {}, {}, {});", scaled ? "_scaled" : "", scratchBytes / (scaled ? 1 : bytes),
                         at, e.text);
    else if (to == Space::Local)
      text = fmt::format("cm_slm_write{}(slm, {}, {});", scaled ? "_scaled" : "", at, e.text);
    else
      text = fmt::format("cm_svm_scatter_write({}, {});", at, e.text);
    return {text, [=](ModelThread &t) {
              Lanes offset = where.value(t), lanes = e.value(t);
              for (int k = 0; k < count; ++k)
                if (t.isActive(k))
                  save(type, bytesOf(to, t, offset[std::size_t(k)] * bytes), lanes[std::size_t(k)]);
            }};
  }

  /// A variable of integers, that many elements of which a message can fill.
  std::pair<int, int> filled(const Scope &scope, int least, int most) {
    for (int attempt = 0; attempt < 30; ++attempt) {
      int count = lanesOf(scope), v = variableOf(count, true);
      if (v < 0)
        continue;
      const Variable &found = variables[std::size_t(v)];
      int bytes = factsOf(found.type).bytes;
      if (!factsOf(found.type).isFloat && bytes >= least && bytes <= most)
        return {v, count};
    }
    return {-1, 0};
  }
  Statement gather(const Scope &scope) {
    Space from = space();
    auto [v, count] = filled(scope, 1, from == Space::Surface ? 4 : 8);
    if (v < 0)
      return assignment(scope);
    Place to = region(v, count);
    Type type = to.type;
    int bytes = factsOf(type).bytes;
    bool scaled = chance(50), input = from == Space::Surface && chance(50);
    Expression where = places(count, input ? inBytes / bytes : roomOf(from) / bytes, false);
    std::string text, at = offsets(from, where, bytes, scaled);
    if (from == Space::Surface)
      text = fmt::format("read{}({}, {}, {}, {});", scaled ? "_scaled" : "", input ? "in" : "out",
                         input ? "0" : fmt::format("me * {}", scratchBytes / (scaled ? 1 : bytes)), at, to.text);
    else if (from == Space::Local)
      text = fmt::format("cm_slm_read{}(slm, {}, {});", scaled ? "_scaled" : "", at, to.text);
    else
      text = fmt::format("cm_svm_scatter_read({}, {});", at, to.text);
    return {text, [=](ModelThread &t) {
              Lanes offset = where.value(t), lanes;
              for (int k = 0; k < count; ++k) {
                Lane byte = offset[std::size_t(k)] * bytes;
                lanes.push_back(load(type, input ? &t.memory->in[std::size_t(byte)] : bytesOf(from, t, byte)));
              }
              write(to, t, lanes);
            }};
  }

  struct Atomic {
    const char *name;
    int sources;
    bool commutes;
    Lane (*change)(Type type, Lane old, Lane a, Lane b);
  };
  static const std::vector<Atomic> &atomics() {
    static const std::vector<Atomic> all = {
        {"ADD", 1, true, [](Type, Lane o, Lane a, Lane) { return sum(o, a); }},
        {"SUB", 1, true, [](Type, Lane o, Lane a, Lane) { return difference(o, a); }},
        {"INC", 0, true, [](Type, Lane o, Lane, Lane) { return sum(o, 1); }},
        {"DEC", 0, true, [](Type, Lane o, Lane, Lane) { return difference(o, 1); }},
        {"MIN", 1, true, [](Type t, Lane o, Lane a, Lane) { return isLess(t, a, o) ? a : o; }},
        {"MAX", 1, true, [](Type t, Lane o, Lane a, Lane) { return isLess(t, o, a) ? a : o; }},
        {"OR", 1, true, [](Type, Lane o, Lane a, Lane) { return o | a; }},
        {"XOR", 1, true, [](Type, Lane o, Lane a, Lane) { return o ^ a; }},
        {"AND", 1, false, [](Type, Lane o, Lane a, Lane) { return o & a; }},
        {"XCHG", 1, false, [](Type, Lane, Lane a, Lane) { return a; }},
        {"CMPXCHG", 2, false, [](Type, Lane o, Lane a, Lane b) { return o == b ? a : o; }},
    };
    return all;
  }
  /// A thread's own dwords (or numbers of other sizes by address), with what was there before.
  Statement atomic(const Scope &scope) {
    Space in = space();
    const Atomic &op = oneOf(atomics());
    auto [v, count] = filled(scope, in == Space::Address ? (may.wordAtomics ? 2 : 4) : 4, in == Space::Address ? 8 : 4);
    if (v < 0)
      return assignment(scope);
    Type type = variables[std::size_t(v)].type, bits = type;
    for (Type u : {Type::UShort, Type::UInt, Type::ULong})
      if (factsOf(u).bytes == factsOf(type).bytes)
        bits = u;
    Place to = region(v, count);
    int bytes = factsOf(type).bytes;
    if (count * bytes > roomOf(in))
      return assignment(scope);
    Expression where = places(count, roomOf(in) / bytes, true), a = convert(value(count, 2, true), bits),
               b = convert(value(count, 2, true), bits);
    std::string sources = op.sources == 0   ? ""
                          : op.sources == 1 ? ", " + a.text
                                            : ", " + a.text + ", " + b.text,
                text, at = offsets(in, where, bytes, false);
    Expression mask = comparison(value(count, 2, true), value(count, 2));
    bool isMasked = in == Space::Surface && chance(40);
    if (in == Space::Surface)
      text = fmt::format("write_atomic<ATOMIC_{}>({}out, {} + me * {}{}, {});", op.name,
                         isMasked ? mask.text + ", " : "", at, scratchBytes / bytes, sources, to.text);
    else if (in == Space::Local)
      text = fmt::format("cm_slm_atomic(slm, ATOMIC_{}, {}, {}{});", op.name, at, to.text, sources);
    else
      text = fmt::format("svm_atomic<ATOMIC_{}>({}, {}{});", op.name, at, to.text, sources);
    return {text, [=, change = op.change](ModelThread &t) {
              Lanes offset = where.value(t), first = a.value(t), second = b.value(t), on = mask.value(t),
                    old = read(to).value(t);
              for (std::size_t k = 0; k < std::size_t(count); ++k) {
                if (!t.isActive(int(k)) || (isMasked && !on[k]))
                  continue;
                std::uint8_t *place = bytesOf(in, t, offset[k] * bytes);
                Lane was = load(bits, place);
                save(bits, place, change(bits, was, first[k], second[k]));
                old[k] = wrapped(type, was);
              }
              write(to, t, old);
            }};
  }
  /// Dwords that all threads change at once, by one operation for each place, whose order does not matter.
  Statement shared(const Scope &scope) {
    int count = lanesOf(scope), kind = pick(0, 7), block = sharedAt + kind * sharedBlock;
    const Atomic &op = atomics()[std::size_t(kind)];
    Expression where = places(count, sharedBlock / 4, false), a = convert(value(count, 2, true), Type::UInt);
    return {fmt::format("write_atomic<ATOMIC_{}>(out, {} + {}{});", op.name, where.text, block / 4,
                        op.sources ? ", " + a.text : ""),
            [=, change = op.change](ModelThread &t) {
              Lanes offset = where.value(t), first = a.value(t);
              for (std::size_t k = 0; k < std::size_t(count); ++k)
                if (t.isActive(int(k))) {
                  std::uint8_t *place = &t.memory->out[std::size_t(block + offset[k] * 4)];
                  save(Type::UInt, place, change(Type::UInt, load(Type::UInt, place), first[k], 0));
                }
            }};
  }

  // Control flow

  static std::string indented(const std::string &text) {
    std::string result = "  ";
    for (char c : text) {
      result += c;
      if (c == '\n')
        result += "  ";
    }
    return result;
  }
  Statement statements(int most, Scope scope) {
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
    int kind = pick(0, 99);
    if (scope.depth < 3) {
      Scope inner = scope;
      ++inner.depth;
      if (kind < 14)
        return simdIf(inner);
      if (kind < 22)
        return simdLoop(inner);
      if (kind < 34 && !scope.width)
        return chance(50) ? scalarIf(inner) : scalarLoop(inner);
    }
    if (scope.inLoop && kind > 94)
      return leaving();
    if (kind < 42)
      return merging(scope);
    if (kind < 48)
      return scatter(scope);
    if (kind < 54)
      return gather(scope);
    if (kind < 58)
      return atomic(scope);
    if (kind < 60)
      return shared(scope);
    return assignment(scope);
  }
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
    Expression e = !outermost && chance(10) ? comparison(scalar(1), scalar(1))
                   : chance(80)             ? comparison(value(scope.width, 1, true), value(scope.width, 1))
                                            : value(scope.width, 1, true);
    if (factsOf(e.type).isFloat)
      e = convert(e, Type::Int);
    scopeWidth = outer;
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
      branches.push_back({condition(scope, outermost && branches.empty()), statements(3, inside), false});
    if (chance(50))
      branches.push_back({constant(Type::Int, 1), statements(3, inside), true});
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
    Statement body = statements(4, scope);
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
    Statement then = statements(3, scope);
    bool two = chance(50);
    Statement otherwise = two ? statements(3, scope) : Statement{};
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
    Statement body = statements(3, scope);
    return {fmt::format("for ({0} = 0; {0} < {1}; {0}++) {{\n{2}\n}}", count.text, times, indented(body.text)),
            [=](ModelThread &t) {
              for (int k = 0; k < times; ++k) {
                write(count, t, {k});
                body.run(t);
              }
              write(count, t, {times});
            }};
  }

  // The whole program

  void add(const Statement &s) {
    body += indented(s.text) + "\n";
    steps.push_back(s.run);
  }
  /// After it a thread sees what others of its group have written before it.
  void barrier() { body += "  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);\n  cm_barrier();\n"; }

  /// Reads what another thread of the group has in its part of the shared local memory.
  Statement neighbour() {
    int step = pick(0, 7);
    unsigned team = threads;
    return {fmt::format("cm_slm_block_read(slm, (int)((local + {}) % {} * {}), w);", step, threads, slotBytes),
            [=, v = window](ModelThread &t) {
              unsigned other = (t.local + unsigned(step)) % team;
              std::memcpy(t.variables[std::size_t(v)].data(), &(*t.slm)[other * slotBytes], slotBytes);
            }};
  }

  void fixed(const std::string &declaration, Type type, int columns, const std::string &name, int &variable,
             std::function<Lanes(ModelThread &)> lanes) {
    variables.push_back({type, 0, columns, name});
    variable = int(variables.size()) - 1;
    declarations += declaration.empty() ? "" : "  " + declaration + "\n";
    Place all{variable, type, columns, name, nullptr};
    steps.push_back([=](ModelThread &t) { write(all, t, lanes(t)); });
  }
  Statement initialized(int variable) {
    const Variable v = variables[std::size_t(variable)];
    Place to{variable, v.type, v.isScalar() ? 0 : v.elements(), v.name, nullptr};
    Expression e = v.isScalar()
                       ? scalar(2)
                       : read({ramp, Type::UShort, to.count, fmt::format("ramp.select<{}, 1>(0)", to.count), nullptr});
    if (!v.isScalar())
      e = binary(binary(e, scalar(2)), chance(50) ? scalar(2) : scalar(3));
    e = convert(factsOf(e.type).isFloat ? bounded(e, 4095) : e, v.type);
    return {fmt::format("{} = {};", to.text, e.text), [=](ModelThread &t) { write(to, t, e.value(t)); }};
  }

  /// Stores a variable as numbers of 32 bits, 32 of them at a time.
  void stored(int variable) {
    const Variable v = variables[std::size_t(variable)];
    int halves = factsOf(v.type).bytes == 8 ? 2 : 1;
    for (int half = 0; half < halves; ++half)
      for (int from = 0; from < v.elements(); from += 32) {
        int count = std::min(32, v.elements() - from);
        std::string part =
            v.isScalar() ? v.name
                         : fmt::format("{}{}.select<{}, 1>({})", v.name,
                                       v.rows ? fmt::format(".format<{}>()", factsOf(v.type).name) : "", count, from);
        if (half)
          part = fmt::format("({} >> 32)", part);
        int place = resultBytes;
        results.push_back(part);
        resultBytes += 128;
        body +=
            fmt::format("  result = 0;\n  result.select<{0}, 1>(0) = {1};\n  write(out, (int)(base + {2}), result);\n",
                        count, v.isScalar() ? "(int)" + part : fmt::format("vector<int, {}>({})", count, part), place);
        steps.push_back([=, this](ModelThread &t) {
          for (int k = 0; k < 32; ++k) {
            Lane x = 0;
            if (k < count)
              x = load(v.type, &t.variables[std::size_t(variable)][std::size_t((from + k) * factsOf(v.type).bytes)]);
            save(Type::Int, &t.memory->out[std::size_t(resultsAt + int(t.number) * resultBytes + place + 4 * k)],
                 half ? x >> 32 : x);
          }
        });
      }
  }

  void generate() {
    groups = unsigned(pick(1, 3));
    threads = unsigned(pick(1, 4));
    usesGroups = chance(60);
    blockWidth = 1 << pick(1, 5);
    number = pick(-1000, 1000);
    for (std::int16_t &word : words)
      word = std::int16_t(pick(-32768, 32767));
    std::string table;
    for (int k = 0; k < 64; ++k)
      table += fmt::format("{}{}", k ? ", " : "", k);
    fixed("vector<ushort, 64> ramp(numbers);", Type::UShort, 64, "ramp", ramp, [](ModelThread &) {
      Lanes all(64);
      for (std::size_t k = 0; k < 64; ++k)
        all[k] = Lane(k);
      return all;
    });
    int n = 0, p = 0;
    fixed("", Type::Int, 0, "n", n, [this](ModelThread &) { return Lanes{number}; });
    fixed("", Type::Short, 16, "p", p, [this](ModelThread &) { return Lanes(words.begin(), words.end()); });
    fixed("uint me = cm_linear_global_id();", Type::UInt, 0, "me", me, [](ModelThread &t) { return Lanes{t.number}; });
    fixed("uint local = cm_linear_local_id();", Type::UInt, 0, "local", localId,
          [](ModelThread &t) { return Lanes{t.local}; });
    fixed("uint base = RESULTS + me * EACH;", Type::UInt, 0, "base", base,
          [this](ModelThread &t) { return Lanes{resultsAt + int(t.number) * resultBytes}; });
    if (usesGroups)
      declarations += fmt::format("  cm_slm_init({0});\n  uint slm = cm_slm_alloc({0});\n", slotBytes * threads);
    window = declare(Type::Int, 0, 32, "w");
    std::vector<int> own;
    add({"w = ramp.select<32, 1>(0) * 5 + n;", [this, v = window](ModelThread &t) {
           Lanes all(32);
           for (std::size_t k = 0; k < 32; ++k)
             all[k] = wrapped(Type::Int, Lane(k) * 5 + number);
           write({v, Type::Int, 32, "", nullptr}, t, all);
         }});
    for (int k = pick(2, 4); k > 0; --k)
      own.push_back(declare(integerType(), 0, 0, fmt::format("s{}", k)));
    for (int k = pick(1, 3); k > 0; --k)
      own.push_back(declare(anyType(), 0, blockWidth, fmt::format("v{}", k)));
    for (int k = pick(2, 4); k > 0; --k)
      own.push_back(declare(anyType(), 0, chance(60) ? 8 << pick(0, 3) : pick(2, 60), fmt::format("u{}", k)));
    for (int k = pick(0, 2); k > 0; --k)
      own.push_back(declare(anyType(), pick(2, 6), chance(60) ? 4 << pick(0, 1) : pick(2, 10), fmt::format("m{}", k)));
    for (int v : own)
      add(initialized(v));
    if (usesGroups) {
      add({"cm_slm_block_write(slm, (int)(local * 128), w);", [v = window](ModelThread &t) {
             std::memcpy(&(*t.slm)[t.local * slotBytes], t.variables[std::size_t(v)].data(), slotBytes);
           }});
      barrier();
    }
    for (int k = pick(4, 14); k > 0; --k) {
      add(statements(1, {}));
      if (usesGroups && chance(20)) {
        barrier();
        add(neighbour());
        barrier();
      }
    }
    body += "  vector<int, 32> result;\n";
    for (int v = window; v < int(variables.size()); ++v)
      stored(v);
    text = fmt::format("#include <cm/cm.h>\n#define RESULTS {}\n#define EACH {}\nconst ushort numbers[64] = {{{}}};\n"
                       "extern \"C\" _GENX_MAIN_ void k(SurfaceIndex in, SurfaceIndex out, svmptr_t memory, int n, "
                       "vector<short, 16> p) {{\n{}{}}}\n",
                       resultsAt, resultBytes, table, declarations, body);
  }
};

} // namespace pocm::fuzz
