// Functions that a random program calls, which have variables of their own, and change those that they are lent:
//
//     CM_NOINLINE _GENX_ vector<int, 16> k7_f1(vector<short, 8> a1, vector_ref<int, 8> r2, int &r3) { ... }
//     v2.select<16, 1>(1) = k7_f1(v1 * 2, m1.row(s1 & 1), s2);
#pragma once

#include "Systolic.h"
#include <cctype>
#include <memory>
#include <utility>

namespace pocm::fuzz {

class Functions : protected Systolic {
protected:
  using Systolic::Systolic;
  virtual ~Functions() = default;

  struct Function {
    struct Parameter {
      Variable variable;
      int at; ///< Among the function's variables.
      bool lent;
    };
    std::string name, extra; ///< And what a call hands on of what the kernel has been given.
    std::vector<Parameter> parameters;
    std::vector<Variable> frame;
    Type type = Type::Int;
    int count = 0; ///< Elements of the result; 0: a scalar, -1: nothing.
    std::function<Lanes(ModelThread &)> run;
  };
  std::vector<std::shared_ptr<const Function>> functions;
  std::vector<std::pair<std::string, std::string>> functionTexts; ///< With their names.

  virtual Statement statements(int most, Scope scope) = 0;

  /// Makes a function whose parameters are like variables that there are.
  void defineFunction(const std::string &program) {
    auto made = std::make_shared<Function>();
    made->name = fmt::format("{}_f{}", program, functions.size() + 1);
    std::vector<Variable> frame(variables.begin(), variables.begin() + base + 1);
    std::string signature;
    for (int k = pick(1, 3); k > 0; --k) {
      Function::Parameter one = parameter(k);
      one.at = int(frame.size());
      frame.push_back(one.variable);
      made->parameters.push_back(one);
      signature += (signature.empty() ? "" : ", ") + declarationOf(one);
    }
    made->type = anyType();
    made->count = chance(20) ? -1 : chance(25) ? 0 : oneOf(palette.lengths);
    if (made->count == 0)
      made->type = integerType();

    std::swap(variables, frame);
    std::string outside = std::exchange(declarations, "");
    const int outerWindow = window;
    window = declare(Type::Int, 0, 32, "w");
    if (chance(50))
      declare(anyType(), 0, oneOf(palette.lengths), "x1");
    const bool early = chance(40);
    const Statement first = statements(2, {});
    const Expression when = comparison(scalar(1), scalar(1));
    const Expression sooner = result(*made);
    const Statement then = early ? statements(2, {}) : Statement{};
    const Expression later = result(*made);
    window = outerWindow;
    made->frame = variables;
    std::swap(variables, frame);
    std::string text = std::exchange(declarations, outside);

    auto returned = [&](const Expression &e) {
      return made->count < 0 ? "return;" : fmt::format("return {};", e.text);
    };
    text += indentedBy(first.text) + "\n";
    if (early)
      text += fmt::format("  if ({} != 0)\n    {}\n{}\n", when.text, returned(sooner), indentedBy(then.text));
    text += "  " + returned(later) + "\n";
    for (auto [type, name] : {std::pair("SurfaceIndex", "in"),
                              {"SurfaceIndex", "out"},
                              {"SurfaceIndex", "picture"},
                              {"SurfaceIndex", "canvas"},
                              {"svmptr_t", "memory"},
                              {"int", "n"},
                              {"uint", "me"},
                              {"uint", "local"},
                              {"uint", "base"},
                              {"uint", "slm"},
                              {"vector<short, 16>", "p"},
                              {"vector<ushort, 64>", "ramp"}})
      if (mentions(text, name)) {
        signature += fmt::format(", {} {}", type, name);
        made->extra += fmt::format(", {}", name);
      }
    static const char *const kinds[] = {"CM_NOINLINE _GENX_", "CM_NOINLINE _GENX_", "_GENX_STACKCALL_", "_GENX_",
                                        "CM_INLINE"};
    functionTexts.emplace_back(made->name, fmt::format("{} {} {}({}) {{\n{}}}\n", kinds[pick(0, 4)],
                                                       made->count < 0 ? "void" : objectOf(made->type, made->count),
                                                       made->name, signature, text));
    made->run = [=](ModelThread &t) {
      if (first.run && !first.text.empty())
        first.run(t);
      if (early) {
        if (when.value(t)[0])
          return sooner.value(t);
        if (!then.text.empty())
          then.run(t);
      }
      return later.value(t);
    };
    functions.push_back(made);
  }

