//===- cm/detail/arithmetic.h - Arithmetic built-ins ------------------------===//
//
// Specification chapter "Integer and general arithmetic built-ins". The flag SAT makes
// the exact result clamp to the range of T0 (to [0, 1] for floats).
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// |x|. The lowest integer stays itself without SAT.
template <class T0 = void, cm::detail::operand A> auto cm_abs(const A &X, int Flag = _GENX_NOSAT) {
  POCM_LANES(A);
  using S = element_type<A>;
  using R = or_else<T0, S>;
  if constexpr (is_floating<S>) {
    return give_as<R, N, S, A>(__builtin_elementwise_abs(value_of<S, N>(X)), Flag);
  } else if constexpr (is_unsigned<S>) {
    return give_as<R, N, S, A>(value_of<S, N>(X), Flag);
  } else {
    using E = promoted<S>;
    raw<E, N> Value = value_of<E, N>(X);
    if (Flag) // the one value that has no counterpart
      Value = __builtin_elementwise_max(Value, raw<E, N>(-highest<E>()));
    return give_as<R, N, E, A>(__builtin_elementwise_abs(Value), Flag);
  }
}

namespace cm::detail {
/// An integer type in which the sum of elements of A and B, which promote to E, is exact; E itself where there is none.
template <class E, class A, class B>
using wide_sum =
    either<is_floating<E> || sizeof(E) == 8, E,
           either<is_unsigned<E> && is_unsigned<element_type<A>> && is_unsigned<element_type<B>>, unsigned long long,
                  long long>>;
/// The same for the product, which of bytes and words has 32 bits.
template <class E, class A, class B>
using wide_product =
    either<is_integer<E> && (sizeof(element_type<A>) < 4 && sizeof(element_type<B>) < 4),
           either<is_unsigned<element_type<A>> && is_unsigned<element_type<B>>, uint, int>, wide_sum<E, A, B>>;

/// The sum of 64-bit integers, clamped to R. Two positive ones may fit in unsigned R though they do not in E.
template <class R, class E, int N> raw<R, N> saturated_sum(raw<E, N> Left, raw<E, N> Right) {
  raw<R, N> Sum = convert_saturated<R, N, E>(__builtin_elementwise_add_sat(Left, Right));
  if constexpr (is_same<R, unsigned long long> && !is_unsigned<E>)
    Sum = (Left | Right) < raw<E, N>(0) ? Sum : (raw<R, N>)Left + (raw<R, N>)Right;
  return Sum;
}
/// The product of 64-bit integers wraps.
template <class R, class E, int N> raw<R, N> saturated_product(raw<E, N> Left, raw<E, N> Right) {
  return convert_saturated<R, N, E>(Left * Right);
}
} // namespace cm::detail

// a op b after C's promotion, exact, then converted.
#define POCM_EXACT(name, op, wide_result, saturating)                                                                  \
  template <class T0, cm::detail::operand A, cm::detail::operand B>                                                    \
  auto name(const A &Left, const B &Right, int Flag = _GENX_NOSAT) {                                                   \
    POCM_LANES(A, B);                                                                                                  \
    using E = common_of<A, B>;                                                                                         \
    using W = wide_result<E, A, B>;                                                                                    \
    if constexpr (is_integer<E> && sizeof(E) == 8) {                                                                   \
      if (Flag)                                                                                                        \
        return give<T0, N, A, B>(saturating<T0, E, N>(value_of<E, N>(Left), value_of<E, N>(Right)));                   \
    } else {                                                                                                           \
      if (Flag)                                                                                                        \
        return give_as<T0, N, W, A, B>(value_of<W, N>(Left) op value_of<W, N>(Right), Flag);                           \
    }                                                                                                                  \
    return give_as<T0, N, E, A, B>(value_of<E, N>(Left) op value_of<E, N>(Right), _GENX_NOSAT);                        \
  }
