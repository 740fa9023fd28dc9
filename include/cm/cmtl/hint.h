//===- cm/cmtl/hint.h - What kinds of floats a function will see ---------------------------------===//
#pragma once
#include <cm/cm.h>

namespace cmtl::hint {
/// A set of classes of floating-point numbers, known from its type: the tags of fpclass_tag_def and what `|`, `&`
/// and `~` make of them.
template <unsigned Set> class fpclass_tag : public std::integral_constant<unsigned, Set> {
  static_assert(Set < 32, "fpclass_tag: five classes");
  template <class T> static constexpr unsigned set_of = 0;
  template <unsigned S> static constexpr unsigned set_of<fpclass_tag<S>> = S;

public:
  using not_t = fpclass_tag<~Set & 31>;
  constexpr fpclass_tag() = default;
  constexpr not_t operator~() const { return {}; }
  /// Whether all classes of a tag are among these.
  template <class T> static constexpr bool has_v = (Set & set_of<T>) == set_of<T>;
  template <unsigned S> constexpr bool has(fpclass_tag<S>) const { return has_v<fpclass_tag<S>>; }
};
template <unsigned L, unsigned R> constexpr fpclass_tag<L | R> operator|(fpclass_tag<L>, fpclass_tag<R>) { return {}; }
template <unsigned L, unsigned R> constexpr fpclass_tag<L & R> operator&(fpclass_tag<L>, fpclass_tag<R>) { return {}; }
template <unsigned L, unsigned R> constexpr bool operator==(fpclass_tag<L>, fpclass_tag<R>) { return L == R; }
template <unsigned L, unsigned R> constexpr bool operator!=(fpclass_tag<L>, fpclass_tag<R>) { return L != R; }
template <class L, class R> using or_t = decltype(L() | R());
template <class L, class R> using and_t = decltype(L() & R());
template <class L, class R> inline constexpr bool equal_v = L() == R();

template <class T> struct is_fpclass_tag : std::false_type {};
template <unsigned S> struct is_fpclass_tag<fpclass_tag<S>> : std::true_type {};
template <class T> inline constexpr bool is_fpclass_tag_v = is_fpclass_tag<T>::value;

/// Tags of single classes; special is NaN or infinite, general any number.
struct fpclass_tag_def {
  using none_t = fpclass_tag<0>;
  using nan_t = fpclass_tag<1>;
  using infinite_t = fpclass_tag<2>;
  using subnormal_t = fpclass_tag<4>;
  using zero_t = fpclass_tag<8>;
  using normal_t = fpclass_tag<16>;
  using general_t = fpclass_tag<31>;
  using special_t = or_t<nan_t, infinite_t>;
  static constexpr nan_t nan{};
  static constexpr infinite_t infinite{};
  static constexpr subnormal_t subnormal{};
  static constexpr zero_t zero{};
  static constexpr normal_t normal{};
  static constexpr general_t general{};
  static constexpr special_t special{};
};
} // namespace cmtl::hint
