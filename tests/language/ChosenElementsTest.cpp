// Elements and regions chosen at run time, written and read in random programs: assignments, copies, sums, known
// regions, branches and loops over three vectors. Code generators keep such vectors in memory and change them there,
// when no former value is needed any more; whether it is, is what these programs ask. Beside each statement's text
// stands what it does.
#include "Kernels.h"
#include <array>
#include <fmt/format.h>
#include <functional>
#include <random>

namespace {

using uint = std::uint32_t;

constexpr uint count = 32, part = 8, vectors = 3;

struct State {
  std::array<std::array<uint, count>, vectors> v;
  std::array<uint, 4> k{}; // counters of the loops around
  uint n = 0;
};

struct Number {
  std::string text;
  std::function<uint(const State &)> value;
};
struct Statement {
  std::string text;
  std::function<void(State &)> run;
};

class Writer {
public:
  explicit Writer(unsigned seed) : random(seed) {}

  Statement block(unsigned depth, unsigned most) {
    std::vector<Statement> all;
    for (uint i = 0, end = 1 + pick(most); i < end; ++i)
      all.push_back(statement(depth));
    std::string text;
    for (const Statement &s : all)
      text += s.text;
    return {"{" + text + "}\n", [all](State &s) {
              for (const Statement &each : all)
                each.run(s);
            }};
  }

private:
  uint pick(uint below) { return uint(random() % below); }
  static std::string name(uint v) { return std::string(1, char('a' + v)); }

  /// Something below `below`, a power of two, that is not known when the program is compiled.
  Number index(unsigned depth, uint below) {
    Number x = pick(3) == 0 ? element(depth) : counter(depth);
    uint by = 1 + pick(7), more = pick(32);
    return {fmt::format("(({} * {}u + {}u) & {}u)", x.text, by, more, below - 1),
            [=](const State &s) { return (x.value(s) * by + more) & (below - 1); }};
  }
  Number counter(unsigned depth) {
    if (depth == 0)
      return {"n", [](const State &s) { return s.n; }};
    uint level = pick(depth);
    return {fmt::format("k{}", level), [=](const State &s) { return s.k[level]; }};
  }
  Number element(unsigned depth) {
    uint v = pick(vectors);
    Number at = counter(depth);
    return {fmt::format("{}({} & {})", name(v), at.text, count - 1),
            [=](const State &s) { return s.v[v][at.value(s) & (count - 1)]; }};
  }
  Number value(unsigned depth) {
    Number x = element(depth), y = pick(2) ? counter(depth) : element(depth);
    return {fmt::format("({} + {})", x.text, y.text), [=](const State &s) { return x.value(s) + y.value(s); }};
  }

  Statement statement(unsigned depth) {
    switch (pick(depth < 3 ? 11 : 8)) {
    case 0:
    case 1:
    case 2: {
      uint v = pick(vectors);
      Number at = index(depth, count), x = value(depth);
      bool sum = pick(2);
      return {fmt::format("{}({}) {} {};\n", name(v), at.text, sum ? "+=" : "=", x.text), [=](State &s) {
                uint to = at.value(s), what = x.value(s);
                s.v[v][to] = sum ? s.v[v][to] + what : what;
              }};
    }
    case 3: {
      uint v = pick(vectors), w = pick(vectors);
      bool sum = pick(2);
      return {fmt::format("{} {} {};\n", name(v), sum ? "+=" : "=", name(w)), [=](State &s) {
                for (uint i = 0; i < count; ++i)
                  s.v[v][i] = sum ? s.v[v][i] + s.v[w][i] : s.v[w][i];
              }};
    }
    case 4:
    case 5: {
      uint v = pick(vectors), w = pick(vectors);
      Number to = index(depth, 16), from = index(depth, 16);
      return {fmt::format("{}.select<{}, 1>({}) = {}.select<{}, 1>({});\n", name(v), part, to.text, name(w), part,
                          from.text),
              [=](State &s) {
                uint i = to.value(s), j = from.value(s);
                auto old = s.v[w];
                for (uint k = 0; k < part; ++k)
                  s.v[v][i + k] = old[j + k];
              }};
    }
    case 6:
    case 7: {
      uint v = pick(vectors), w = pick(vectors), to = pick(count / part) * part, from = pick(count - part + 1);
      return {fmt::format("{0}.select<{1}, 1>({2}) += {3}.select<{1}, 1>({4});\n", name(v), part, to, name(w), from),
              [=](State &s) {
                auto old = s.v[w];
                for (uint k = 0; k < part; ++k)
                  s.v[v][to + k] += old[from + k];
              }};
    }
    case 8: {
      Number x = element(depth);
      uint bit = 1u << pick(3);
      Statement yes = block(depth, 3), no = block(depth, 2);
      return {fmt::format("if ({} & {}u) {} else {}", x.text, bit, yes.text, no.text),
              [=](State &s) { (x.value(s) & bit ? yes : no).run(s); }};
    }
    default: {
      uint more = 1 + pick(5);
      Statement body = block(depth + 1, 4);
      return {fmt::format("for (uint k{0} = 0; k{0} < (n & 3) + {1}; k{0}++) {2}", depth, more, body.text),
              [=](State &s) {
                for (s.k[depth] = 0; s.k[depth] < (s.n & 3) + more; s.k[depth]++)
                  body.run(s);
              }};
    }
    }
  }

