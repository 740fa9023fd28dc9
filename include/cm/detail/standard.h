//===- cm/detail/standard.h - Traits that kernels find without a library ----===//
//
// The part of namespace std that kernels use, and `details`, the traits and helpers of
// CM's first headers that programs have come to call. What these traits say of an element
// type they say of vectors and matrices of it, too.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

#ifndef NULL
#define NULL 0
#endif

namespace std {

using nullptr_t = decltype(nullptr);
using ::ptrdiff_t;
using ::size_t;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uintptr_t;

template <class T, T V> struct integral_constant {
  using value_type = T;
  using type = integral_constant;
  static constexpr T value = V;
  constexpr operator T() const { return V; }
  constexpr T operator()() const { return V; }
};
template <bool V> using bool_constant = integral_constant<bool, V>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  using type = T;
};
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;

template <bool B, class T, class F> struct conditional {
  using type = T;
};
template <class T, class F> struct conditional<false, T, F> {
  using type = F;
};
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;

template <class...> using void_t = void;
template <class T> struct type_identity {
  using type = T;
};
template <class T> using type_identity_t = T;

// A trait that gives a type.
#define POCM_TYPE_TRAIT(name, ...)                                                                                     \
  template <class T> struct name {                                                                                     \
    using type = __VA_ARGS__;                                                                                          \
  };                                                                                                                   \
  template <class T> using name##_t = __VA_ARGS__;
POCM_TYPE_TRAIT(remove_reference, __remove_reference_t(T))
POCM_TYPE_TRAIT(remove_const, __remove_const(T))
POCM_TYPE_TRAIT(remove_volatile, __remove_volatile(T))
POCM_TYPE_TRAIT(remove_cv, __remove_cv(T))
POCM_TYPE_TRAIT(remove_cvref, __remove_cvref(T))
POCM_TYPE_TRAIT(remove_pointer, __remove_pointer(T))
POCM_TYPE_TRAIT(remove_extent, __remove_extent(T))
POCM_TYPE_TRAIT(add_pointer, __add_pointer(T))
POCM_TYPE_TRAIT(add_const, const T)
POCM_TYPE_TRAIT(add_lvalue_reference, __add_lvalue_reference(T))
POCM_TYPE_TRAIT(add_rvalue_reference, __add_rvalue_reference(T))
POCM_TYPE_TRAIT(decay, __decay(T))
POCM_TYPE_TRAIT(make_signed, __make_signed(T))
POCM_TYPE_TRAIT(make_unsigned, __make_unsigned(T))
POCM_TYPE_TRAIT(underlying_type, __underlying_type(T))
#undef POCM_TYPE_TRAIT

// A trait that says yes or no, of T or of two types.
#define POCM_TRAIT(name, ...)                                                                                          \
  template <class T> struct name : bool_constant<__VA_ARGS__> {};                                                      \
  template <class T> inline constexpr bool name##_v = name<T>::value;
#define POCM_TRAIT_2(name, ...)                                                                                        \
  template <class T, class U> struct name : bool_constant<__VA_ARGS__> {};                                             \
  template <class T, class U> inline constexpr bool name##_v = name<T, U>::value;
POCM_TRAIT_2(is_same, __is_same(T, U))
POCM_TRAIT_2(is_base_of, __is_base_of(T, U))
POCM_TRAIT_2(is_convertible, __is_convertible(T, U))
POCM_TRAIT(is_void, __is_void(T))
POCM_TRAIT(is_const, __is_const(T))
POCM_TRAIT(is_volatile, __is_volatile(T))
POCM_TRAIT(is_pointer, __is_pointer(T))
POCM_TRAIT(is_reference, __is_reference(T))
POCM_TRAIT(is_lvalue_reference, __is_lvalue_reference(T))
POCM_TRAIT(is_rvalue_reference, __is_rvalue_reference(T))
POCM_TRAIT(is_array, __is_array(T))
POCM_TRAIT(is_enum, __is_enum(T))
POCM_TRAIT(is_class, __is_class(T))
POCM_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
POCM_TRAIT(is_integral, __is_integral(cm::detail::element_type<T>))
POCM_TRAIT(is_floating_point, cm::detail::is_floating<cm::detail::element_type<T>>)
POCM_TRAIT(is_arithmetic, is_integral<T>::value || is_floating_point<T>::value)
POCM_TRAIT(is_signed, is_arithmetic<T>::value &&
                          (is_floating_point<T>::value || __is_signed(cm::detail::element_type<T>)))
POCM_TRAIT(is_unsigned, __is_unsigned(cm::detail::element_type<T>))
POCM_TRAIT(is_scalar, is_arithmetic<T>::value || __is_enum(T) || __is_pointer(T))
POCM_TRAIT(is_long_long, __is_same(__remove_cv(T), long long) || __is_same(__remove_cv(T), unsigned long long))

template <class... B> struct conjunction : bool_constant<(bool(B::value) && ...)> {};
template <class... B> struct disjunction : bool_constant<(bool(B::value) || ...)> {};
template <class B> struct negation : bool_constant<!bool(B::value)> {};
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class B> inline constexpr bool negation_v = negation<B>::value;

