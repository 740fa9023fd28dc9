// Conversions between floats and integers of all sizes: floats of every exponent, and integers of every length around
// the places where they round. Where an integer type lacks the value, other tests look.
#include "Kernels.h"
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <random>

namespace {

template <class T> constexpr const char *nameOf = nullptr;
template <> constexpr const char *nameOf<std::int8_t> = "char";
template <> constexpr const char *nameOf<std::uint8_t> = "uchar";
template <> constexpr const char *nameOf<std::int16_t> = "short";
template <> constexpr const char *nameOf<std::uint16_t> = "ushort";
template <> constexpr const char *nameOf<std::int32_t> = "int";
template <> constexpr const char *nameOf<std::uint32_t> = "uint";
template <> constexpr const char *nameOf<std::int64_t> = "long long";
template <> constexpr const char *nameOf<std::uint64_t> = "unsigned long long";
template <> constexpr const char *nameOf<float> = "float";
template <> constexpr const char *nameOf<double> = "double";

constexpr unsigned lanes = 16;

/// A kernel that reads 16 elements of each type from a surface of its own, or writes them: by owords.
std::string texts(const std::vector<const char *> &from, const std::vector<const char *> &to) {
  std::string arguments, reads, writes;
  for (std::size_t i = 0; i < from.size(); ++i) {
    arguments += fmt::format("{}SurfaceIndex in{}", i ? ", " : "", i);
    reads += fmt::format("  vector<{0}, {2}> from{1} = load<{0}>(in{1});\n", from[i], i, lanes);
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    arguments += fmt::format(", SurfaceIndex out{}", i);
    writes +=
        fmt::format("  store<{0}>(out{1}, vector<{0}, {2}>(from{3}));\n", to[i], i, lanes, from.size() > 1 ? i : 0);
  }
  return fmt::format(R"(#include <cm/cm.h>
template <class T> _GENX_ vector<T, {0}> load(SurfaceIndex s) {{
  const int N = 16 / sizeof(T);
  vector<T, {0}> all;
#pragma unroll
  for (int i = 0; i < {0}; i += N) {{
    vector<T, N> part;
    read(s, (cm_linear_global_id() * {0} + i) * sizeof(T), part);
    all.template select<N, 1>(i) = part;
  }}
  return all;
}}
template <class T> _GENX_ void store(SurfaceIndex s, vector<T, {0}> all) {{
  const int N = 16 / sizeof(T);
#pragma unroll
  for (int i = 0; i < {0}; i += N) {{
    vector<T, N> part = all.template select<N, 1>(i);
    write(s, (cm_linear_global_id() * {0} + i) * sizeof(T), part);
  }}
}}
extern "C" _GENX_MAIN_ void k({1}) {{
{2}{3}}})",
                     lanes, arguments, reads, writes);
}

/// Runs a kernel of those on a device, whose surfaces hold the bytes of `in` and then of `out`.
void run(const std::string &cpu, const std::string &source, std::vector<std::vector<std::uint8_t>> in,
         std::vector<std::vector<std::uint8_t> *> out, std::size_t count) {
  pocm::Device device = test::open(cpu);
  pocm::Kernel kernel = device.createKernel(test::compile(source), "k");
  std::vector<pocm::Buffer> buffers;
  auto add = [&](std::size_t bytes) {
    buffers.push_back(device.createBuffer(bytes));
    kernel.setArgument(unsigned(buffers.size() - 1), buffers.back());
  };
  for (const auto &bytes : in) {
    add(bytes.size());
    buffers.back().write(bytes.data(), bytes.size());
  }
  for (auto *bytes : out)
    add(bytes->size());
  device.enqueue(kernel, {std::uint32_t(count / lanes), 1}).wait();
  for (std::size_t i = 0; i < out.size(); ++i)
    buffers[in.size() + i].read(out[i]->data(), out[i]->size());
}

template <class T> std::vector<std::uint8_t> bytesOf(const std::vector<T> &numbers) {
  auto *first = reinterpret_cast<const std::uint8_t *>(numbers.data());
  return {first, first + numbers.size() * sizeof(T)};
}

template <class T> std::vector<T> wholeRows(std::vector<T> numbers, std::size_t count = 0) {
  numbers.resize(std::max(count, (numbers.size() + lanes - 1) / lanes * lanes));
  return numbers;
}