  std::mt19937 random;
};

class ChosenElements : public testing::TestWithParam<std::string> {};

TEST_P(ChosenElements, inRandomPrograms) {
  constexpr unsigned programs = 40;
  pocm::Device device = test::open(GetParam());
  std::vector<Statement> all;
  std::string source = "#include <cm/cm.h>\n";
  for (unsigned i = 0; i < programs; ++i) {
    all.push_back(Writer(i).block(0, 8));
    source += fmt::format(R"(extern "C" _GENX_MAIN_ void program{}(SurfaceIndex in, SurfaceIndex out, uint n) {{
  vector<uint, {}> a, b, c;
  read(in, 0, a);
  read(in, 128, b);
  read(in, 256, c);
  {}
  write(out, 0, a);
  write(out, 128, b);
  write(out, 256, c);
}}
)",
                          i, count, all.back().text);
  }
  pocm::Program program = test::compile(source);
  std::mt19937 random(5);
  for (unsigned i = 0; i < programs; ++i)
    for (uint n : {0u, 3u, 6u}) {
      State state;
      state.n = n;
      for (auto &v : state.v)
        for (uint &x : v)
          x = uint(random());
      pocm::Buffer in = device.createBuffer(sizeof(state.v)), out = device.createBuffer(sizeof(state.v));
      in.write(state.v.data(), sizeof(state.v));
      pocm::Kernel kernel = device.createKernel(program, fmt::format("program{}", i));
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      kernel.setArgument(2, &n, sizeof(n));
      device.enqueue(kernel, {1, 1}).wait();
      auto got = state.v;
      out.read(got.data(), sizeof(got));
      all[i].run(state);
      ASSERT_EQ(got, state.v) << "n = " << n << "\n" << all[i].text;
    }
}

/// Numbers count themselves, and some of them are changed meanwhile: what they were when they were read chooses.
template <class T> void countThemselves(pocm::Device &device, const char *type) {
  constexpr unsigned keys = 128;
  pocm::Program program = test::compile(fmt::format(R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void count(SurfaceIndex in, SurfaceIndex out, uint n) {{
  vector<{0}, 128> keys;
#pragma unroll
  for (int i = 0; i < 128; i += 32)
    read(in, i * sizeof({0}), keys.select<32, 1>(i));
  vector<uint, 16> counts = 0;
  vector<uint, 128> places;
  for (int i = 0; i < 128; i += 16) {{
    vector<{0}, 16> digit = (keys.select<16, 1>(i) + 3) & 15;
#pragma unroll
    for (int k = 0; k < 16; ++k) {{
      places(i + k) = counts(digit(k));
      counts(digit(k)) += 1;
      if (k % 8 == 5)
        keys((i + k * n) & 127) = k + n;
    }}
  }}
#pragma unroll
  for (int i = 0; i < 128; i += 32)
    write(out, i * 4, places.select<32, 1>(i));
  write(out, 512, counts);
}})",
                                                    type));
  std::mt19937 random(7);
  for (unsigned n : {0u, 1u, 3u, 27u, 100u}) { // 5 * 27 is 7 more than the number of keys
    std::array<T, keys> key;
    for (T &k : key)
      k = T(random());
    std::array<unsigned, keys + 16> expected = {}, result = {};
    pocm::Buffer in = device.createBuffer(sizeof(key)), out = device.createBuffer(sizeof(result));
    in.write(key.data(), sizeof(key));
    pocm::Kernel kernel = device.createKernel(program, "count");
    kernel.setArgument(0, in);
    kernel.setArgument(1, out);
    kernel.setArgument(2, &n, sizeof(n));
    device.enqueue(kernel, {1, 1}).wait();
    out.read(result.data(), sizeof(result));
    for (unsigned i = 0; i < keys; i += 16) {
      std::array<unsigned, 16> digit;
      for (unsigned k = 0; k < 16; ++k)
        digit[k] = (key[i + k] + 3u) & 15;
      for (unsigned k = 0; k < 16; ++k) {
        expected[i + k] = expected[keys + digit[k]]++;
        if (k % 8 == 5)
          key[(i + k * n) % keys] = T(k + n);
      }
    }
    EXPECT_EQ(result, expected) << type << ", " << n;
  }
}

