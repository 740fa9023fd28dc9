// SIMD control flow (language reference, chapter 5.2): rows by hand, and random nests against a model that runs every
// channel for itself.
#include "Conformance.h"
#include <array>
#include <random>

namespace {

TEST(SimdControlFlow, rows) {
  test::check({
      {"VEC-81 SCF-01 PIT-32",
       "int",
       "vector<int, 4> v = 0; vector<ushort, 4> c = {0, 2, 0, 1}; c += zero;"
       "SIMD_IF_BEGIN(c) { v = 1; } SIMD_ELSE { v = 2; } SIMD_IF_END; out = v;",
       {2, 1, 2, 1}},
      {"VEC-82 SCF-03 SCF-04",
       "int",
       "vector<int, 4> v = zero, k = {1, 2, 3, 4};"
       "SIMD_DO_WHILE_BEGIN { v += 1; SIMD_IF_BEGIN(v == k) { SIMD_BREAK; } SIMD_IF_END; } SIMD_DO_WHILE_END(1); out = "
       "v;",
       {1, 2, 3, 4}},
      {"SCF-02",
       "int",
       "vector<int, 8> v = {0, 1, 2, 3, 4, 5, 6, 7}, r = -1; v += zero;"
       "SIMD_IF_BEGIN(v < 2) { r = 10; } SIMD_ELSEIF(v < 5) { r = 20; } SIMD_ELSEIF(v == 6) { r = 30; } SIMD_ELSE { r "
       "= 40; } SIMD_IF_END;"
       "out = r;",
       {10, 10, 20, 20, 20, 40, 30, 40}},
      {"SCF-01 without else",
       "int",
       "vector<int, 4> v = {1, 2, 3, 4}; v += zero; SIMD_IF_BEGIN(v > 2) { v *= 10; } SIMD_IF_END; v += 1; out = v;",
       {2, 3, 31, 41}},
      {"SCF-05",
       "int",
       "vector<int, 4> v = {0, 1, 2, 3}, n = 0; v += zero;"
       "SIMD_DO_WHILE_BEGIN { v += 1; SIMD_IF_BEGIN((v & 1) == 0) { SIMD_CONTINUE; } SIMD_IF_END; n += v; } "
       "SIMD_DO_WHILE_END(v < 6); out = n;",
       {9, 8, 8, 5}}, // sums of the odd values passed: 1+3+5, 3+5, 3+5, 5
      {"SCF-06 scalar condition",
       "int",
       "vector<int, 4> v = {1, 2, 3, 4}, r = 0; v += zero;"
       "SIMD_IF_BEGIN(v > 1) { SIMD_IF_BEGIN(zero == 0) { r = v; } SIMD_ELSE { r = 99; } SIMD_IF_END; } SIMD_IF_END; "
       "out = r;",
       {0, 2, 3, 4}},
      {"SCF-08 nested",
       "int",
       "vector<int, 8> v = {0, 1, 2, 3, 4, 5, 6, 7}, r = 0; v += zero;"
       "SIMD_IF_BEGIN(v > 1) { r = 1; SIMD_IF_BEGIN(v > 4) { r += 10; } SIMD_ELSE { r += 100; } SIMD_IF_END; r += "
       "1000; } SIMD_IF_END; out = r;",
       {0, 0, 1101, 1101, 1101, 1011, 1011, 1011}},
      {"SCF-09 scalars and other widths",
       "int",
       "vector<int, 4> v = {1, 0, 0, 0}; v += zero; int s = 0; SIMD_IF_BEGIN(v) { s = 7; } SIMD_ELSE { s += 1; } "
       "SIMD_IF_END; out = s;",
       {8}},
      {"SCF-09 no active channel",
       "int",
       "vector<int, 4> v = zero; int s = 5; SIMD_IF_BEGIN(v) { s = 7; } SIMD_IF_END; out = s;",
       {5}},
      {"SCF-11",
       "int",
       "vector<int, 8> v = zero; vector<int, 4> c = {1, 0, 1, 0}; SIMD_IF_BEGIN(c) { v.select<4, 2>(1) = 9; } "
       "SIMD_IF_END; out = v;",
       {0, 9, 0, 0, 0, 9, 0, 0}},
      {"SCF-11 row",
       "int",
       "matrix<int, 2, 4> m = zero; vector<int, 4> c = {0, 1, 1, 0}; SIMD_IF_BEGIN(c) { m.row(1) = 5; } SIMD_IF_END; "
       "out = m;",
       {0, 0, 0, 0, 0, 5, 5, 0}},
      {"SCF-12 AMB-10",
       "int",
       "vector<int, 4> c = {0, 1, 1, 0}, r = 0; c += zero; SIMD_IF_BEGIN(c) { vector<int, 4> t = 3; r = t * 2; } "
       "SIMD_IF_END; out = r;",
       {0, 6, 6, 0}},
      {"SCF-13 ANY-04",
       "int",
       "vector<int, 4> v = {1, 2, 3, 4}, r = 0; v += zero;"
       "SIMD_IF_BEGIN(v > 2) { vector<ushort, 4> low = v < 3; r = 10 * low.any() + (v > 2).all() + 100 * "
       "cm_sum<int>(v); } SIMD_IF_END; out = r;",
       {0, 0, 701, 701}},
      {"SCF-13 of more elements, halves of which have the width of the control flow",
       "int",
       "vector<int, 8> v = {1, 2, 4, 8, 16, 32, 64, 128}; v += zero; vector<int, 4> c = {0, 1, 1, 0}, r = 0; c += zero;"
       "SIMD_IF_BEGIN(c) { r = cm_sum<int>(v) + 1000 * cm_prod<int>(v.select<6, 1>(0)); } SIMD_IF_END; out = r;",
       {0, 32768255, 32768255, 0}},
      {"SCF-13 RED-03",
       "int",
       "vector<int, 4> v = {1, 2, 30, 40}, r = 0; v += zero;"
       "SIMD_IF_BEGIN(v < 40) { r = cm_reduced_max<int>(v); } SIMD_ELSE { r = cm_reduced_min<int>(v); } SIMD_IF_END; "
       "out = r;",
       {30, 30, 30, 40}},
      {"SCF-19 SCF-20 MRG-08 PIT-33",
       "int",
       "vector<int, 4> v = {1, 2, 3, 4}, d = 7; v += zero;"
       "SIMD_IF_BEGIN(v > 2) { d.merge(1, 2, v == 3); } SIMD_IF_END; out = d;",
       {7, 7, 1, 2}},
      {"AMB-11",
       "int",
       "vector<int, 4> v = zero, k = {1, 2, 1, 2};"
       "SIMD_DO_WHILE_BEGIN { v += 1; SIMD_IF_BEGIN(v == k) { SIMD_BREAK; v = 50; } SIMD_IF_END; } SIMD_DO_WHILE_END(v "
       "< 9); out = v;",
       {1, 2, 1, 2}},
      {"SCF-08 loops in loops",
       "int",
       "vector<int, 4> a = {0, 1, 2, 3}, n = 0; a += zero;"
       "SIMD_DO_WHILE_BEGIN { vector<int, 4> b = a; SIMD_DO_WHILE_BEGIN { n += 1; b += 1; SIMD_IF_BEGIN(b > 3) { "
       "SIMD_BREAK; } SIMD_IF_END; }"
       " SIMD_DO_WHILE_END(b < 10); a += 1; } SIMD_DO_WHILE_END(a < 4); out = n;",
       {10, 6, 3, 1}},
      {"SCF-01 32 channels",
       "int",
       "vector<short, 32> v; for (int i = 0; i < 32; i++) v(i) = i + zero;"
       "SIMD_IF_BEGIN(v >= 30) { v = -1; } SIMD_IF_END; out = v.select<4, 1>(28);",
       {28, 29, -1, -1}},
      {"GLB-01 GLB-03", "int", "global_counter = zero; bump(); bump(); out = global_counter;", {2, 2}},
  });
}

/// A random nest of SIMD_IF and SIMD_DO_WHILE over three vectors, and what each channel makes of it.
class Nest {
public:
  static constexpr int width = 8;
  std::string text;

