// Random programs over regions, against a model that knows nothing of include/cm: variables are lists of integers,
// every access is a list of element numbers.
#include "Kernels.h"
#include <fmt/format.h>
#include <random>

namespace {

struct Type {
  const char *name;
  int bytes;
  std::int64_t (*wrap)(std::int64_t);
};
constexpr Type types[] = {
    {"uchar", 1, [](std::int64_t x) { return std::int64_t(std::uint8_t(x)); }},
    {"short", 2, [](std::int64_t x) { return std::int64_t(std::int16_t(x)); }},
    {"int", 4, [](std::int64_t x) { return std::int64_t(std::int32_t(x)); }},
};

struct Variable {
  std::string name;
  const Type *type;
  int rows, columns;
  std::vector<std::int64_t> values;
};

/// A part of a variable: how CM writes it, and which elements it is.
struct Part {
  std::string text;
  std::vector<int> elements;
};

constexpr int rowLimit = 64; // bytes that one media block write can take

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string text;
  std::vector<Variable> variables;
  int loopCount = 0;

  void generate() {
    loopCount = pick(2, 3);
    int n = pick(2, 4);
    for (int i = 0; i < n; ++i)
      declare(i);
    int statements = pick(6, 12);
    for (int i = 0; i < statements; ++i)
      statement();
    int row = 0;
    for (const Variable &v : variables)
      for (int r = 0; r < v.rows; ++r)
        text += fmt::format("  write(out, 0, {}, {}.row({}));\n", row++, v.name, r);
  }

private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  Variable &anyVariable() { return variables[std::size_t(pick(0, int(variables.size()) - 1))]; }

  void declare(int i) {
    const Type &t = types[pick(0, 2)];
    Variable v{fmt::format("v{}", i), &t, pick(2, 6), 0, {}};
    v.columns = pick(1, rowLimit / t.bytes / 4) * 4;
    if (v.rows * v.columns * t.bytes > 1024)
      v.columns = 4;
    v.values.resize(std::size_t(v.rows * v.columns));
    text += fmt::format("  matrix<{}, {}, {}> {};\n", t.name, v.rows, v.columns, v.name);
    // Every element gets a value of its own, row by row, from the kernel's argument.
    int step = pick(1, 9);
    text += fmt::format("  {} = seed;\n", v.name);
    for (auto &x : v.values)
      x = t.wrap(seed);
    for (int r = 0; r < v.rows; ++r)
      for (int c = 0; c < v.columns; c += pick(1, 5)) {
        std::int64_t value = (r * 37 + c) * step;
        text += fmt::format("  {}({}, {}) = seed + {};\n", v.name, r, c, value);
        v.values[std::size_t(r * v.columns + c)] = t.wrap(seed + value);
      }
    variables.push_back(v);
  }

  Part matrixSelect(const Variable &v) {
    int vs = pick(1, v.rows), hs = pick(1, v.columns);
    int vst = vs > 1 ? pick(1, (v.rows - 1) / (vs - 1)) : 1, hst = hs > 1 ? pick(1, (v.columns - 1) / (hs - 1)) : 1;
    int i = pick(0, v.rows - 1 - (vs - 1) * vst), j = pick(0, v.columns - 1 - (hs - 1) * hst);
    Part p{fmt::format("{}.select<{}, {}, {}, {}>({}, {})", v.name, vs, vst, hs, hst, i, j), {}};
    for (int r = 0; r < vs; ++r)
      for (int c = 0; c < hs; ++c)
        p.elements.push_back((i + r * vst) * v.columns + j + c * hst);
    return p;
  }

  Part row(const Variable &v) {
    int r = pick(0, v.rows - 1);
    Part p{fmt::format("{}.row({})", v.name, r), {}};
    for (int c = 0; c < v.columns; ++c)
      p.elements.push_back(r * v.columns + c);
    return p;
  }

  Part column(const Variable &v) {
    int c = pick(0, v.columns - 1);
    Part p{fmt::format("{}.column({})", v.name, c), {}};
    for (int r = 0; r < v.rows; ++r)
      p.elements.push_back(r * v.columns + c);
    return p;
  }

  /// A vector select of a row, or of the whole object seen as a vector.
  Part vectorSelect(const Variable &v) {
    bool whole = pick(0, 1);
    Part base = whole ? Part{fmt::format("{}.format<{}>()", v.name, v.type->name), {}} : row(v);
    if (whole)
      for (int e = 0; e < v.rows * v.columns; ++e)
        base.elements.push_back(e);
    int length = int(base.elements.size()), size = pick(1, length);
    int stride = size > 1 ? pick(1, std::min(4, (length - 1) / (size - 1))) : 1;
    int at = pick(0, length - 1 - (size - 1) * stride);
    Part p{fmt::format("{}.select<{}, {}>({})", base.text, size, stride, at), {}};
    for (int k = 0; k < size; ++k)
      p.elements.push_back(base.elements[std::size_t(at + k * stride)]);
    return p;
  }

  Part anyPart(const Variable &v) {
    switch (pick(0, 4)) {
    case 0:
      return row(v);
    case 1:
      return column(v);
    case 2:
      return vectorSelect(v);
    default:
      return matrixSelect(v);
    }
  }

  /// A part of any variable with so many elements; tries for a while, then gives up.
  std::optional<std::pair<Variable *, Part>> partOf(std::size_t count) {
    for (int i = 0; i < 200; ++i) {
      Variable &v = anyVariable();
      Part p = anyPart(v);
      if (p.elements.size() == count)
        return std::pair{&v, p};
    }
    return std::nullopt;
  }