/// a + b.
POCM_EXACT(cm_add, +, wide_sum, saturated_sum)
/// a * b. 64-bit products do not saturate.
POCM_EXACT(cm_mul, *, wide_product, saturated_product)
#undef POCM_EXACT

/// Sum modulo 2^n; Carry receives 0 or 1 for each element. Carry is output only.
template <cm::detail::operand A, cm::detail::operand B, class C> auto cm_addc(const A &Left, const B &Right, C &&Carry) {
  POCM_LANES(A, B);
  using E = common_of<A, B>;
  static_assert(is_integer<E> && is_unsigned<E>, "cm_addc works on unsigned integers of 32 or 64 bits");
  raw<E, N> X = value_of<E, N>(Left), Sum = X + value_of<E, N>(Right);
  put(static_cast<C &&>(Carry), __builtin_convertvector(Sum < X, raw<E, N>) & raw<E, N>(1));
  return give<E, N, A, B>(Sum);
}

/// Difference modulo 2^n; Borrow receives 1 where a < b, else 0.
template <cm::detail::operand A, cm::detail::operand B, class C> auto cm_subb(const A &Left, const B &Right, C &&Borrow) {
  POCM_LANES(A, B);
  using E = common_of<A, B>;
  static_assert(is_integer<E> && is_unsigned<E>, "cm_subb works on unsigned integers of 32 or 64 bits");
  raw<E, N> X = value_of<E, N>(Left), Y = value_of<E, N>(Right);
  put(static_cast<C &&>(Borrow), __builtin_convertvector(X < Y, raw<E, N>) & raw<E, N>(1));
  return give<E, N, A, B>(X - Y);
}

/// (a + b + 1) >> 1 in exact arithmetic.
template <class T0, cm::detail::operand A, cm::detail::operand B>
auto cm_avg(const A &Left, const B &Right, int Flag = _GENX_NOSAT) {
  POCM_LANES(A, B);
  using E = common_of<A, B>;
  static_assert(is_integer<E>, "cm_avg works on integers");
  if constexpr (sizeof(E) == 4 && is_unsigned<element_type<A>> == is_unsigned<element_type<B>>) { // no bit more
    raw<E, N> X = value_of<E, N>(Left), Y = value_of<E, N>(Right);
    return give_as<T0, N, E, A, B>((X | Y) - ((X ^ Y) >> raw<E, N>(1)), Flag);
  } else {
    using W = either<(sizeof(E) < 4), int, wide<E>>;
    return give_as<T0, N, W, A, B>((value_of<W, N>(Left) + value_of<W, N>(Right) + raw<W, N>(1)) >> raw<W, N>(1), Flag);
  }
}

/// a / b of integers, as C divides.
template <class T0 = void, cm::detail::operand A, cm::detail::operand B>
auto cm_quot(const A &Left, const B &Right, int = _GENX_NOSAT) {
  POCM_LANES(A, B);
  using E = common_of<A, B>;
  static_assert(is_integer<E>, "cm_quot works on integers");
  return give_as<or_else<T0, E>, N, E, A, B>(value_of<E, N>(Left) / value_of<E, N>(Right), _GENX_NOSAT);
}

/// a % b of integers, with the sign of a.
template <class T0 = void, cm::detail::operand A, cm::detail::operand B>
auto cm_mod(const A &Left, const B &Right, int = _GENX_NOSAT) {
  POCM_LANES(A, B);
  using E = common_of<A, B>;
  static_assert(is_integer<E>, "cm_mod works on integers");
  return give_as<or_else<T0, E>, N, E, A, B>(value_of<E, N>(Left) % value_of<E, N>(Right), _GENX_NOSAT);
}

/// Returns a / b; Remainder receives a % b.
template <class T0 = void, class C, cm::detail::operand A, cm::detail::operand B>
auto cm_div(C &&Remainder, const A &Left, const B &Right, int = _GENX_NOSAT) {
  POCM_LANES(A, B);
  using E = common_of<A, B>;
  static_assert(is_integer<E>, "cm_div works on integers");
  raw<E, N> X = value_of<E, N>(Left), Y = value_of<E, N>(Right);
  put(static_cast<C &&>(Remainder), X % Y);
  return give_as<or_else<T0, E>, N, E, A, B>(X / Y, _GENX_NOSAT);
}

