//===- cm/detail/operators.h - Element-wise operators ----------------------===//
//
// `a op b` promotes the elements as C++ promotes scalars (uchar + uchar is int), works
// element by element, and has the shape of the right operand when that is an object.
// Comparisons give vector<ushort, N> of 0 and 1. `a op= b` computes in the common type
// and converts back to a's. Specification chapters "Operators" and "Conversions".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {

template <class A, class B>
concept operands = (object<A> || object<B>) && (object<A> || scalar<A>) && (object<B> || scalar<B>);

/// Number of elements that `a op b` works on; 0 when they differ, which has been reported.
template <class A, class B> constexpr int count_of() {
  constexpr int Left = count_or_one<A>, Right = count_or_one<B>;
  if constexpr (object<A> && object<B>) {
    if constexpr (Left != Right)
      static_assert(Left == Right, sentence("the operands have ", Left, " and ", Right,
                                            " elements; give both the same number, for example with select"));
    return Left == Right ? Left : 0;
  } else {
    return object<A> ? Left : Right;
  }
}

/// Object of element type E with the shape of X.
template <class X, class E> struct reshaped {
  using type = vector<E, traits<X>::count>;
};
template <class X, class E> requires(traits<X>::is_matrix)
struct reshaped<X, E> {
  using type = matrix<E, traits<X>::rows, traits<X>::columns>;
};
template <class X, class E> using shape_of = typename reshaped<X, E>::type;

template <class A, class B, class E> struct result_of {
  using type = shape_of<A, E>;
};
template <class A, object B, class E> struct result_of<A, B, E> {
  using type = shape_of<B, E>;
};
template <class A, class B, class E> using result = typename result_of<A, B, E>::type;

template <class R, class E, int N> R make(raw<E, N> Value) {
  R Result;
  Result.initialize(Value);
  return Result;
}

template <class A, class B> using common_of = common<element_type<A>, element_type<B>>;

template <int N, class M> vector<ushort, N> make_mask(M Lanes) {
  return make<vector<ushort, N>, ushort, N>(__builtin_convertvector(Lanes, raw<ushort, N>) & ushort(1));
}

#define POCM_BINARY(op, Integers)                                                                                      \
  template <class A, class B> requires cm::detail::operands<A, B>                                                      \
  [[nodiscard]] auto operator op(const A &Left, const B &Right) {                                                                    \
    using namespace cm::detail;                                                                                        \
    using E = common_of<A, B>;                                                                                         \
    constexpr bool Wrong = Integers && (is_floating<element_type<A>> || is_floating<element_type<B>>);                 \
    static_assert(!Wrong, "operator " #op " works on integer elements; convert the floating-point operand first");     \
    constexpr int N = count_of<A, B>();                                                                                \
    if constexpr (N == 0 || Wrong)                                                                                     \
      return result<B, A, E>(); /* the left operand's shape */                                                         \
    else                                                                                                               \
      return make<result<A, B, E>, E, N>(value_of<E, N>(Left) op value_of<E, N>(Right));                               \
  }                                                                                                                    \
  template <class A, class B>                                                                                          \
    requires(cm::detail::object<A> && !cm::detail::changeable<A &&> && cm::detail::operands<cm::detail::bare<A>, B>)   \
  void operator op##=(A &&, const B &) = delete(                                                                       \
      "a new object, such as iselect, replicate or an operator gives, cannot be changed");                             \
  template <class A, class B> requires cm::detail::changeable<A &&> && cm::detail::operands<cm::detail::bare<A>, B>           \
  A &&operator op##=(A && Left, const B &Right) {                                                                      \
    using namespace cm::detail;                                                                                        \
    using T = element_type<A>;                                                                                         \
    constexpr int N = traits<bare<A>>::count;                                                                          \
    Left.assign(value_of<T, N>(static_cast<const bare<A> &>(Left) op Right));                                          \
    return static_cast<A &&>(Left);                                                                                    \
  }