  void statement() {
    if (pick(0, 4) == 0)
      return loop();
    Variable &to = anyVariable();
    Part target = anyPart(to);
    auto a = partOf(target.elements.size()), b = partOf(target.elements.size());
    if (!a)
      return;
    int kind = b ? pick(0, 3) : 0;
    std::vector<std::int64_t> result;
    for (std::size_t k = 0; k < target.elements.size(); ++k) {
      std::int64_t x = a->first->values[std::size_t(a->second.elements[k])];
      std::int64_t y = b ? b->first->values[std::size_t(b->second.elements[k])] : 0;
      std::int64_t old = to.values[std::size_t(target.elements[k])];
      std::int64_t value = kind == 0 ? x : kind == 1 ? x + y : kind == 2 ? x - y * 3 : old + x;
      result.push_back(to.type->wrap(std::int32_t(value)));
    }
    const char *forms[] = {"  {0} = {1};\n", "  {0} = {1} + {2};\n", "  {0} = {1} - {2} * 3;\n", "  {0} += {1};\n"};
    text += fmt::format(fmt::runtime(forms[kind]), target.text, a->second.text, b ? b->second.text : "");
    for (std::size_t k = 0; k < result.size(); ++k)
      to.values[std::size_t(target.elements[k])] = result[k];
  }

  /// Offsets that are known at run time only: the bound is an argument, the loop is not unrolled.
  void loop() {
    Variable &v = anyVariable();
    int n = std::min(loopCount, v.rows);
    int add = pick(1, 100);
    bool columns = pick(0, 1);
    text += fmt::format("  for (int i = 0; i < (n < {0} ? n : {0}); i++) {{\n", v.rows);
    if (columns)
      text += fmt::format("    {0}.column(i) += {1};\n    {0}(i, i + 1) = {0}(i + 1 - 1, i) - 7;\n", v.name, add);
    else
      text += fmt::format("    {0}.row(i) = {0}.row({1} - i) + {2};\n", v.name, v.rows - 1, add);
    text += "  }\n";
    auto at = [&](int r, int c) -> std::int64_t & { return v.values[std::size_t(r * v.columns + c)]; };
    for (int i = 0; i < n; ++i) {
      if (columns) {
        for (int r = 0; r < v.rows; ++r)
          at(r, i) = v.type->wrap(std::int32_t(at(r, i) + add));
        at(i, i + 1) = v.type->wrap(at(i, i) - 7);
      } else {
        std::vector<std::int64_t> from;
        for (int c = 0; c < v.columns; ++c)
          from.push_back(at(v.rows - 1 - i, c));
        for (int c = 0; c < v.columns; ++c)
          at(i, c) = v.type->wrap(std::int32_t(from[std::size_t(c)] + add));
      }
    }
  }

  static constexpr int seedValue = 200;
  std::int64_t seed = seedValue;
  std::mt19937 random;

public:
  static constexpr int seedArgument() { return seedValue; }
};

std::vector<std::uint8_t> expected(const std::vector<Variable> &variables) {
  std::vector<std::uint8_t> bytes;
  for (const Variable &v : variables)
    for (int r = 0; r < v.rows; ++r) {
      std::vector<std::uint8_t> row(rowLimit);
      for (int c = 0; c < v.columns; ++c)
        for (int k = 0; k < v.type->bytes; ++k)
          row[std::size_t(c * v.type->bytes + k)] = std::uint8_t(v.values[std::size_t(r * v.columns + c)] >> (8 * k));
      bytes.insert(bytes.end(), row.begin(), row.end());
    }
  return bytes;
}

/// Names the first element that differs; empty when none does.
std::string firstDifference(const std::vector<Variable> &variables, const std::vector<std::uint8_t> &got,
                            const std::vector<std::uint8_t> &want) {
  std::size_t line = 0;
  for (const Variable &v : variables)
    for (int r = 0; r < v.rows; ++r, ++line)
      for (int x = 0; x < rowLimit; ++x)
        if (got[line * rowLimit + std::size_t(x)] != want[line * rowLimit + std::size_t(x)])
          return fmt::format("{}({}, {}): byte {} is {}, not {}", v.name, r, x / v.type->bytes, x % v.type->bytes,
                             got[line * rowLimit + std::size_t(x)], want[line * rowLimit + std::size_t(x)]);
  return "";
}

class RegionPrograms : public testing::TestWithParam<std::string> {};

TEST_P(RegionPrograms, matchTheModel) {
  // POCM_REGION_PROGRAMS asks for more than the usual run.
  const char *wanted = std::getenv("POCM_REGION_PROGRAMS");
  const unsigned programs = wanted ? unsigned(std::atoi(wanted)) : 40;
  pocm::Device device = test::open(GetParam());
  for (unsigned seed = 0; seed < programs; ++seed) {
    if (!test::runs(GetParam(), seed))
      continue;
    Generator g(seed);
    g.generate();
    std::string source =
        "#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void test(SurfaceIndex out, int seed, int n) {\n" + g.text +
        "}\n";
    pocm::Program program = test::compile(source, seed % 2 ? 2 : 0);
    auto want = expected(g.variables);
    pocm::Image out = device.createImage(rowLimit, std::uint32_t(want.size() / rowLimit), 1);
    pocm::Kernel kernel = device.createKernel(program, "test");
    int seedArgument = Generator::seedArgument();
    kernel.setArgument(0, out);
    kernel.setArgument(1, &seedArgument, 4);
    kernel.setArgument(2, &g.loopCount, 4);
    device.enqueue(kernel, {1, 1}).wait();
    std::vector<std::uint8_t> got(want.size());
    out.read(got.data(), rowLimit);
    ASSERT_EQ(firstDifference(g.variables, got, want), "") << "seed " << seed << "\n" << source;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, RegionPrograms, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
