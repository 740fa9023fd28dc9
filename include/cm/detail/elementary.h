//===- cm/detail/elementary.h - Elementary functions -------------------------===//
//
// Specification chapter "Elementary functions", on half, float and double. Logarithm and
// exponential are to base 2. The flag SAT clamps results to [0, 1]. T0 is the result's element type
// where it is given.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {

/// The type that E's quotients and roots are computed in: rounded to 16 bits behind that, they are correctly rounded still.
template <class E> using exact_type = either<is_same<E, double>, double, float>;

template <class E, int N> raw<E, N> exact_quotient(raw<E, N> X, raw<E, N> Y) {
  using W = exact_type<E>;
  return convert<E, N, W>(cm::builtin::exact_quotient<raw<W, N>>(convert<W, N, E>(X), convert<W, N, E>(Y)));
}

template <class E, int N> raw<E, N> exact_root(raw<E, N> X) {
  using W = exact_type<E>;
  return convert<E, N, W>(cm::builtin::exact_root<raw<W, N>>(convert<W, N, E>(X)));
}

/// What a function of two floats is computed in. A double constant does not widen the object beside it: cm_pow(2.5, v)
/// of a vector of floats is of float.
template <class A, class B> constexpr auto float_of() {
  if constexpr (object<A> && is_same<B, double> && is_floating<element_type<A>>)
    return element_type<A>();
  else if constexpr (is_same<A, double> && object<B> && is_floating<element_type<B>>)
    return element_type<B>();
  else
    return common_of<A, B>();
}

} // namespace cm::detail

// A function of one float operand; `check` is a statement in front of its body.
#define POCM_ELEMENTARY(name, expression) POCM_ELEMENTARY_OF(name, static_assert(true), expression)
#define POCM_ELEMENTARY_OF(name, check, expression)                                                                    \
  template <class T0 = void, cm::detail::operand A> auto name(const A &Operand, int Flag = _GENX_NOSAT) {             \
    check;                                                                                          \
    POCM_LANES(A);                                                                                                     \
    using E = element_type<A>;                                                                                         \
    static_assert(is_floating<E>, #name " works on floats; convert the operand first");                                \
    raw<E, N> X = value_of<E, N>(Operand);                                                                             \
    return give_as<or_else<T0, E>, N, E, A>(expression, Flag);                                                                    \
  }
/// 1 / x.
POCM_ELEMENTARY(cm_inv, (raw<E, N>(E(1)) / X))
/// Logarithm to base 2.
POCM_ELEMENTARY(cm_log, __builtin_elementwise_log2(X))
/// 2 to the power of x.
POCM_ELEMENTARY(cm_exp, __builtin_elementwise_exp2(X))
POCM_ELEMENTARY(cm_sqrt, __builtin_elementwise_sqrt(X))
/// Correctly rounded.
POCM_ELEMENTARY_OF(cm_sqrt_ieee, POCM_NEEDS("cm_sqrt_ieee", CM_HAS_IEEE_DIV_SQRT), (exact_root<E, N>(X)))
/// 1 / sqrt(x).
POCM_ELEMENTARY(cm_rsqrt, (cm::builtin::reciprocal_sqrt<raw<E, N>>(X)))
/// Sine and cosine of radians.
POCM_ELEMENTARY(cm_sin, __builtin_elementwise_sin(X))
POCM_ELEMENTARY(cm_cos, __builtin_elementwise_cos(X))
POCM_ELEMENTARY(cm_asin, __builtin_elementwise_asin(X))
POCM_ELEMENTARY(cm_acos, __builtin_elementwise_acos(X))
POCM_ELEMENTARY(cm_atan, __builtin_elementwise_atan(X))
POCM_ELEMENTARY_OF(cm_tanh, POCM_NEEDS("cm_tanh", CM_HAS_TANH), __builtin_elementwise_tanh(X))
/// 1 / (1 + e^-x).
POCM_ELEMENTARY_OF(cm_sigmoid, POCM_NEEDS("cm_sigmoid", CM_HAS_SIGMOID),
                (raw<E, N>(E(1)) / (raw<E, N>(E(1)) + __builtin_elementwise_exp2(X * raw<E, N>(E(-1.4426950408889634))))))
#undef POCM_ELEMENTARY
#undef POCM_ELEMENTARY_OF

// A function of two float operands.
#define POCM_ELEMENTARY_2(name, expression)                                                                            \
  template <class T0 = void, cm::detail::operand A, cm::detail::operand B>                                             \
  auto name(const A &Left, const B &Right, int Flag = _GENX_NOSAT) {                                                   \
    POCM_LANES(A, B);                                                                                                  \
    using E = decltype(float_of<A, B>());                                                                              \
    static_assert(is_floating<E>, #name " works on floats; convert an operand first");                                 \
    raw<E, N> X = value_of<E, N>(Left), Y = value_of<E, N>(Right);                                                     \
    return give_as<or_else<T0, E>, N, E, A, B>(expression, Flag);                                                                   \
  }
/// x to the power of y, for x of at least 0; NaN for negative x.
POCM_ELEMENTARY_2(cm_pow, (X < raw<E, N>(E(0)) ? raw<E, N>(E(__builtin_nan(""))) : __builtin_elementwise_pow(X, Y)))
/// Correctly rounded quotient.
POCM_ELEMENTARY_2(cm_div_ieee, (exact_quotient<E, N>(X, Y)))
/// Remainder with the sign of x, exact.
POCM_ELEMENTARY_2(cm_frem, __builtin_elementwise_fmod(X, Y))
#undef POCM_ELEMENTARY_2

/// Returns the sine; Cosine receives the cosine.
template <class T0 = void, class C, cm::detail::operand A>
auto cm_sincos(C &&Cosine, const A &Operand, int Flag = _GENX_NOSAT) {
  POCM_LANES(A);
  using E = element_type<A>;
  put(static_cast<C &&>(Cosine), value_of<E, N>(cm_cos(Operand, Flag)));
  return cm_sin<T0>(Operand, Flag);
}
