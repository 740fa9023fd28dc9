// Places in a table that come out of the table: automata, back pointers, permutations. Random programs over tables of
// bytes, words and dwords, run beside a plain array.
#include "Kernels.h"
#include "Scalar.h"
#include <array>
#include <fmt/format.h>
#include <random>

namespace {

using uint = std::uint32_t;
constexpr uint most = 512, numbers = 4, part = 16;

struct State {
  uint below; // all numbers are, and there are twice as many in the table
  std::array<uint, most> table;
  std::array<uint, numbers> q;
};

/// A statement that does something to a state, and says what.
std::string statement(State &s, std::mt19937_64 &random) {
  auto pick = [&](uint below) { return uint(random() % below); };
  const uint a = pick(numbers), b = pick(numbers), more = pick(s.below - part), other = pick(s.below - part),
             bits = pick(s.below);
  const uint x = s.q[a], y = s.q[b];
  auto &t = s.table;
  switch (pick(10)) {
  case 0:
    s.q[a] = t[y + more];
    return fmt::format("q{} = t(q{} + {});", a, b, more);
  case 1:
    s.q[a] = t[t[y] + more];
    return fmt::format("q{} = t(t(q{}) + {});", a, b, more);
  case 2:
    t[x + more] = y;
    return fmt::format("t(q{} + {}) = q{};", a, more, b);
  case 3: {
    const uint from = t[y + other];
    t[x + more] = t[from];
    return fmt::format("t(q{} + {}) = t(t(q{} + {}));", a, more, b, other);
  }
  case 4:
    for (uint k = 0; k < part; ++k)
      t[x + more + k] ^= bits;
    return fmt::format("t.template select<{}, 1>(q{} + {}) ^= {};", part, a, more, bits);
  case 5: {
    std::array<uint, part> copy;
    for (uint k = 0; k < part; ++k)
      copy[k] = t[y + other + k];
    std::copy(copy.begin(), copy.end(), t.begin() + x + more);
    return fmt::format(
        "{{ vector<T, {0}> c = t.template select<{0}, 1>(q{1} + {2}); t.template select<{0}, 1>(q{3} + {4}) = c; }}",
        part, b, other, a, more);
  }
  case 6: // all numbers are bytes, the lowest of their elements
    s.q[a] = t[y + more];
    return fmt::format("q{} = t.template format<uchar>()((q{} + {}) * sizeof(T));", a, b, more);
  case 7:
    t[x + more] = y;
    return fmt::format("t.template format<uchar>()((q{} + {}) * sizeof(T)) = q{};", a, more, b);
  case 8:
    if (x & 1)
      s.q[b] = t[y + more];
    else
      s.q[b] = t[x + other];
    return fmt::format("if (q{0} & 1) q{1} = t(q{1} + {2}); else q{1} = t(q{0} + {3});", a, b, more, other);
  default:
    for (uint i = 0; i < 3; ++i)
      s.q[a] = t[s.q[a] + i * 20];
    return fmt::format("for (int i = 0; i < 3; ++i) q{0} = t(q{0} + i * 20);", a);
  }
}

class TableChains : public testing::TestWithParam<std::string> {
protected:
  template <class T> void inPrograms() {
    std::mt19937_64 random(sizeof(T) * 7);
    std::vector<State> states;
    constexpr uint below = sizeof(T) == 4 ? 64 : 256, count = 2 * below; // what registers hold, several times
    std::array<T, count> data;
    for (T &x : data)
      x = T(random() % below);
    constexpr uint programs = 16, statements = 12;
    std::string text = fmt::format("#include <cm/cm.h>\nusing T = {};\n", test::Name<T>::cm), each;
    for (uint p = 0; p < programs; ++p) {
      State s{below, {}, {}};
      std::copy(data.begin(), data.end(), s.table.begin());
      each = "";
      for (uint n = 0; n < numbers; ++n) {
        s.q[n] = (p * 53 + n * 91) % below;
        each += fmt::format("  uint q{} = (start * 53 + {}) % {};\n", n, n * 91, below);
      }
      for (uint n = 0; n < statements; ++n)
        each += "  " + statement(s, random) + "\n";
      text += fmt::format(R"(extern "C" _GENX_MAIN_ void kernel{0}(SurfaceIndex in, SurfaceIndex out, int start) {{
  vector<T, {1}> t;
  for (int k = 0; k < {1}; k += 16)
    read(in, k * sizeof(T), t.template select<16, 1>(k));
{2}  for (int k = 0; k < {1}; k += 16)
    write(out, k * sizeof(T), t.template select<16, 1>(k));
  vector<uint, 4> q;
  q(0) = q0; q(1) = q1; q(2) = q2; q(3) = q3;
  write(out, {1} * sizeof(T), q);
}}
)",
                          p, count, each);
      states.push_back(s);
    }
    pocm::Program program = test::compile(text);
    for (uint p = 0; p < programs; ++p) {
      pocm::Buffer in = device.createBuffer(sizeof(data)), out = device.createBuffer(sizeof(data) + 16);
      in.write(data.data(), sizeof(data));
      pocm::Kernel kernel = device.createKernel(program, fmt::format("kernel{}", p));
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      const auto start = int(p);
      kernel.setArgument(2, &start, sizeof(start));
      device.enqueue(kernel, {1, 1}).wait();
      std::array<std::uint8_t, sizeof(data) + 16> got;
      out.read(got.data(), got.size());
      std::array<T, count> table;
      std::array<uint, numbers> q;
      std::memcpy(table.data(), got.data(), sizeof(table));
      std::memcpy(q.data(), got.data() + sizeof(table), sizeof(q));
      for (uint k = 0; k < count; ++k)
        ASSERT_EQ(uint(table[k]), states[p].table[k]) << "element " << k << ", kernel" << p << " of\n" << text;
      EXPECT_EQ(q, states[p].q) << "kernel" << p << " of\n" << text;
    }
  }

  pocm::Device device = test::open(GetParam());
};

TEST_P(TableChains, ofBytes) { inPrograms<std::uint8_t>(); }
TEST_P(TableChains, ofWords) { inPrograms<std::uint16_t>(); }
TEST_P(TableChains, ofDwords) { inPrograms<std::uint32_t>(); }

INSTANTIATE_TEST_SUITE_P(Cpus, TableChains, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