  explicit Nest(unsigned seed) : random(seed) { root = nodes(3, false); }

  /// Values of a, b, c of a channel after running with these before.
  std::array<int, 3> channel(std::array<int, 3> values) {
    execute(root, values);
    return values;
  }

private:
  enum Kind { Assign, If, Loop, Break, Continue };
  enum Outcome { Normal, Broke, Continued };
  struct Node {
    Kind kind;
    int target = 0, source = 0, operation = 0, constant = 0; // Assign; and the condition: source < constant
    std::vector<std::unique_ptr<Node>> first, second;
  };
  using Nodes = std::vector<std::unique_ptr<Node>>;

  static constexpr const char *names = "abc";
  static constexpr int iterations = 4;
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

  Nodes nodes(int depth, bool inLoop) {
    Nodes all;
    int n = pick(1, 4);
    for (int i = 0; i < n; ++i)
      all.push_back(node(depth, inLoop));
    return all;
  }

  std::string condition(Node &n) {
    n.source = pick(0, 2);
    n.constant = pick(-3, 12);
    return fmt::format("{} < {}", names[n.source], n.constant);
  }

  std::unique_ptr<Node> node(int depth, bool inLoop) {
    auto n = std::make_unique<Node>();
    int choice = pick(0, 9);
    if (depth > 0 && choice < 3) {
      n->kind = If;
      text += "SIMD_IF_BEGIN(" + condition(*n) + ") {\n";
      n->first = nodes(depth - 1, inLoop);
      if (pick(0, 1)) {
        text += "} SIMD_ELSE {\n";
        n->second = nodes(depth - 1, inLoop);
      }
      text += "} SIMD_IF_END;\n";
    } else if (depth > 0 && choice < 5) {
      n->kind = Loop;
      // A counter of its own ends the loop, whatever the body does.
      int counter = loops++;
      text += fmt::format("{{ vector<short, {0}> t{1} = 0; SIMD_DO_WHILE_BEGIN {{\nt{1} += 1;\n", width, counter);
      n->first = nodes(depth - 1, true);
      n->source = pick(0, 2);
      n->constant = pick(0, 9);
      text += fmt::format("}} SIMD_DO_WHILE_END(({} < {}) & (t{} < {})); }}\n", names[n->source], n->constant, counter,
                          iterations);
    } else if (inLoop && choice == 5) {
      n->kind = pick(0, 1) ? Break : Continue;
      text += n->kind == Break ? "SIMD_BREAK;\n" : "SIMD_CONTINUE;\n";
    } else {
      n->kind = Assign;
      n->target = pick(0, 2);
      n->source = pick(0, 2);
      n->operation = pick(0, 2);
      n->constant = pick(-4, 4);
      const char *forms[] = {"{0} = {1} + {2};\n", "{0} += {1} - {2};\n", "{0} = {1} * {2};\n"};
      text += fmt::format(fmt::runtime(forms[n->operation]), names[n->target], names[n->source], n->constant);
    }
    return n;
  }