template <class Float, class... Integers> void toIntegers(const std::string &cpu) {
  std::mt19937 random(5);
  std::vector<Float> in{0, Float(-0.0), Float(0.5), Float(-0.99)};
  for (int exponent = -2; exponent < 64; ++exponent) {
    const Float end = std::ldexp(Float(1), exponent + 1);
    for (Float x : {std::ldexp(1 + Float(random()) / Float(1ull << 32), exponent), end, std::nextafter(end, Float(0))})
      in.insert(in.end(), {x, -x});
  }
  in = wholeRows(in);
  std::vector<std::vector<std::uint8_t>> out{std::vector<std::uint8_t>(in.size() * sizeof(Integers))...};
  std::vector<std::vector<std::uint8_t> *> places;
  for (auto &bytes : out)
    places.push_back(&bytes);
  run(cpu, texts({nameOf<Float>}, {nameOf<Integers>...}), {bytesOf(in)}, places, in.size());
  auto check = [&]<class I>(const std::vector<std::uint8_t> &bytes, I) {
    const Float end = std::ldexp(Float(1), std::numeric_limits<I>::digits);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i] < end && (std::is_signed_v<I> ? in[i] >= -end : in[i] > -1))
        EXPECT_EQ(reinterpret_cast<const I *>(bytes.data())[i], I(in[i]))
            << nameOf<Float> << " " << in[i] << " to " << nameOf<I> << " on " << cpu;
  };
  std::size_t k = 0;
  (check(out[k++], Integers()), ...);
}

/// Around the places where integers of a length round, and some others.
template <class Integer, class Float> std::vector<Integer> integers() {
  std::mt19937_64 random(7);
  std::vector<Integer> in{0, std::numeric_limits<Integer>::max(), std::numeric_limits<Integer>::min()};
  constexpr int digits = std::numeric_limits<Float>::digits;
  for (int length = 0; length < std::numeric_limits<Integer>::digits; ++length) {
    const std::uint64_t top = 1ull << length, half = length >= digits ? 1ull << (length - digits) : 0;
    for (std::uint64_t x : {top, top | (top - 1), top | half, top | half << 1 | half, (top | half) + (half != 0),
                            (top | half) - (half != 0), top | random() % top})
      in.insert(in.end(), {Integer(x), std::is_signed_v<Integer> ? Integer(-x) : Integer(x)});
  }
  return in;
}

template <class Float, class... Integers> void toFloats(const std::string &cpu) {
  const std::size_t count = wholeRows(integers<std::uint64_t, Float>()).size();
  std::vector<std::vector<std::uint8_t>> out(sizeof...(Integers), std::vector<std::uint8_t>(count * sizeof(Float)));
  std::vector<std::vector<std::uint8_t> *> places;
  for (auto &bytes : out)
    places.push_back(&bytes);
  const std::vector<const char *> to(sizeof...(Integers), nameOf<Float>);
  run(cpu, texts({nameOf<Integers>...}, to), {bytesOf(wholeRows(integers<Integers, Float>(), count))...}, places,
      count);
  auto check = [&]<class I>(const std::vector<std::uint8_t> &bytes, I) {
    const std::vector<I> in = wholeRows(integers<I, Float>(), count);
    for (std::size_t i = 0; i < in.size(); ++i)
      EXPECT_EQ(reinterpret_cast<const Float *>(bytes.data())[i], Float(in[i]))
          << nameOf<I> << " " << +in[i] << " to " << nameOf<Float> << " on " << cpu;
  };
  std::size_t k = 0;
  (check(out[k++], Integers()), ...);
}

template <class Float> void both(const std::string &cpu) {
  toIntegers<Float, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
             std::uint64_t>(cpu);
  toFloats<Float, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
           std::uint64_t>(cpu);
}

TEST(Conversions, floatsOfEveryExponent) {
  for (const std::string &cpu : test::leastAndMost())
    both<float>(cpu);
}

TEST(Conversions, doublesOfEveryExponent) {
  if (!test::hasDoubles())
    GTEST_SKIP() << "no doubles there";
  for (const std::string &cpu : test::leastAndMost())
    both<double>(cpu);
}

} // namespace