TEST_P(ChosenElements, thatChooseOthersAreWhatTheyWere) {
  pocm::Device device = test::open(GetParam());
  countThemselves<std::uint32_t>(device, "uint");
  countThemselves<std::uint16_t>(device, "ushort");
  countThemselves<std::uint8_t>(device, "uchar");
}

/// Shortest paths: each row is changed while elements of all of them are chosen, which LLVM reads from former values.
TEST_P(ChosenElements, whileKnownRowsChange) {
  constexpr unsigned rows = 16, columns = 32, threads = 4;
  using Matrix = std::array<std::uint16_t, rows * columns>;
  pocm::Device device = test::open(GetParam());
  pocm::Program program = test::compile(R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void paths(SurfaceIndex in, SurfaceIndex out, int n) {
  const uint at = get_thread_origin_x() * 1024;
  matrix<ushort, 16, 32> m;
#pragma unroll
  for (int i = 0; i < 16; i += 2)
    read(in, at + i * 64, m.select<2, 1, 32, 1>(i, 0));
  for (int k = 0; k < n; ++k) {
    vector<ushort, 32> by = m.row(k);
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      vector<ushort, 32> sum = by + m(i, k);
      m.row(i) = cm_min<ushort>(m.row(i), sum);
      if (m(k, i) & 1)
        m.row(15 - i) += m(i, n - k);
    }
  }
#pragma unroll
  for (int i = 0; i < 16; i += 2)
    write(out, at + i * 64, m.select<2, 1, 32, 1>(i, 0));
}
)");
  std::mt19937 random(7);
  std::array<Matrix, threads> matrices;
  for (Matrix &m : matrices)
    for (std::uint16_t &e : m)
      e = std::uint16_t(random());
  pocm::Buffer in = device.createBuffer(sizeof(matrices)), out = device.createBuffer(sizeof(matrices));
  in.write(matrices.data(), sizeof(matrices));
  for (int n : {0, 1, 5, 14}) {
    auto expected = matrices;
    for (Matrix &m : expected)
      for (int k = 0; k < n; ++k) {
        auto at = [&](int row, int column) -> std::uint16_t & { return m[unsigned(row) * columns + unsigned(column)]; };
        std::array<std::uint16_t, columns> by;
        for (int c = 0; c < int(columns); ++c)
          by[unsigned(c)] = at(k, c);
        for (int i = 0; i < int(rows); ++i) {
          const std::uint16_t first = at(i, k);
          for (int c = 0; c < int(columns); ++c)
            at(i, c) = std::min(at(i, c), std::uint16_t(by[unsigned(c)] + first));
          if (at(k, i) & 1) {
            const std::uint16_t more = at(i, n - k);
            for (int c = 0; c < int(columns); ++c)
              at(15 - i, c) = std::uint16_t(at(15 - i, c) + more);
          }
        }
      }
    pocm::Kernel kernel = device.createKernel(program, "paths");
    kernel.setArgument(0, in);
    kernel.setArgument(1, out);
    kernel.setArgument(2, &n, sizeof(n));
    device.enqueue(kernel, {threads, 1}).wait();
    std::array<Matrix, threads> result;
    out.read(result.data(), sizeof(result));
    EXPECT_EQ(result, expected) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(, ChosenElements, testing::ValuesIn(test::cpus()));

} // namespace