  Outcome execute(const Nodes &all, std::array<int, 3> &v) {
    for (const auto &n : all)
      if (Outcome o = execute(*n, v); o != Normal)
        return o;
    return Normal;
  }
  Outcome execute(const Node &n, std::array<int, 3> &v) {
    auto wrap = [](std::int64_t x) { return int(std::int16_t(x)); };
    switch (n.kind) {
    case Assign: {
      int x = v[std::size_t(n.source)];
      int &to = v[std::size_t(n.target)];
      to = wrap(n.operation == 0 ? x + n.constant : n.operation == 1 ? to + x - n.constant : x * n.constant);
      return Normal;
    }
    case If:
      return execute(v[std::size_t(n.source)] < n.constant ? n.first : n.second, v);
    case Loop:
      for (int iteration = 1;; ++iteration)
        if (execute(n.first, v) == Broke || !(v[std::size_t(n.source)] < n.constant && iteration < iterations))
          break;
      return Normal;
    case Break:
      return Broke;
    case Continue:
      return Continued;
    }
    return Normal;
  }

  std::mt19937 random;
  Nodes root;
  int loops = 0;
};

class SimdNests : public testing::TestWithParam<std::string> {};

TEST_P(SimdNests, everyChannelGoesItsOwnWay) {
  constexpr unsigned nests = 60;
  pocm::Device device = test::open(GetParam());
  std::string source = "#include <cm/cm.h>\n";
  std::vector<std::unique_ptr<Nest>> all;
  for (unsigned seed = 0; seed < nests; ++seed) {
    all.push_back(std::make_unique<Nest>(seed));
    source += fmt::format("extern \"C\" _GENX_MAIN_ void nest{0}(SurfaceIndex io) {{\n"
                          "  matrix<short, 3, {1}> m;\n  read(io, 0, 0, m);\n"
                          "  vector<short, {1}> a = m.row(0), b = m.row(1), c = m.row(2);\n{2}"
                          "  m.row(0) = a;\n  m.row(1) = b;\n  m.row(2) = c;\n  write(io, 0, 0, m);\n}}\n",
                          seed, int(Nest::width), all.back()->text);
  }
  pocm::Program program = test::compile(source);
  std::string smallest; // of the failures
  for (unsigned seed = 0; seed < nests; ++seed) {
    if (!test::runs(GetParam(), seed))
      continue;
    std::int16_t values[3][Nest::width];
    std::mt19937 random(seed);
    for (auto &row : values)
      for (auto &x : row)
        x = std::int16_t(int(random() % 20) - 6);
    pocm::Image image = device.createImage(Nest::width * 2, 3, 1);
    image.write(values, sizeof(values[0]));
    pocm::Kernel kernel = device.createKernel(program, "nest" + std::to_string(seed));
    kernel.setArgument(0, image);
    device.enqueue(kernel, {1, 1}).wait();
    std::int16_t got[3][Nest::width];
    image.read(got, sizeof(got[0]));
    for (std::size_t k = 0; k < Nest::width; ++k) {
      auto want = all[seed]->channel({values[0][k], values[1][k], values[2][k]});
      for (std::size_t v = 0; v < 3; ++v) {
        std::string failure =
            fmt::format("nest {}, channel {} from {} {} {}: {} is {}, not {}\n{}", seed, k, values[0][k], values[1][k],
                        values[2][k], "abc"[v], got[v][k], want[v], all[seed]->text);
        if (got[v][k] != want[v] && (smallest.empty() || failure.size() < smallest.size()))
          smallest = failure;
      }
    }
  }
  EXPECT_EQ(smallest, "");
}

INSTANTIATE_TEST_SUITE_P(Cpus, SimdNests, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