/// 32 x 32 bits: returns the high half of the product, Low receives the low half.
template <class T0 = void, class C, cm::detail::operand A, cm::detail::operand B>
auto cm_imul(C &&Low, const A &Left, const B &Right, int = _GENX_NOSAT) {
  POCM_LANES(A, B);
  using E = common_of<A, B>;
  static_assert(is_integer<E> && sizeof(E) == 4, "cm_imul works on 32-bit integers");
  using W = either<is_unsigned<E>, unsigned long long, long long>;
  raw<W, N> Product = value_of<W, N>(make<vector<E, N>, E, N>(value_of<E, N>(Left))) *
                      value_of<W, N>(make<vector<E, N>, E, N>(value_of<E, N>(Right)));
  put(static_cast<C &&>(Low), __builtin_convertvector(Product, raw<E, N>));
  return give_as<or_else<T0, E>, N, E, A, B>(__builtin_convertvector(Product >> raw<W, N>(32), raw<E, N>), _GENX_NOSAT);
}

// The larger or smaller of two, in their common type. Of a number and a NaN, the number.
#define POCM_EXTREME(name, builtin)                                                                                    \
  template <class T0 = void, cm::detail::operand A, cm::detail::operand B>                                             \
  auto name(const A &Left, const B &Right, int Flag = _GENX_NOSAT) {                                                   \
    POCM_LANES(A, B);                                                                                                  \
    using S = element_type<A>;                                                                                         \
    using E = either<is_same<S, element_type<B>>, S, common_of<A, B>>;                                                 \
    return give_as<or_else<T0, E>, N, E, A, B>(builtin(value_of<E, N>(Left), value_of<E, N>(Right)), Flag);            \
  }
POCM_EXTREME(cm_max, __builtin_elementwise_max)
POCM_EXTREME(cm_min, __builtin_elementwise_min)
#undef POCM_EXTREME

namespace cm::detail {
/// What cm_sad2 takes of an operand: bytes, as those of the first operand that is an object or, without one, of Left.
template <class A, class B> struct sad_bytes {
  using source = element_type<either<object<A> || !object<B>, A, B>>;
  static_assert(is_integer<element_type<A>> && is_integer<element_type<B>>, "cm_sad2 works on bytes");
  using type = either<is_unsigned<source>, uchar, signed char>;
};
/// |a - b| of bytes.
template <class A, class B, int N> auto byte_distances(const A &Left, const B &Right) {
  using S = typename sad_bytes<A, B>::type;
  return __builtin_elementwise_abs(__builtin_convertvector(value_of<S, N>(Left), raw<int, N>) -
                                   __builtin_convertvector(value_of<S, N>(Right), raw<int, N>));
}
} // namespace cm::detail

/// For each pair (2k, 2k+1): element 2k is |a0 - b0| + |a1 - b1|, element 2k+1 is 0. Of scalars it is |a - b|. Wider
/// integers are cut to bytes.
template <class T0 = ushort, cm::detail::operand A, cm::detail::operand B>
auto cm_sad2(const A &Left, const B &Right, int = _GENX_NOSAT) {
  POCM_LANES(A, B);
  static_assert(N == 1 || N % 2 == 0, "cm_sad2 works on pairs of elements");
  raw<int, N> Distances = byte_distances<A, B, N>(Left, Right);
  if constexpr (N == 1) {
    return give_as<T0, N, int, A, B>(Distances, _GENX_NOSAT);
  } else {
    constexpr int Pairs = N / 2, Step = Pairs == 1 ? 1 : 2;
    vector<int, N> Each = make<vector<int, N>, int, N>(Distances);
    vector<T0, N> Sums = 0;
    Sums.template select<Pairs, Step>(0) = Each.template select<Pairs, Step>(0) + Each.template select<Pairs, Step>(1);
    return Sums;
  }
}

