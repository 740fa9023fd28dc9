//===- cm/cmtl/math.h - Classification, clamping, exponents ---------------------------------------===//
#pragma once
#include <cm/cm.h>
#include <cm/cmtl/hint.h>
#include <cm/cmtl/mask.h>

namespace cmtl {
inline namespace math {

/// min(max(x, Low), High), the minimum first.
template <cm::detail::operand X, cm::detail::operand L, cm::detail::operand H>
auto clamp(const X &Value, const L &Low, const H &High) {
  using T = cm::detail::element_type<X>;
  return cm_max<T>(cm_min<T>(Value, High), Low);
}

/// The same with the element type, and the width, or the width and the height, written out.
template <cm::detail::element T, int... Shape, cm::detail::object X, cm::detail::operand L, cm::detail::operand H>
auto clamp(const X &Value, const L &Low, const H &High) {
  static_assert(sizeof...(Shape) <= 2 && (sizeof...(Shape) == 0 || (1 * ... * Shape) == cm::detail::traits<X>::count),
                "clamp: another shape than the template arguments say");
  return cm_max<T>(cm_min<T>(Value, High), Low);
}

/// To the nearest integer, halves away from 0.
template <class Int, cm::detail::operand X> auto round_fast(const X &Value) {
  POCM_LANES(X);
  using T = element_type<X>;
  raw<T, N> V = value_of<T, N>(Value);
  raw<T, N> Half = V < raw<T, N>(T(0)) ? raw<T, N>(T(-0.5f)) : raw<T, N>(T(0.5f));
  return give_as<Int, N, T, X>(V + Half, _GENX_NOSAT);
}

enum : int { fp_nan = 0, fp_infinite = 1, fp_subnormal = 2, fp_zero = 3, fp_normal = 4 };

namespace detail {
template <class T> struct fields;
template <> struct fields<float> {
  using bits = uint;
  static constexpr int mantissa = 23, bias = 127;
  static constexpr bits exponent = 0x7F800000u, fraction = 0x7FFFFFu;
};
template <> struct fields<double> {
  using bits = unsigned long long;
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr bits exponent = 0x7FF0000000000000ull, fraction = 0xFFFFFFFFFFFFFull;
};
template <> struct fields<half> {
  using bits = ushort;
  static constexpr int mantissa = 10, bias = 15;
  static constexpr bits exponent = 0x7C00, fraction = 0x3FF;
};
} // namespace detail

/// Class of each element: fp_nan, fp_infinite, fp_subnormal, fp_zero, fp_normal.
template <cm::detail::object X> auto fpclassify(const X &Value) {
  using namespace cm::detail;
  using F = cmtl::math::detail::fields<element_type<X>>;
  using B = typename F::bits;
  constexpr int N = traits<X>::count;
  vector<element_type<X>, N> Whole = Value;
  vector<B, N> Bits = Whole.template format<B>();
  vector<ushort, N> Top = (Bits & F::exponent) == F::exponent, Bottom = (Bits & F::exponent) == B(0),
                    None = (Bits & F::fraction) == B(0);
  vector<int, N> Class = fp_normal;
  Class.merge(fp_infinite, Top & None);
  Class.merge(fp_nan, Top & !None);
  Class.merge(fp_zero, Bottom & None);
  Class.merge(fp_subnormal, Bottom & !None);
  return Class;
}
#define POCM_IS(name, value)                                                                                           \
  template <cm::detail::object X> auto name(const X &Value) {                                                          \
    return Mask<cm::detail::traits<X>::count>(fpclassify(Value) == value);                                             \
  }
POCM_IS(isnormal, fp_normal)
POCM_IS(isnan, fp_nan)
POCM_IS(isinf, fp_infinite)
POCM_IS(issubnormal, fp_subnormal)
#undef POCM_IS

/// Mantissa in [0.5, 1), as the standard library splits numbers; Exponent receives the power of two. 0, infinity and NaN
/// stay themselves with exponent 0.
template <cm::detail::object X, cm::detail::object E, class Tag = hint::fpclass_tag_def::general_t>
auto frexp(const X &Value, E &&Exponent, Tag = {}) {
  static_assert(hint::is_fpclass_tag_v<Tag>, "frexp: the third argument is a hint::fpclass_tag");
  using namespace cm::detail;
  using T = element_type<X>;
  using F = cmtl::math::detail::fields<T>;
  using B = typename F::bits;
  constexpr int N = traits<X>::count;
  vector<T, N> Whole = Value;
  vector<int, N> Class = fpclassify(Whole);
  vector<ushort, N> Normal = Class == fp_normal, Small = Class == fp_subnormal;
  vector<B, N> Bits = Whole.template format<B>();
  vector<B, N> Fraction = Bits & F::fraction, Sign = Bits & B(~(F::exponent | F::fraction));
  // A subnormal number as an integer has its own leading bit.
  vector<T, N> AsNumber = Fraction;
  vector<B, N> Scaled = AsNumber.template format<B>();
  vector<int, N> Power = vector<int, N>((Bits & F::exponent) >> F::mantissa) - (F::bias - 1);
  vector<int, N> SmallPower =
      vector<int, N>((Scaled & F::exponent) >> F::mantissa) - (F::bias - 1) - (F::bias - 1 + F::mantissa);
  vector<B, N> Mantissa = Sign | Fraction | B(B(F::bias - 1) << F::mantissa);
  vector<B, N> SmallMantissa = Sign | (Scaled & F::fraction) | B(B(F::bias - 1) << F::mantissa);
  vector<int, N> Result = 0;
  Result.merge(Power, Normal);
  Result.merge(SmallPower, Small);
  Exponent = Result;
  Bits.merge(Mantissa, Normal);
  Bits.merge(SmallMantissa, Small);
  return vector<T, N>(Bits.template format<T>());
}
template <class X, class E, class Tag = hint::fpclass_tag_def::general_t>
  requires(cm::detail::is_floating<X> && __is_integral(E))
X frexp(X Value, E &Exponent, Tag Classes = {}) {
  vector<E, 1> Power;
  vector<X, 1> Fraction = frexp(vector<X, 1>(Value), Power, Classes);
  Exponent = Power(0);
  return Fraction(0);
}

} // namespace math
} // namespace cmtl

#include <cm/cmtl/math/exp.h>
#include <cm/cmtl/math/log.h>
