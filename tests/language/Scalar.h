// The arithmetic of CM in scalar C++, for tests that are generated over element types: edge and random values, wrapping
// sums, conversions that clamp, saturation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

using half = _Float16;

template <class T> struct Name;
#define NAME(type, text)                                                                                               \
  template <> struct Name<type> {                                                                                      \
    static constexpr const char *cm = text;                                                                            \
  };
NAME(std::int8_t, "char")
NAME(std::uint8_t, "uchar")
NAME(std::int16_t, "short")
NAME(std::uint16_t, "ushort")
NAME(std::int32_t, "int")
NAME(std::uint32_t, "uint")
NAME(long long, "long long")
NAME(unsigned long long, "unsigned long long")
NAME(half, "half")
NAME(float, "float")
NAME(double, "double")
#undef NAME

template <class T> constexpr bool isFloat = std::is_floating_point_v<T> || std::is_same_v<T, half>;

/// Element k of a test input: edges first.
template <class T> T value(std::mt19937_64 &random, int k) {
  if constexpr (isFloat<T>) {
    constexpr double edges[] = {0, -0.0, 1, -1, 0.5, 255, -256, 1e4, 3.5, -2.5, 65504, -65504};
    if (k < int(std::size(edges)))
      return T(edges[k]);
    if (k == int(std::size(edges)))
      return T(NAN);
    return T(double(std::int64_t(random() % 20001) - 10000) / 16);
  } else {
    using L = std::numeric_limits<T>;
    const T edges[] = {0, 1, T(-1), L::min(), L::max(), T(L::max() / 2), T(100), T(-100), 2, 7};
    return k < int(std::size(edges)) ? edges[k] : T(random() >> (random() % 60));
  }
}

/// Integers wrap; a / b and a % b only where they exist.
template <class R> R add(R a, R b) {
  if constexpr (isFloat<R>)
    return R(a + b);
  else
    return R(std::make_unsigned_t<R>(a) + std::make_unsigned_t<R>(b));
}
template <class R> R subtract(R a, R b) {
  if constexpr (isFloat<R>)
    return R(a - b);
  else
    return R(std::make_unsigned_t<R>(a) - std::make_unsigned_t<R>(b));
}
template <class R> R multiply(R a, R b) {
  if constexpr (isFloat<R>)
    return R(a * b);
  else
    return R(std::make_unsigned_t<R>(a) * std::make_unsigned_t<R>(b));
}
template <class R> bool divisible(R a, R b) {
  if constexpr (isFloat<R>)
    return true;
  else
    return b != 0 && !(std::is_signed_v<R> && a == std::numeric_limits<R>::min() && b == R(-1));
}
/// Truncates and clamps floats; integers keep their low bits.
template <class T, class F> T converted(F x) {
  if constexpr (!isFloat<F> || isFloat<T>) {
    return T(x);
  } else {
    double d = double(x);
    if (d != d)
      return 0;
    if (d <= double(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    if (d >= double(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return T(d);
  }
}
template <class T, class F> T saturated(F x) {
  if constexpr (isFloat<T>) {
    double d = double(T(x));
    return d > 0 ? T(std::min(d, 1.0)) : T(0); // NaN becomes 0
  } else if constexpr (isFloat<F>) {
    return converted<T>(x);
  } else {
    auto wide = static_cast<__int128>(x);
    return T(
        std::min<__int128>(std::max<__int128>(wide, std::numeric_limits<T>::min()), std::numeric_limits<T>::max()));
  }
}

template <class T> bool same(T got, T want) {
  if constexpr (isFloat<T>) {
    double g = double(got), w = double(want), least = sizeof(T) == 2 ? 0x1p-14 : sizeof(T) == 4 ? 0x1p-126 : 0x1p-1022;
    return g == w || (g != g && w != w) || (std::abs(g) < least && std::abs(w) < least);
  }
  return got == want;
}

template <class T> std::string number(T x) {
  if constexpr (isFloat<T>)
    return fmt::format("{}", double(x));
  else
    return fmt::format("{}", x);
}

/// The first of a kernel's results that is not what it should be. Tests over all types compute what is wanted in lists,
/// so that each of their thousands of expressions compiles to a loop and no more.
struct Difference {
  std::size_t element;
  std::string text;
};
template <class R> std::optional<Difference> difference(const std::uint8_t *bytes, const std::vector<R> &wanted) {
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    R got;
    std::memcpy(&got, bytes + k * sizeof(R), sizeof(R));
    if (!same(got, wanted[k]))
      return Difference{k, fmt::format("element {} is {}, not {}", k, number(got), number(wanted[k]))};
  }
  return std::nullopt;
}

/// Every element type but bfloat16.
#define POCM_ALL_TYPES                                                                                                 \
  std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, long long, unsigned long long,  \
      test::half, float, double

} // namespace test