/// cm_sad2(a, b) + c in the even elements.
template <class T0 = ushort, cm::detail::operand A, cm::detail::operand B, cm::detail::operand C>
auto cm_sada2(const A &Left, const B &Right, const C &More, int Flag = _GENX_NOSAT) {
  POCM_LANES(A, B);
  auto Sum = cm_add<T0>(cm_sad2<int>(Left, Right), More, Flag);
  if constexpr (N == 1) {
    return Sum;
  } else {
    constexpr int Pairs = N / 2, Step = Pairs == 1 ? 1 : 2;
    vector<T0, N> All = Sum, Result = 0;
    Result.template select<Pairs, Step>(0) = All.template select<Pairs, Step>(0);
    return Result;
  }
}

namespace cm::detail {
/// Element I of every group of four, in all four lanes.
template <int N> auto in_fours(const vector<float, N> &V, int I) {
  static_assert(N % 4 == 0, "dot products work on groups of four elements");
  return V.template replicate<N / 4, 4, 4, 0>(I);
}
template <class T0, class A, class B, class Sum> auto dot(const A &Left, const B &Right, int Flag, Sum Add) {
  constexpr int N = lanes<A, B>();
  vector<float, N> X = make<vector<float, N>, float, N>(value_of<float, N>(Left)),
                   Y = make<vector<float, N>, float, N>(value_of<float, N>(Right));
  return give_as<T0, N, float, vector<float, N>>(Add(in_fours(X * Y, 0), in_fours(X * Y, 1), in_fours(X * Y, 2),
                                                        in_fours(X * Y, 3), in_fours(Y, 3))
                                                        .value(),
                                                    Flag);
}
} // namespace cm::detail

// Dot products of groups of four elements; the result is in all four lanes.
#define POCM_DOT(name, sum)                                                                                            \
  template <class T0 = float, cm::detail::object A, cm::detail::operand B>                                             \
  auto name(const A &Left, const B &Right, int Flag = _GENX_NOSAT) {                                                   \
    return cm::detail::dot<T0>(Left, Right, Flag,                                                                          \
                           [](auto P0, auto P1, auto P2, auto P3, auto Y3) { return sum; });                           \
  }
POCM_DOT(cm_dp2, P0 + P1)
POCM_DOT(cm_dp3, P0 + P1 + P2)
POCM_DOT(cm_dp4, P0 + P1 + P2 + P3)
POCM_DOT(cm_dph, P0 + P1 + P2 + Y3) // homogeneous: x3 counts as 1
#undef POCM_DOT

/// x * a + y * (1 - a): the weight comes first.
template <class T0 = float, cm::detail::operand A, cm::detail::operand X, cm::detail::operand Y>
auto cm_lrp(const A &Weight, const X &First, const Y &Second, int Flag = _GENX_NOSAT) {
  POCM_LANES(A, X, Y);
  raw<float, N> W = value_of<float, N>(Weight);
  return give_as<T0, N, float, A, X, Y>(value_of<float, N>(First) * W +
                                            value_of<float, N>(Second) * (raw<float, N>(1) - W),
                                        Flag);
}

