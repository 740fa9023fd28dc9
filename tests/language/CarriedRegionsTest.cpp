// Loops that change regions of a vector which lie among each other, as columns and every other element do: random
// programs of such loops, with conditions, loops in loops, and now and then a use of the whole vector, run beside a
// plain array. Code generators carry such regions apart.
#include "Kernels.h"
#include <array>
#include <fmt/format.h>
#include <functional>
#include <random>

namespace {

using uint = std::uint32_t;
constexpr uint rows = 8, columns = 4, elements = rows * columns, most = 5;
using Numbers = std::array<uint, elements>;

struct State {
  Numbers m{}, x{};
  uint sum = 0, i = 0;
};
using Step = std::function<void(State &)>;

struct Statement {
  std::string text;
  Step run;
};

/// Some of m's elements.
struct Part {
  std::string text;
  std::vector<uint> elements;
};
Part partOf(uint number) {
  Part p;
  auto strided = [&](uint first, uint step) {
    for (uint k = first; k < elements; k += step)
      p.elements.push_back(k);
  };
  if (number < columns) {
    p.text = fmt::format("m.column({})", number);
    strided(number, columns);
  } else {
    p.text = fmt::format("m.format<uint>().select<{}, 2>({})", elements / 2, number - columns);
    strided(number - columns, 2);
  }
  return p;
}
/// Columns or every other element, which overlap, now and then both.
uint pickPart(std::mt19937_64 &random, bool ofColumns) {
  if (random() % 16 == 0)
    ofColumns = !ofColumns;
  return ofColumns ? uint(random() % columns) : columns + uint(random() % 2);
}

Statement statement(std::mt19937_64 &random, bool ofColumns, bool inner) {
  const Part a = partOf(pickPart(random, ofColumns)), b = partOf(pickPart(random, ofColumns));
  const uint count = uint(a.elements.size()), bit = uint(random() % 2);
  const std::string x = fmt::format("x.select<{}, 1>({})", count, uint(random() % (elements - count + 1)));
  const auto first = uint(std::stoul(x.substr(x.find('(') + 1)));
  switch (random() % (inner ? 24 : 26)) {
  case 0: // the whole
    return {"m += 3;", [](State &s) {
              for (uint &e : s.m)
                e += 3;
            }};
  case 1:
    return {"sum += cm_sum<uint>(m);", [](State &s) {
              for (uint e : s.m)
                s.sum += e;
            }};
  case 2:
    return {"m.row(2) ^= i;", [](State &s) {
              for (uint k = 0; k < columns; ++k)
                s.m[2 * columns + k] ^= s.i;
            }};
  case 3:
  case 4:
  case 5:
  case 6:
    if (a.elements.size() != b.elements.size())
      break;
    return {fmt::format("if ((i & 1) == {}) {} ^= {}; else {} -= {};", bit, a.text, b.text, b.text, x), [=](State &s) {
              const Numbers old = s.m;
              for (uint k = 0; k < count; ++k)
                if ((s.i & 1) == bit)
                  s.m[a.elements[k]] ^= old[b.elements[k]];
                else
                  s.m[b.elements[k]] -= s.x[first + k];
            }};
  case 7:
  case 8:
  case 9:
    return {fmt::format("SIMD_IF_BEGIN({} & 1) {{ {} += 7; }} SIMD_IF_END;", x, a.text), [=](State &s) {
              for (uint k = 0; k < count; ++k)
                if (s.x[first + k] & 1)
                  s.m[a.elements[k]] += 7;
            }};
  case 10:
  case 11:
  case 12:
    return {fmt::format("sum += cm_sum<uint>({});", a.text), [=](State &s) {
              for (uint e : a.elements)
                s.sum += s.m[e];
            }};
  case 24:
  case 25: {
    const Statement one = statement(random, ofColumns, true), other = statement(random, ofColumns, true);
    return {fmt::format("for (uint k = i; k < 4; ++k) {{ {} {} }}", one.text, other.text), [=](State &s) {
              for (uint k = s.i; k < 4; ++k)
                one.run(s), other.run(s);
            }};
  }
  default:
    break;
  }
  return {fmt::format("{0} = {0} * 5 + {1};", a.text, x), [=](State &s) {
            for (uint k = 0; k < count; ++k)
              s.m[a.elements[k]] = s.m[a.elements[k]] * 5 + s.x[first + k];
          }};
}

class CarriedRegions : public testing::TestWithParam<std::string> {};

TEST_P(CarriedRegions, inPrograms) {
  constexpr uint programs = 60;
  std::mt19937_64 random(5);
  std::string text = "#include <cm/cm.h>\n";
  std::vector<std::vector<std::vector<Statement>>> all;
  for (uint p = 0; p < programs; ++p) {
    std::string loops;
    all.emplace_back();
    for (uint l = 0; l < 2; ++l) {
      const bool ofColumns = random() % 2;
      all.back().emplace_back();
      loops += "#pragma nounroll\n  for (uint i = 0; i < n; ++i) {\n    x = x * 3 + i;\n";
      for (uint n = 0; n < 4; ++n) {
        all.back().back().push_back(statement(random, ofColumns, false));
        loops += "    " + all.back().back().back().text + "\n";
      }
      loops += "  }\n";
    }
    text += fmt::format(R"(extern "C" _GENX_MAIN_ void kernel{0}(SurfaceIndex in, SurfaceIndex out, uint n) {{
  matrix<uint, {1}, {2}> m; vector<uint, {3}> x; uint sum = 0;
  read(in, 0, m.format<uint>()); read(in, {3} * 4, x);
{4}  write(out, 0, m.format<uint>());
  vector<uint, 4> s = sum; write(out, {3} * 4, s);
}}
)",
                        p, rows, columns, elements, loops);
  }
  const pocm::Program program = test::compile(text);
  pocm::Device device = test::open(GetParam());
  Numbers data[2];
  for (Numbers &some : data)
    for (uint &e : some)
      e = uint(random());
  for (uint p = 0; p < programs; ++p)
    for (uint n : {0u, 1u, most}) {
      State s{data[0], data[1], 0, 0};
      for (const std::vector<Statement> &loop : all[p])
        for (s.i = 0; s.i < n; ++s.i) {
          for (uint &e : s.x)
            e = e * 3 + s.i;
          for (const Statement &one : loop)
            one.run(s);
        }
      pocm::Buffer in = device.createBuffer(sizeof(data)), out = device.createBuffer(sizeof(Numbers) + 16);
      in.write(data, sizeof(data));
      pocm::Kernel kernel = device.createKernel(program, fmt::format("kernel{}", p));
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      kernel.setArgument(2, &n, sizeof(n));
      device.enqueue(kernel, {1, 1}).wait();
      std::array<uint, elements + 4> got;
      out.read(got.data(), sizeof(got));
      for (uint k = 0; k <= elements; ++k)
        ASSERT_EQ(got[k], k < elements ? s.m[k] : s.sum) << "element " << k << " of kernel" << p << " of\n"
                                                         << text << "\nafter " << n << " turns";
    }
}

INSTANTIATE_TEST_SUITE_P(Cpus, CarriedRegions, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
