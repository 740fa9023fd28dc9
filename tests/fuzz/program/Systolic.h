// Systolic products of a random program, of all kinds of elements that go together:
//
//     m4 = cm_dpas<CM_PRECISION_S8, CM_PRECISION_U4, 8, 3>(m4, b5, a6);
#pragma once

#include "MediaBlocks.h"

namespace pocm::fuzz {

class Systolic : protected MediaBlocks {
protected:
  using MediaBlocks::MediaBlocks;

  Statement systolic(const Scope &scope) {
    const int columns = may.systolicColumns;
    if (!columns || scope.width || scope.depth)
      return assignment(scope);
    static const Precision all[] = {
        {"S8", 8, true, Type::Int},   {"U8", 8, false, Type::Int},    {"S4", 4, true, Type::Int},
        {"U4", 4, false, Type::Int},  {"S2", 2, true, Type::Int},     {"U2", 2, false, Type::Int},
        {"HF", 16, true, Type::Half}, {"BF", 16, true, Type::BFloat}, {"TF32", 32, true, Type::Float}};
    const Precision of = all[pick(0, columns == 16 ? 8 : 7)], with = of.type == Type::Int ? all[pick(0, 5)] : of;
    const int rows = pick(1, 8), each = std::min({32 / of.bits, 32 / with.bits, 8}), depth = 8 * each;
    const Operand b = operand(of, depth * of.bits / 32 * columns), a = operand(with, depth * with.bits / 32 * rows);
    const Type type = of.type != Type::Int ? Type::Float : oneOf<Type>({Type::Int, Type::UInt});
    Expression start =
        convert(bounded(value(rows * columns > mostAtOnce ? 0 : rows * columns, 2, true), limitOf(type)), type);
    start.text = start.count ? start.text : fmt::format("{}({})", objectOf(type, rows * columns), start.text);
    const int sum = declare(type, rows, columns, fmt::format("q{}", ++products));
    const Place to{sum, type, rows * columns, variables[std::size_t(sum)].name, nullptr};
    const std::string text = fmt::format("{}{}{} = cm_dpas<CM_PRECISION_{}, CM_PRECISION_{}, 8, {}>({}, {}, {});",
                                         b.text, a.text, to.text, of.name, with.name, rows, start.text, b.name, a.name);
    // The variable may stand in its own initial value: it is what it was before.
    return {text, [=](ModelThread &t) {
              b.fill(t);
              a.fill(t);
              const Lanes from = start.value(t);
              Lanes all = from;
              all.resize(std::size_t(rows * columns), from[0]);
              const Bytes &left = t.variables[std::size_t(a.variable)], &right = t.variables[std::size_t(b.variable)];
              for (int r = 0; r < rows; ++r)
                for (int c = 0; c < columns; ++c)
                  for (int k = 0; k < depth; ++k)
                    all[std::size_t(r * columns + c)] +=
                        element(with, left, r * depth * with.bits / 32, 1, k) * element(of, right, c, columns, k);
              for (Lane &x : all)
                x = wrapped(type, x);
              write(to, t, all);
            }};
  }

private:
  struct Precision {
    const char *name;
    int bits;
    bool isSigned;
    Type type; ///< Int of all integers.
  };
  struct Operand {
    int variable;
    std::string name, text; ///< And what fills it.
    Step fill;
  };
  int products = 0;

  /// Element k of those that begin with a dword and go on with every so many dwords.
  static Lane element(const Precision &precision, const Bytes &bytes, int dword, int step, int k) {
    const int each = 32 / precision.bits;
    const std::uint8_t *at = &bytes[std::size_t((dword + k / each * step) * 4)];
    if (precision.type != Type::Int)
      return load(precision.type, at + k % each * precision.bits / 8);
    std::uint32_t all;
    std::memcpy(&all, at, 4);
    const auto value = Lane(all >> (k % each * precision.bits) & ((1u << precision.bits) - 1));
    return precision.isSigned && value >> (precision.bits - 1) ? value - (Lane(1) << precision.bits) : value;
  }
  Operand operand(const Precision &precision, int dwords) {
    const Type type = oneOf<Type>({Type::Int, Type::UInt});
    const int v = declare(type, 0, dwords, fmt::format("q{}", ++products));
    const std::string name = variables[std::size_t(v)].name;
    std::string text;
    if (precision.type == Type::Int) {
      const int from = pick(0, 8) * 16;
      for (int at = 0; at < dwords; at += 32)
        text +=
            fmt::format("read(in, {}, {}.select<{}, 1>({}));\n", from + at * 4, name, std::min(32, dwords - at), at);
      return {v, name, text, [=](ModelThread &t) {
                std::memcpy(t.variables[std::size_t(v)].data(), &t.memory->in[std::size_t(from)],
                            std::size_t(dwords) * 4);
              }};
    }
    const char *kind = factsOf(precision.type).name;
    const int each = factsOf(precision.type).bytes, count = dwords * 4 / each, times = pick(1, 9), more = pick(0, 99);
    for (int at = 0; at < count; at += 64) {
      const int part = std::min(64, count - at);
      text += fmt::format("{0}.format<{1}>().select<{2}, 1>({3}) = vector<{1}, {2}>(((ramp.select<{2}, 1>(0) * {4} + "
                          "(n + {5})) & 7) - 3);\n",
                          name, kind, part, at, times, more + at);
    }
    return {v, name, text, [=, type = precision.type, number = argument](ModelThread &t) {
              for (int k = 0; k < count; ++k)
                save(type, &t.variables[std::size_t(v)][std::size_t(k * each)],
                     ((k % 64 * times + load(Type::Int, t.variables[std::size_t(number)].data()) + more + k / 64 * 64) &
                      7) -
                         3);
            }};
  }
};

} // namespace pocm::fuzz