/// p * v + q.
template <class T0 = float, cm::detail::operand V>
auto cm_line(float P, float Q, const V &Value, int Flag = _GENX_NOSAT) {
  POCM_LANES(V);
  return give_as<T0, N, float, V>(value_of<float, N>(Value) * raw<float, N>(P) + raw<float, N>(Q), Flag);
}
/// P[0] * v + P[3]: the constant is coefficient 3.
template <class T0 = float, cm::detail::object P, cm::detail::operand V>
auto cm_line(const P &Coefficients, const V &Value, int Flag = _GENX_NOSAT) {
  static_assert(cm::detail::traits<P>::count == 4, "cm_line takes four coefficients");
  auto C = cm::detail::value_of<float, 4>(Coefficients);
  return cm_line<T0>(C[0], C[3], Value, Flag);
}
/// P[0] * u + P[1] * v + P[3].
template <class T0 = float, cm::detail::object P, cm::detail::operand U, cm::detail::operand V>
auto cm_pln(const P &Coefficients, const U &First, const V &Second, int Flag = _GENX_NOSAT) {
  POCM_LANES(U, V);
  static_assert(traits<P>::count == 4, "cm_pln takes four coefficients");
  auto C = value_of<float, 4>(Coefficients);
  return give_as<T0, N, float, U, V>(value_of<float, N>(First) * raw<float, N>(C[0]) +
                                            value_of<float, N>(Second) * raw<float, N>(C[1]) + raw<float, N>(C[3]),
                                        Flag);
}

namespace cm::detail {
/// Byte K of each dword, signed when the elements are int.
template <class T, int N> raw<long long, N> byte_of(raw<T, N> Value, int K) {
  raw<T, N> Up = Value << raw<T, N>(T(24 - 8 * K));
  return __builtin_convertvector(Up >> raw<T, N>(T(24)), raw<long long, N>);
}
} // namespace cm::detail

/// Accumulator + the sum of the four products of bytes; bytes are signed in an int operand, unsigned in a uint one.
template <class T0, cm::detail::operand C, cm::detail::operand A, cm::detail::operand B>
auto cm_dp4a(const C &Accumulator, const A &Left, const B &Right, int Flag = _GENX_NOSAT) {
  POCM_NEEDS("cm_dp4a", CM_HAS_DP4A);
  POCM_LANES(C, A, B);
  using TA = element_type<A>;
  using TB = element_type<B>;
  static_assert((is_same<TA, int> || is_same<TA, uint>) && (is_same<TB, int> || is_same<TB, uint>) &&
                    (is_same<T0, int> || is_same<T0, uint>),
                "cm_dp4a works on int and uint");
  raw<long long, N> Sum = value_of<long long, N>(Accumulator);
#pragma unroll
  for (int K = 0; K < 4; ++K)
    Sum += byte_of<TA, N>(value_of<TA, N>(Left), K) * byte_of<TB, N>(value_of<TB, N>(Right), K);
  return give_as<T0, N, long long, C, A, B>(Sum, Flag);
}

/// x - floor(x), in [0, 1).
template <class T0 = void, cm::detail::operand A> auto cm_frc(const A &X) {
  POCM_LANES(A);
  using S = or_else<T0, element_type<A>>;
  static_assert(is_floating<S>, "cm_frc works on floats");
  raw<S, N> Value = value_of<S, N>(X);
  return give<S, N, A>(Value - __builtin_elementwise_floor(Value));
}

// Rounding to a whole number, as a float or an integer type T0. A scalar that is an integer is taken as a float.
#define POCM_ROUND(name, builtin)                                                                                      \
  template <class T0 = void, cm::detail::operand A> auto name(const A &X, int Flag = _GENX_NOSAT) {                    \
    POCM_LANES(A);                                                                                                     \
    using S = either<object<A> || is_floating<element_type<A>>, element_type<A>, float>;                               \
    static_assert(is_floating<S>, #name " works on floats");                                                           \
    return give_as<or_else<T0, S>, N, S, A>(builtin(value_of<S, N>(X)), Flag);                                                   \
  }
/// Towards minus infinity.
POCM_ROUND(cm_rndd, __builtin_elementwise_floor)
/// Towards plus infinity.
POCM_ROUND(cm_rndu, __builtin_elementwise_ceil)
/// To nearest, ties to even.
POCM_ROUND(cm_rnde, __builtin_elementwise_roundeven)
/// Towards zero.
POCM_ROUND(cm_rndz, __builtin_elementwise_trunc)
#undef POCM_ROUND