  /// A call of a function, with variables that are like its parameters; something else where there are none.
  Statement call(const Scope &scope) {
    if (functions.empty() || scope.width)
      return assignment(scope);
    const auto function = oneOf(functions);
    struct Given {
      int at;
      Type type;
      Expression value;
      Place place; ///< Of what is lent.
      bool lent;
    };
    std::vector<Given> all;
    std::set<int> taken;
    std::string arguments;
    for (const Function::Parameter &parameter : function->parameters) {
      Given one{parameter.at, parameter.variable.type, {}, {}, parameter.lent};
      if (parameter.lent) {
        one.place = lent(parameter.variable, taken);
        if (one.place.text.empty())
          return assignment(scope);
        taken.insert(one.place.variable);
      } else
        one.value = given(parameter.variable);
      arguments += (arguments.empty() ? "" : ", ") + (parameter.lent ? one.place.text : one.value.text);
      all.push_back(one);
    }
    Place to{-1, function->type, 0, "", nullptr};
    if (function->count >= 0) {
      to = resultPlace(function->count);
      if (to.text.empty())
        return assignment(scope);
    }
    const std::string called = fmt::format("{}({}{})", function->name, arguments, function->extra);
    // Floats hold what a function of theirs returns; a scalar of integers takes no float.
    const bool narrows = factsOf(to.type).isFloat ? limitOf(function->type) > limitOf(to.type)
                                                  : !to.count && factsOf(function->type).isFloat;
    const std::string text = to.text.empty() ? called + ";" : fmt::format("{} = {};", to.text, called);
    if (narrows)
      return assignment(scope);
    return {text, [=, fixed = base + 1](ModelThread &t) {
              std::vector<Bytes> frame;
              for (const Variable &v : function->frame)
                frame.emplace_back(std::size_t(v.elements() * factsOf(v.type).bytes));
              std::copy(t.variables.begin(), t.variables.begin() + fixed, frame.begin());
              std::vector<std::vector<int>> places;
              for (const Given &one : all) {
                const int each = factsOf(one.type).bytes;
                places.push_back(one.lent ? elementsOf(one.place, t) : std::vector<int>{});
                Bytes &bytes = frame[std::size_t(one.at)];
                const Lanes lanes = one.lent ? Lanes{} : one.value.value(t);
                for (std::size_t k = 0; k * std::size_t(each) < bytes.size(); ++k)
                  if (one.lent)
                    std::memcpy(&bytes[k * std::size_t(each)],
                                &t.variables[std::size_t(one.place.variable)][std::size_t(places.back()[k] * each)],
                                std::size_t(each));
                  else
                    save(one.type, &bytes[k * std::size_t(each)], at(lanes, int(k)));
              }
              std::swap(t.variables, frame);
              Lanes result = function->run(t);
              std::swap(t.variables, frame);
              for (std::size_t o = 0; o < all.size(); ++o) {
                const int each = factsOf(all[o].type).bytes;
                for (std::size_t k = 0; all[o].lent && k < places[o].size(); ++k)
                  std::memcpy(&t.variables[std::size_t(all[o].place.variable)][std::size_t(places[o][k] * each)],
                              &frame[std::size_t(all[o].at)][k * std::size_t(each)], std::size_t(each));
              }
              if (to.text.empty())
                return;
              for (Lane &x : result)
                x = converted(to.type, function->type, x);
              write(to, t, result);
            }};
  }

  /// The functions that are called from there.
  std::string functionsFor(const std::string &body) const {
    std::string all;
    for (auto one = functionTexts.rbegin(); one != functionTexts.rend(); ++one)
      if (mentions(all + body, one->first))
        all = one->second + all;
    return all;
  }

private:
  static std::string indentedBy(const std::string &text) {
    std::string result = "  ";
    for (char c : text)
      result += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return result;
  }
  static bool mentions(const std::string &text, std::string_view name) {
    auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
      if ((at == 0 || !isPart(text[at - 1])) &&
          (at + name.size() == text.size() || !isPart(text[at + name.size()]) || text[at + name.size()] == '.'))
        return true;
    return false;
  }
  bool mayBeLent(int v) const { return !isFixed(v) && variables[std::size_t(v)].name != "result"; }

