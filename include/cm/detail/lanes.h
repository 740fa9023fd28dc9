//===- cm/detail/lanes.h - How built-in functions take and give values -----===//
//
// A built-in works on vectors, matrices and scalars: all operands become N lanes, the
// result is a vector, or a scalar when every operand is one. T0, the first template
// argument, names the result's element type where it is given.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {

template <class X>
concept operand = object<X> || scalar<X>;

template <bool C, class A, class B> struct choose {
  using type = A;
};
template <class A, class B> struct choose<false, A, B> {
  using type = B;
};
template <bool C, class A, class B> using either = typename choose<C, A, B>::type;

/// T0 when it is given, else D.
template <class T0, class D> using or_else = either<is_same<T0, void>, D, T0>;

/// Lanes that operands work on together: the count of the objects among them, or 1.
template <class... X> constexpr int lanes() {
  int Count = 1;
  bool Agree = true;
  (
      [&] {
        if constexpr (object<X>) {
          Agree = Agree && (Count == 1 || traits<X>::count == 1 || Count == traits<X>::count);
          if (traits<X>::count > Count)
            Count = traits<X>::count;
        }
      }(),
      ...);
  return Agree ? Count : 0;
}

/// Lanes as what the function returns.
template <class R, int N, class... X> auto give(raw<R, N> Value) {
  if constexpr ((scalar<X> && ...))
    return Value[0];
  else
    return make<vector<R, N>, R, N>(Value);
}

/// As give(), converted to R, saturating when the flag says so.
template <class R, int N, class E, class... X> auto give_as(raw<E, N> Value, int Flag) {
  if (Flag)
    return give<R, N, X...>(convert_saturated<R, N, E>(Value));
  return give<R, N, X...>(convert<R, N, E>(Value));
}

/// Stores lanes to an output argument: an object, or a scalar variable. One lane is for all elements.
// auto: it is instantiated at once, so that what is wrong is said at the line of the call
template <class Out, class R, int N> auto put(Out &&To, raw<R, N> Value) {
  if constexpr (object<Out>) {
    using T = typename traits<bare<Out>>::type;
    constexpr int Count = traits<bare<Out>>::count;
    if constexpr (N == 1)
      To.assign(value_of<T, Count>(R(Value[0])));
    else
      To.assign(value_of<T, Count>(make<vector<R, N>, R, N>(Value)));
  } else
    To = bare<Out>(Value[0]);
}

/// An integer type in which sums and products of E do not overflow; E itself where there is none.
template <class E> using wide = either<is_floating<E> || sizeof(E) == 8, E, long long>;

template <class T> inline constexpr bool is_integer = !is_floating<T>;
/// The unsigned type of T's size.
template <class T>
using unsigned_of = either<sizeof(T) == 1, uchar,
                           either<sizeof(T) == 2, ushort, either<sizeof(T) == 4, uint, unsigned long long>>>;
template <class T>
using signed_of = either<sizeof(T) == 1, signed char,
                         either<sizeof(T) == 2, short, either<sizeof(T) == 4, int, long long>>>;

} // namespace cm::detail

// Names that the bodies of built-ins begin with.
#define POCM_LANES(...)                                                                                                \
  using namespace cm::detail;                                                                                          \
  constexpr int N = lanes<__VA_ARGS__>();                                                                              \
  static_assert(N > 0, "all operands have the same number of elements")
