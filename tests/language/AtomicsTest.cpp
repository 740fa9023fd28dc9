// Dword atomics on buffers (language reference, chapter 10.5): every operation, masks, equal offsets, beyond the end,
// and many threads at once.
#include "Kernels.h"
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace {

using Dwords = std::vector<std::uint32_t>;

struct Operation {
  const char *ids, *name, *type;
  int sources;
  std::uint32_t (*change)(std::uint32_t old, std::uint32_t a, std::uint32_t b);
};

float f(std::uint32_t x) { return std::bit_cast<float>(x); }
std::uint32_t u(float x) { return std::bit_cast<std::uint32_t>(x); }
using U = std::uint32_t;

const Operation operations[] = {
    {"AOP-01", "ATOMIC_ADD", "uint", 1, [](U o, U a, U) { return o + a; }},
    {"AOP-02", "ATOMIC_SUB", "int", 1, [](U o, U a, U) { return o - a; }},
    {"AOP-03", "ATOMIC_INC", "uint", 0, [](U o, U, U) { return o + 1; }},
    {"AOP-04", "ATOMIC_DEC", "uint", 0, [](U o, U, U) { return o - 1; }},
    {"AOP-05", "ATOMIC_PREDEC", "uint", 0, [](U o, U, U) { return o - 1; }},
    {"AOP-07 PIT-24", "ATOMIC_MIN", "uint", 1, [](U o, U a, U) { return a < o ? a : o; }},
    {"AOP-07 PIT-24", "ATOMIC_MAX", "uint", 1, [](U o, U a, U) { return a > o ? a : o; }},
    {"AOP-08", "ATOMIC_MINSINT", "int", 1, [](U o, U a, U) { return int(a) < int(o) ? a : o; }},
    {"AOP-08", "ATOMIC_MAXSINT", "int", 1, [](U o, U a, U) { return int(a) > int(o) ? a : o; }},
    {"AOP-09", "ATOMIC_XCHG", "uint", 1, [](U, U a, U) { return a; }},
    {"AOP-10 PIT-25 AMB-12 VEC-74", "ATOMIC_CMPXCHG", "uint", 2, [](U o, U a, U b) { return o == b ? a : o; }},
    {"AOP-11", "ATOMIC_AND", "uint", 1, [](U o, U a, U) { return o & a; }},
    {"AOP-11", "ATOMIC_OR", "uint", 1, [](U o, U a, U) { return o | a; }},
    {"AOP-11", "ATOMIC_XOR", "uint", 1, [](U o, U a, U) { return o ^ a; }},
    {"AOP-12", "ATOMIC_FMAX", "float", 1, [](U o, U a, U) { return f(a) > f(o) ? a : o; }},
    {"AOP-12", "ATOMIC_FMIN", "float", 1, [](U o, U a, U) { return f(a) < f(o) ? a : o; }},
    {"AOP-13", "ATOMIC_FADD", "float", 1, [](U o, U a, U) { return u(f(o) + f(a)); }},
    {"AOP-13", "ATOMIC_FSUB", "float", 1, [](U o, U a, U) { return u(f(o) - f(a)); }},
    {"AOP-14 PIT-25", "ATOMIC_FCMPWR", "float", 2, [](U o, U a, U b) { return f(o) == f(a) ? b : o; }},
};

pocm::Buffer bufferOf(pocm::Device &device, const Dwords &contents) {
  pocm::Buffer buffer = device.createBuffer(contents.size() * 4);
  buffer.write(contents.data(), contents.size() * 4);
  return buffer;
}
Dwords contentsOf(const pocm::Buffer &buffer) {
  Dwords contents(buffer.bytes() / 4);
  buffer.read(contents.data(), buffer.bytes());
  return contents;
}

class Atomics : public testing::TestWithParam<std::string> {};

// ATM-01 ATM-02 ATM-03 ATM-04 ATM-05 ATM-07
TEST_P(Atomics, everyOperationOnEveryCountWithMasks) {
  pocm::Device device = test::open(GetParam());
  std::string source = "#include <cm/cm.h>\n";
  for (const Operation &o : operations)
    for (int n : {1, 2, 8, 16, 32})
      source += fmt::format(
          "extern \"C\" _GENX_MAIN_ void {0}_{1}(SurfaceIndex data, SurfaceIndex old, vector<uint, {1}> off,\n"
          "    vector<{2}, {1}> a, vector<{2}, {1}> b, vector<ushort, {1}> mask) {{\n"
          "  vector<{2}, {1}> r = 77;\n  write_atomic<{0}{4}>(mask, data, off{3}, r);\n"
          "  vector<uint, {1}> u;\n  for (int i = 0; i < {1}; i++) u(i) = i;\n  write(old, 0, u, r);\n}}\n",
          o.name, n, o.type,
          o.sources == 0   ? ""
          : o.sources == 1 ? ", a"
                           : ", a, b",
          n == 8    ? fmt::format(", {}", o.type) // the type of the sources, and the number of lanes, may be said
          : n == 16 ? fmt::format(", {}, 16", o.type)
                    : "");
  pocm::Program program = test::compile(source);
  for (const Operation &o : operations) {
    bool isFloat = std::string_view(o.type) == "float";
    auto value = [&](int x) { return isFloat ? u(float(x) * 0.5f) : U(x); };
    for (int n : {1, 2, 8, 16, 32}) {
      constexpr int size = 40;
      Dwords data, offsets, a, b;
      std::vector<std::uint16_t> mask;
      for (int i = 0; i < size; ++i)
        data.push_back(value(i * 7 % 23 - 11));
      for (int k = 0; k < n; ++k) {
        offsets.push_back(k % 8 == 5 ? (k % 2 ? 0x40000000u + U(k) : U(size))
                                     : U((k * 3 + 1) % size)); // some beyond the end
        a.push_back(value(k * 5 % 17 - 8));
        b.push_back(k % 2 ? data[offsets.back() % size] : value(3));
        if (o.sources == 2 && isFloat) // FCMPWR compares with the first source
          std::swap(a.back(), b.back());
        mask.push_back(k % 4 != 2);
      }
      Dwords want = data, wantOld;
      for (int k = 0; k < n; ++k) {
        std::size_t i = std::size_t(k);
        bool inside = offsets[i] < size;
        U old = inside ? want[offsets[i]] : 0;
        bool predec = std::string_view(o.name) == "ATOMIC_PREDEC";
        wantOld.push_back(!mask[i] ? (isFloat ? u(77) : 77) : predec ? old - 1 : old);
        if (mask[i] && inside)
          want[offsets[i]] = o.change(old, a[i], b[i]);
      }
      pocm::Buffer buffer = bufferOf(device, data), old = bufferOf(device, Dwords(std::size_t(n)));
      pocm::Kernel kernel = device.createKernel(program, fmt::format("{}_{}", o.name, n));
      kernel.setArgument(0, buffer);
      kernel.setArgument(1, old);
      kernel.setArgument(2, offsets.data(), offsets.size() * 4);
      kernel.setArgument(3, a.data(), a.size() * 4);
      kernel.setArgument(4, b.data(), b.size() * 4);
      kernel.setArgument(5, mask.data(), mask.size() * 2);
      device.enqueue(kernel, {1, 1}).wait();
      EXPECT_EQ(contentsOf(buffer), want) << o.ids << " " << o.name << " of " << n;
      EXPECT_EQ(contentsOf(old), wantOld) << o.ids << " " << o.name << " of " << n;
    }
  }
}

// ATM-06 ATM-09 ATM-10 VEC-73 SCF-16
TEST_P(Atomics, lanesAndThreadsThatMeetAreAllCounted) {
  constexpr unsigned width = 60, height = 50;
  pocm::Device device = test::open(GetParam(), 4);
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void count(SurfaceIndex data) {
  vector<uint, 8> same = 3, odd = {0, 1, 0, 1, 0, 1, 0, 1};
  write_atomic<ATOMIC_INC>(data, same);
  write_atomic<ATOMIC_ADD>(data, same - 1, 2u);
  SIMD_IF_BEGIN(odd) {
    write_atomic<ATOMIC_FADD>(data, same - 3, 0.5f);
  } SIMD_IF_END;
})");
  pocm::Buffer buffer = bufferOf(device, Dwords(4));
  pocm::Kernel kernel = device.createKernel(program, "count");
  kernel.setArgument(0, buffer);
  device.enqueue(kernel, {width, height}).wait();
  EXPECT_EQ(contentsOf(buffer), (Dwords{u(width * height * 4 * 0.5f), 0, width * height * 8 * 2, width * height * 8}));
}

INSTANTIATE_TEST_SUITE_P(Cpus, Atomics, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