template <class T> constexpr T &&forward(remove_reference_t<T> &Value) noexcept { return static_cast<T &&>(Value); }
template <class T> constexpr T &&forward(remove_reference_t<T> &&Value) noexcept { return static_cast<T &&>(Value); }
template <class T> constexpr remove_reference_t<T> &&move(T &&Value) noexcept {
  return static_cast<remove_reference_t<T> &&>(Value);
}
template <class T> constexpr void swap(T &Left, T &Right) {
  T Old = Left;
  Left = Right;
  Right = Old;
}
template <class T> add_rvalue_reference_t<T> declval() noexcept;
template <class T> constexpr const T &min(const T &Left, const T &Right) { return Right < Left ? Right : Left; }
template <class T> constexpr const T &max(const T &Left, const T &Right) { return Left < Right ? Right : Left; }

/// Ends of number types: min() is the smallest positive number of a floating one.
template <class T> struct numeric_limits {
  static constexpr bool is_specialized = false;
};
template <class T>
  requires(__is_integral(T))
struct numeric_limits<T> {
  static constexpr bool is_specialized = true, is_integer = true, is_signed = __is_signed(T);
  static constexpr int digits = int(sizeof(T)) * 8 - is_signed;
  static constexpr T min() { return cm::detail::lowest<T>(); }
  static constexpr T lowest() { return cm::detail::lowest<T>(); }
  static constexpr T max() { return cm::detail::highest<T>(); }
};
#define POCM_LIMITS(T, bits, smallest, largest, step)                                                                  \
  template <> struct numeric_limits<T> {                                                                               \
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true;                                 \
    static constexpr int digits = bits;                                                                                \
    static constexpr T min() { return T(smallest); }                                                                   \
    static constexpr T lowest() { return T(-largest); }                                                                \
    static constexpr T max() { return T(largest); }                                                                    \
    static constexpr T epsilon() { return T(step); }                                                                   \
    static constexpr T infinity() { return T(__builtin_inf()); }                                                       \
    static constexpr T quiet_NaN() { return T(__builtin_nan("")); }                                                    \
  };
POCM_LIMITS(half, 11, 0x1p-14, 65504.0, 0x1p-10)
POCM_LIMITS(bfloat16, 8, 0x1p-126, 0x1.FEp127, 0x1p-7)
POCM_LIMITS(float, 24, 0x1p-126, 0x1.FFFFFEp127, 0x1p-23)
POCM_LIMITS(double, 53, 0x1p-1022, 0x1.FFFFFFFFFFFFFp1023, 0x1p-52)
#undef POCM_LIMITS

} // namespace std