  Function::Parameter parameter(int number) {
    Function::Parameter one{{Type::Int, 0, 0, ""}, 0, chance(60)};
    int like = pick(base + 1, int(variables.size()) - 1);
    const Variable v = variables[std::size_t(like)];
    one.variable = v;
    const bool large = v.elements() > mostAtOnce;
    if (!v.isScalar() && (!v.rows || large || chance(40))) {
      one.variable.rows = 0;
      one.variable.columns = !large && chance(50) ? v.elements() : partOf(v.elements());
    }
    if (v.isScalar() && factsOf(v.type).isFloat)
      one.variable.type = Type::Int;
    one.variable.name = fmt::format("{}{}", one.lent ? "r" : "a", number);
    return one;
  }
  static std::string declarationOf(const Function::Parameter &one) {
    const Variable &v = one.variable;
    const char *type = factsOf(v.type).name, *ref = one.lent ? "_ref" : "";
    if (v.isScalar())
      return fmt::format("{} {}{}", type, one.lent ? "&" : "", v.name);
    if (v.rows)
      return fmt::format("matrix{}<{}, {}, {}> {}", ref, type, v.rows, v.columns, v.name);
    return fmt::format("vector{}<{}, {}> {}", ref, type, v.columns, v.name);
  }
  Expression result(const Function &function) {
    if (function.count < 0)
      return constant(Type::Int, 0);
    Expression e = value(function.count, 1, true);
    return convert(e, function.type);
  }
  /// A value for a parameter.
  Expression given(const Variable &v) {
    Expression e = convert(value(v.isScalar() ? 0 : v.elements(), 2, true), v.type);
    if (v.rows)
      e.text = fmt::format("matrix<{}, {}, {}>({})", factsOf(v.type).name, v.rows, v.columns, e.text);
    return e;
  }
  /// What may be lent as a parameter, of no variable that is taken; without a text where there is nothing.
  Place lent(const Variable &parameter, const std::set<int> &taken) {
    for (int attempt = 0; attempt < 40; ++attempt) {
      const int v = pick(base + 1, int(variables.size()) - 1);
      const Variable found = variables[std::size_t(v)];
      if (taken.contains(v) || !mayBeLent(v) || found.type != parameter.type ||
          found.isScalar() != parameter.isScalar())
        continue;
      if (found.isScalar())
        return {v, found.type, 0, found.name, nullptr};
      if (parameter.rows) {
        if (found.rows >= parameter.rows && found.columns >= parameter.columns)
          return part(v, parameter.rows, parameter.columns);
        continue;
      }
      if (found.elements() < parameter.columns)
        continue;
      return found.rows ? ofMatrix(v, parameter.columns) : region(v, parameter.columns);
    }
    return {-1, parameter.type, 0, "", nullptr};
  }
  Place part(int v, int rows, int columns) {
    const Variable found = variables[std::size_t(v)];
    if (found.rows == rows && found.columns == columns && chance(60))
      return {v, found.type, rows * columns, found.name, nullptr};
    const Expression row = offset(found.rows - rows), column = offset(found.columns - columns);
    return {v, found.type, rows * columns,
            fmt::format("{}.select<{}, 1, {}, 1>({}, {})", found.name, rows, columns, row.text, column.text),
            [=, width = found.columns](ModelThread &t) {
              std::vector<int> all;
              const int r = int(row.value(t)[0]), c = int(column.value(t)[0]);
              for (int k = 0; k < rows * columns; ++k)
                all.push_back((r + k / columns) * width + c + k % columns);
              return all;
            }};
  }
  /// Elements of a matrix, row by row, as a vector.
  Place ofMatrix(int v, int count) {
    const Variable found = variables[std::size_t(v)];
    const int first = pick(0, found.elements() - count);
    return {v, found.type, count,
            fmt::format("{}.format<{}>().select<{}, 1>({})", found.name, factsOf(found.type).name, count, first),
            [=](ModelThread &) {
              std::vector<int> all;
              for (int k = 0; k < count; ++k)
                all.push_back(first + k);
              return all;
            }};
  }
  Place resultPlace(int count) {
    if (count) {
      const int v = variableOf(count, true);
      return v < 0 ? Place{-1, Type::Int, 0, "", nullptr} : region(v, count);
    }
    for (int attempt = 0; attempt < 40; ++attempt)
      if (int v = pick(base + 1, int(variables.size()) - 1); variables[std::size_t(v)].isScalar() && !isFixed(v))
        return {v, variables[std::size_t(v)].type, 0, variables[std::size_t(v)].name, nullptr};
    return {-1, Type::Int, 0, "", nullptr};
  }
};

} // namespace pocm::fuzz
