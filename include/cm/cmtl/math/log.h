//===- cm/cmtl/math/log.h - The logarithm of doubles ------------------------------------------------===//
//
// log(x) = k * ln 2 + log(m) with x = 2^k * m and m from sqrt(1/2) to sqrt(2). Of s = (m - 1) / (m + 1)
// the power series log(m) = 2 (s + s^3/3 + s^5/5 + ...) has twelve terms, because s is at most 0.172.
// -infinity of 0, NaN of negative numbers.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cm/cmtl/math.h>
#include <cm/cmtl/math/exp.h>

namespace cmtl {
inline namespace math {
namespace detail {
template <int N> vector<double, N> log_of(const vector<double, N> &X) {
  vector<int, N> Power;
  vector<double, N> M = cmtl::math::frexp(X, Power);
  vector<ushort, N> Small = M < 0.70710678118654752;
  M.merge(M + M, Small);
  Power.merge(Power - 1, Small);
  vector<double, N> F = M - 1.0, S = F / (F + 2.0), Square = S * S, Sum = 1.0 / 23;
#pragma unroll
  for (int Term = 21; Term > 1; Term -= 2)
    Sum = Sum * Square + 1.0 / Term;
  vector<double, N> K = Power;
  // S + S = F - S * F, which is exact in F.
  vector<double, N> Result = K * ln2_high + (F - (S * (F - Square * (Sum + Sum)) - K * ln2_low));
  constexpr unsigned long long Bits[] = {0x7FF0000000000000ull, 0xFFF0000000000000ull, 0x7FF8000000000000ull};
  vector<unsigned long long, 3> Special(Bits);
  vector_ref<double, 3> Numbers = Special.format<double>();
  Result.merge(X, !(X < Numbers(0))); // infinity and NaN are themselves
  Result.merge(Numbers(1), X == 0.0);
  Result.merge(Numbers(2), X < 0.0);
  return Result;
}
} // namespace detail

/// The natural logarithm of each element, of doubles, to the last bit or two. The tag says which classes there are.
template <cm::detail::object X, class Tag = hint::fpclass_tag_def::general_t>
  requires(cm::detail::is_same<cm::detail::element_type<X>, double>)
auto log(const X &Value, Tag = {}) {
  static_assert(hint::is_fpclass_tag_v<Tag>, "log: the second argument is a hint::fpclass_tag");
  return detail::shaped_as<X>(detail::log_of<cm::detail::traits<X>::count>(Value));
}
template <class Tag = hint::fpclass_tag_def::general_t> double log(double Value, Tag Classes = {}) {
  return log(vector<double, 1>(Value), Classes)(0);
}

} // namespace math
} // namespace cmtl