namespace details {

/// Sizes in bytes.
enum { BYTE = 1, WORD = 2, DWORD = 4, QWORD = 8, OWORD = 16, GRF = cm::detail::register_bytes };

constexpr unsigned getNextPowerOf2(unsigned N, unsigned From = 1) {
  while (From < N)
    From *= 2;
  return From;
}
constexpr bool isPowerOf2(unsigned N) { return (N & (N - 1)) == 0; }
constexpr bool isPowerOf2(unsigned N, unsigned Most) { return isPowerOf2(N) && N <= Most; }
constexpr unsigned roundUpNextMultiple(unsigned N, unsigned Of) { return (N + Of - 1) / Of * Of; }
/// Blocks of 16 bytes that a message to shared local memory takes.
constexpr unsigned getMaxNumOfOWordSLM() { return 16; }

#define POCM_KIND(name, ...)                                                                                           \
  template <class X> struct name {                                                                                     \
    using T = cm::detail::element_type<X>;                                                                             \
    static constexpr bool value = __VA_ARGS__;                                                                         \
  };
POCM_KIND(is_cm_vector, cm::detail::object<X>)
POCM_KIND(is_cm_scalar, !cm::detail::object<X> && cm::detail::element<T>)
POCM_KIND(is_byte_type, sizeof(T) == 1 && __is_integral(T))
POCM_KIND(is_word_type, sizeof(T) == 2 && __is_integral(T))
POCM_KIND(is_dword_type, sizeof(T) == 4 && __is_integral(T))
POCM_KIND(is_qword_type, sizeof(T) == 8 && __is_integral(T))
POCM_KIND(is_char_type, __is_same(T, char))
POCM_KIND(is_short_type, __is_same(T, short))
POCM_KIND(is_half_type, __is_same(T, half))
POCM_KIND(is_bf16_type, __is_same(T, bfloat16))
POCM_KIND(is_float_type, __is_same(T, float))
POCM_KIND(is_fp_type, __is_same(T, float))
POCM_KIND(is_df_type, __is_same(T, double))
POCM_KIND(is_float_or_half, __is_same(T, float) || __is_same(T, half))
POCM_KIND(is_fp_or_dword_type, __is_same(T, float) || (sizeof(T) == 4 && __is_integral(T)))
#undef POCM_KIND

template <class Wanted, class... T> struct is_one_of {
  static constexpr bool value = (__is_same(__remove_const(Wanted), __remove_const(T)) || ...);
};
template <class Wanted, class... T> inline constexpr bool is_one_of_v = is_one_of<Wanted, T...>::value;
template <class Enum, Enum Wanted, Enum... Others> struct is_one_of_enum {
  static constexpr bool value = ((Wanted == Others) || ...);
};
template <class Enum, Enum... Values> inline constexpr bool is_one_of_enum_v = is_one_of_enum<Enum, Values...>::value;

/// The type of 4 bytes, of 1, or of 2, as signed as T.
template <class T> struct dword_type {
  using type = cm::detail::either<(sizeof(T) < 4 && __is_integral(T)), cm::detail::either<__is_unsigned(T), uint, int>, T>;
};
template <class T> struct byte_type {
  using type = cm::detail::either<__is_integral(T), cm::detail::either<__is_unsigned(T), uchar, char>, T>;
};
template <class T> struct word_type {
  using type = cm::detail::either<(sizeof(T) < 8 && __is_integral(T)), cm::detail::either<__is_unsigned(T), ushort, short>, T>;
};

/// The integer type with a sign, or without one; T where it is no integer.
template <class T> struct make_signed {
  using type = T;
};
template <class T>
  requires(__is_unsigned(T) && !__is_same(T, bool))
struct make_signed<T> {
  using type = __make_signed(T);
};
template <> struct make_signed<uchar> {
  using type = char;
};
template <class T> struct make_unsigned {
  using type = T;
};
template <class T>
  requires(__is_signed(T) && __is_integral(T))
struct make_unsigned<T> {
  using type = __make_unsigned(T);
};

/// The object that a reference is to: vector of vector_ref, matrix of matrix_ref.
template <class T> struct remove_ref {
  using type = T;
};
template <class T, int N> struct remove_ref<vector_ref<T, N>> {
  using type = vector<T, N>;
};
template <class T, int R, int C> struct remove_ref<matrix_ref<T, R, C>> {
  using type = matrix<T, R, C>;
};
template <class T> using remove_ref_t = typename remove_ref<T>::type;

/// The vector of as many elements as T, a scalar or an object, has.
template <class T> struct vector_type {
  using type = vector<T, 1>;
};
template <class T>
  requires(cm::detail::object<T>)
struct vector_type<T> {
  using type = vector<cm::detail::element_type<T>, cm::detail::count_or_one<T>>;
};
template <class T> struct vector_type<T &> : vector_type<T> {};
template <class T> struct vector_type<T &&> : vector_type<T> {};
template <class T>
  requires(!cm::detail::object<T>)
struct vector_type<const T> : vector_type<T> {};

/// The type of a sum of two, and of a choice between them.
template <class T, class U> struct computation_type {
  using type = decltype(T() + U());
};
template <class T, class U> struct common_type {
  using type = decltype(true ? T() : U());
};
template <class Wanted, class... T> constexpr bool is_type() {
  return (__is_same(__remove_const(Wanted), __remove_const(T)) || ...);
}

/// The first elements of Source, where it has enough of them for Target.
template <class D, class S> void if_assign(D &&Target, const S &Source) {
  using To = cm::detail::traits<cm::detail::bare<D>>;
  using From = cm::detail::traits<cm::detail::bare<S>>;
  if constexpr (To::columns <= From::columns) {
    if constexpr (To::is_matrix)
      Target = Source.template select<To::rows, 1, To::columns, 1>(0, 0);
    else
      Target = Source.template select<To::columns, 1>(0);
  }
}

/// Width elements, Stride apart, from an offset on; the stride of a single element counts for nothing.
template <int Width, int Stride, class T, int N> vector<T, Width> read_region(vector<T, N> Source, int Offset) {
  return Source.template select<Width, Width == 1 ? 1 : Stride>(Offset);
}
template <int Stride, class T, int N, int Width>
void write_region(vector<T, N> &Target, vector<T, Width> Source, int Offset) {
  Target.template select<Width, Width == 1 ? 1 : Stride>(Offset) = Source;
}

/// Quotients, rounded towards zero; Remainder gets what is left.
template <int Size = 0, cm::detail::object A, cm::detail::object B, cm::detail::object R>
auto __impl_divrem(const A &X, const B &Y, R &&Remainder) {
  using T = cm::detail::element_type<A>;
  constexpr int N = cm::detail::count_or_one<A>;
  static_assert(__is_integral(T) && __is_same(T, cm::detail::element_type<B>) && __is_same(T, cm::detail::element_type<R>),
                "__impl_divrem: integers of one type");
  static_assert(N == cm::detail::count_or_one<B> && N == cm::detail::count_or_one<R> && (Size == 0 || Size == N),
                "__impl_divrem: as many elements of each");
  vector<T, N> Left = X, Right = Y, Quotient = Left / Right;
  Remainder = Left - Quotient * Right;
  return Quotient;
}

} // namespace details
