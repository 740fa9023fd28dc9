//===- cm/cmtl/math/exp.h - The exponential of doubles ---------------------------------------------===//
//
// exp(x) = 2^k * exp(r) with k = the integer nearest to x / ln 2, so that r is at most ln 2 / 2:
// ln 2 has two parts, of which k times the first is exact, and exp(r) is its power series.
// Infinity where the result is too large; 0 where it is too small, or subnormal and the kernel keeps none.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cm/cm.h>
#include <cm/cmtl/hint.h>
#include <cm/cmtl/numbers.h>

namespace cmtl {
inline namespace math {
namespace detail {
/// ln 2 as a number of 32 bits and the rest.
inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

/// The results for an object's elements, as an object of its shape.
template <class X, int N> auto shaped_as(const vector<double, N> &Result) {
  using Traits = cm::detail::traits<X>;
  if constexpr (Traits::is_matrix)
    return matrix<double, Traits::rows, Traits::columns>(Result);
  else
    return Result;
}

/// 2 to a power from -1022 to 1023.
template <int N> vector<double, N> power_of_2(const vector<int, N> &Power) {
  vector<unsigned long long, N> Bits = vector<unsigned long long, N>(Power + 1023) << 52;
  return Bits.template format<double>();
}

template <int N> vector<double, N> exp_of(vector<double, N> X) {
  constexpr double beyond = 800; // exp(710) is too large already, exp(-746) too small
  vector<ushort, N> Whole = X == X;
  X.merge(beyond, X > beyond);
  X.merge(-beyond, X < -beyond);
  vector<double, N> Scaled = X * numbers::inv_ln2_v<double>, Half = 0.5;
  Half.merge(-0.5, X < 0.0);
  vector<int, N> Power = Scaled + Half;
  Power.merge(0, !Whole);
  vector<double, N> K = Power, R = X - K * ln2_high - K * ln2_low, Sum = 1.0;
#pragma unroll
  for (int Term = 13; Term > 0; --Term)
    Sum = Sum * R / double(Term) + 1.0;
  vector<int, N> First = Power >> 1, Second = Power - First; // each is in range
  return Sum * power_of_2(First) * power_of_2(Second);
}
} // namespace detail

/// e to the power of each element, of doubles, to the last bit or two. The tag says which classes of numbers there are.
template <cm::detail::object X, class Tag = hint::fpclass_tag_def::general_t>
  requires(cm::detail::is_same<cm::detail::element_type<X>, double>)
auto exp(const X &Value, Tag = {}) {
  static_assert(hint::is_fpclass_tag_v<Tag>, "exp: the second argument is a hint::fpclass_tag");
  return detail::shaped_as<X>(detail::exp_of<cm::detail::traits<X>::count>(Value));
}
template <class Tag = hint::fpclass_tag_def::general_t> double exp(double Value, Tag Classes = {}) {
  return exp(vector<double, 1>(Value), Classes)(0);
}

} // namespace math
} // namespace cmtl