POCM_BINARY(+, false)
POCM_BINARY(-, false)
POCM_BINARY(*, false)
POCM_BINARY(/, false)
POCM_BINARY(%, true)
POCM_BINARY(&, true)
POCM_BINARY(|, true)
POCM_BINARY(^, true)
#undef POCM_BINARY

// Shifts compute in the promoted type of the left operand; counts are taken modulo its width.
#define POCM_SHIFT(op)                                                                                                 \
  template <class A, class B> requires cm::detail::operands<A, B>                                                      \
  [[nodiscard]] auto operator op(const A &Left, const B &Right) {                                                                    \
    using namespace cm::detail;                                                                                        \
    using E = promoted<element_type<A>>;                                                                               \
    constexpr bool Wrong = is_floating<element_type<A>> || is_floating<element_type<B>>;                               \
    static_assert(!Wrong, "operator " #op " works on integer elements; convert the floating-point operand first");     \
    constexpr int N = count_of<A, B>();                                                                                \
    if constexpr (N == 0 || Wrong)                                                                                     \
      return result<B, A, E>(); /* the left operand's shape */                                                         \
    else                                                                                                               \
      return make<result<A, B, E>, E, N>(value_of<E, N>(Left)                                                          \
                                             op(value_of<E, N>(Right) & E(sizeof(E) * 8 - 1)));                        \
  }                                                                                                                    \
  template <class A, class B>                                                                                          \
    requires(cm::detail::object<A> && !cm::detail::changeable<A &&> && cm::detail::operands<cm::detail::bare<A>, B>)   \
  void operator op##=(A &&, const B &) = delete(                                                                       \
      "a new object, such as iselect, replicate or an operator gives, cannot be changed");                             \
  template <class A, class B> requires cm::detail::changeable<A &&> && cm::detail::operands<cm::detail::bare<A>, B>           \
  A &&operator op##=(A && Left, const B &Right) {                                                                      \
    using namespace cm::detail;                                                                                        \
    Left.assign(value_of<element_type<A>, traits<bare<A>>::count>(static_cast<const bare<A> &>(Left) op Right));       \
    return static_cast<A &&>(Left);                                                                                    \
  }
POCM_SHIFT(<<)
POCM_SHIFT(>>)
#undef POCM_SHIFT

#define POCM_COMPARE(op)                                                                                               \
  template <class A, class B> requires cm::detail::operands<A, B>                                                      \
  [[nodiscard]] auto operator op(const A &Left, const B &Right) {                                                                    \
    using namespace cm::detail;                                                                                        \
    using E = common_of<A, B>;                                                                                         \
    constexpr int N = count_of<A, B>();                                                                                \
    if constexpr (N == 0)                                                                                              \
      return vector<ushort, count_or_one<A>>();                                                                        \
    else                                                                                                               \
      return make_mask<N>(value_of<E, N>(Left) op value_of<E, N>(Right));                                              \
  }
POCM_COMPARE(<)
POCM_COMPARE(<=)
POCM_COMPARE(>)
POCM_COMPARE(>=)
POCM_COMPARE(==)
POCM_COMPARE(!=)
#undef POCM_COMPARE

#define POCM_UNARY(op, Integers)                                                                                       \
  template <cm::detail::object A> auto operator op(const A &Operand) {                                                 \
    using namespace cm::detail;                                                                                        \
    using E = promoted<element_type<A>>;                                                                               \
    static_assert(!Integers || !is_floating<E>, "operator " #op " works on integer elements");                         \
    constexpr int N = traits<A>::count;                                                                                \
    return make<shape_of<A, E>, E, N>(op value_of<E, N>(Operand));                                                     \
  }
POCM_UNARY(-, false)
POCM_UNARY(+, false)
POCM_UNARY(~, true)
#undef POCM_UNARY

/// 1 where the element is zero, else 0; always a vector.
template <cm::detail::object A> auto operator!(const A &Operand) { return Operand == cm::detail::element_type<A>(0); }

} // namespace cm::detail
