//===- cm/detail/objects.h - vector, matrix and their references -----------===//
//
// vector<T,N> and matrix<T,R,C> own one whole value; vector_ref and matrix_ref are a
// pointer and strides into somebody else's. Assignment reads the whole source before
// it writes, converts the element type, and takes any shape of equal element count.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {

/// X, an object or scalar, as N elements of type T.
template <class T, int N, class X> auto value_of(const X &Source) {
  static_assert(object<X> || scalar<X>, "the operand is neither a vector, a matrix nor a scalar");
  if constexpr (object<X>) {
    constexpr int Count = traits<X>::count;
    if constexpr (Count != N) {
      static_assert(Count == N, sentence("an object of ", Count, " elements where ", N,
                                         " are needed; take the right part of it with select"));
      return raw<T, N>(0);
    } else if constexpr (is_same<typename traits<X>::type, T>) {
      return Source.value();
    } else {
      return convert<T, N, typename traits<X>::type>(Source.value());
    }
  } else if constexpr (!scalar<X>) {
    return raw<T, N>(0);
  } else if constexpr (sizeof(element_type<X>) == 2 && is_floating<element_type<X>> && is_floating<T> &&
                       sizeof(T) == 2 && !is_same<element_type<X>, T>) {
    return raw<T, N>(T(float(Source))); // half and bfloat16
  } else if constexpr (is_floating<element_type<X>> && !is_floating<T>) {
    return raw<T, N>(convert<T, 1, element_type<X>>(raw<element_type<X>, 1>(Source))[0]);
  } else {
    return raw<T, N>(T(Source));
  }
}

/// Integers clamp to the range of To, floats to [0, 1] (NaN becomes 0).
template <class To, int N, class From> raw<To, N> convert_saturated(raw<From, N> Value) {
  if constexpr (is_floating<To>) {
    raw<To, N> Result = convert<To, N, From>(Value);
    if constexpr (is_same<To, bfloat16>)
      return convert<To, N, float>(cm::builtin::saturate<raw<float, N>>(convert<float, N, To>(Result)));
    else
      return cm::builtin::saturate<raw<To, N>>(Result);
  } else if constexpr (is_floating<From> || is_same<To, From>) {
    return convert<To, N, From>(Value); // clamps in any case
  } else {
    constexpr auto Low = lowest<From>() < 0 && !(lowest<To>() < 0)                    ? From(0)
                         : sizeof(From) > sizeof(To) && lowest<From>() < 0 ? From(lowest<To>())
                                                                                      : lowest<From>();
    constexpr auto High = sizeof(From) > sizeof(To) || (sizeof(From) == sizeof(To) && is_unsigned<From>)
                              ? From(highest<To>())
                              : highest<From>();
    raw<From, N> Clamped =
        __builtin_elementwise_min(__builtin_elementwise_max(Value, raw<From, N>(Low)), raw<From, N>(High));
    return __builtin_convertvector(Clamped, raw<To, N>);
  }
}

/// A mask as the lanes of an integer vector, bit 0 of each counting.
template <int N, class M> auto mask_of(const M &Mask) {
  if constexpr (object<M>) {
    constexpr int Count = traits<M>::count;
    constexpr bool Float = is_floating<typename traits<M>::type>;
    if constexpr (Count != N)
      static_assert(Count == N, sentence("merge: the mask has ", Count, " elements, the object ", N,
                                         "; their numbers must be equal"));
    static_assert(!Float, "merge: a mask has integer elements; compare first");
    if constexpr (Count == N && !Float)
      return Mask.value();
    else
      return raw<ushort, N>(0);
  } else {
    static_assert(scalar<M> && !is_floating<M>, "merge: a mask is an object or an integer");
    constexpr unsigned Bits = sizeof(M) < sizeof(int) ? (1u << 8 * sizeof(M) % 32) - 1 : ~0u;
    return cm::builtin::unpack_mask<raw<ushort, N>>(unsigned(int(Mask)) & Bits);
  }
}

/// The number of elements that an initialiser array supplies, flattened in memory order.
template <class A> struct array_traits;
template <class T, size_t N> struct array_traits<T[N]> {
  using type = T;
  static constexpr int count = N;
};
template <class T, size_t M, size_t N> struct array_traits<T[M][N]> {
  using type = T;
  static constexpr int count = M * N;
};

} // namespace cm::detail

#define POCM_CONSTRUCTORS(Class, T, N)                                                                                 \
  Class() = default;                                                                                                   \
  Class(const Class &) = default;                                                                                      \
  Class &operator=(const Class &Source) & {                                                                            \
    assign(Source.Value);                                                                                              \
    return *this;                                                                                                      \
  }                                                                                                                    \
  /** From N elements of any type and shape, converted; or a scalar for every element. */                             \
  template <class X> requires cm::detail::object<X> || cm::detail::scalar<X>                                           \
  Class(const X &Source) : Value(cm::detail::value_of<T, N>(Source)) {}                                                \
  /** The same, saturating: integers clamp to the type's range, floats to [0, 1]. */                                  \
  template <class X> requires cm::detail::object<X> || cm::detail::scalar<X>                                           \
  Class(const X &Source, cm::detail::saturate)                                                                         \
      : Value(cm::detail::convert_saturated<T, N>(                                                                     \
            cm::detail::value_of<cm::detail::element_type<X>, N>(Source))) {}                                          \
  /** From a list of values; zeros behind them in braces, the front end refuses fewer in parentheses. */              \
  template <class... S> requires(sizeof...(S) > 1 && sizeof...(S) <= N && (cm::detail::scalar<S> && ...))              \
  Class(S... Elements) : Value{cm::detail::value_of<T, 1>(Elements)[0]...} {}                                          \
  /** From a constant array: the first elements in memory order, zeros behind them. */                                \
  template <class T2, size_t M> Class(T2 (&Source)[M]) { from_array(Source); }                                         \
  template <class X> requires cm::detail::object<X> || cm::detail::scalar<X>                                           \
  Class &operator=(const X &Source) & {                                                                                \
    assign(cm::detail::value_of<T, N>(Source));                                                                        \
    return *this;                                                                                                      \
  }                                                                                                                    \
  template <class X> void operator=(const X &) && = delete(                                                            \
      "a new object, such as iselect, replicate or an operator gives, cannot be assigned to");                        \
  cm::detail::raw<T, N> value() const { return Value; }                                                                \
  void assign(cm::detail::raw<T, N> V) { Value = cm::builtin::predicated(Value, V); }                                  \
  void initialize(cm::detail::raw<T, N> V) { Value = V; }                                                              \
                                                                                                                       \
private:                                                                                                               \
  template <class A> void from_array(A &Source) {                                                                      \
    using Traits = cm::detail::array_traits<A>;                                                                        \
    auto First = reinterpret_cast<const cm::detail::bare<typename Traits::type> *>(&Source);                           \
    Value = 0;                                                                                                         \
    _Pragma("unroll") for (int I = 0; I < (Traits::count < N ? Traits::count : N); ++I) Value[I] = T(First[I]);        \
  }                                                                                                                    \
  cm::detail::raw<T, N> Value;

namespace cm::detail {

/// N elements of type T in registers.
template <class T, int N>
class vector_of<T[N]> : public vector_regions<vector<T, N>, T, N>, public vector_source<T[N], vector<T, N>> {
  static_assert(has_shape<is_shape<T>(1, N), T, 1, N>);

public:
  static constexpr int VertStride = N, HorzStride = 1;
  const T *first() const { return reinterpret_cast<const T *>(&Value); }
  POCM_CONSTRUCTORS(vector_of, T, N)
};

/// Nothing, of which the message says enough: Clang cannot count vectors of this size.
template <class T, int N>
  requires(N > countable)
class vector_of<T[N]> {
  static_assert(has_shape<is_shape<T>(1, N), T, 1, N>);
};
template <class T, int R, int C>
  requires((long long)R * C > countable)
class matrix_of<T[R][C]> {
  static_assert(has_shape<is_shape<T>(R, C), T, R, C>);
};

/// R rows of C elements in registers, row by row.
template <class T, int R, int C>
class matrix_of<T[R][C]> : public matrix_regions<matrix<T, R, C>, T, R, C>,
                           public matrix_source<T[R][C], matrix<T, R, C>> {
  static_assert(has_shape<is_shape<T>(R, C), T, R, C>);

public:
  static constexpr int VertStride = C, HorzStride = 1;
  const T *first() const { return reinterpret_cast<const T *>(&Value); }
  template <class T2, size_t M, size_t K> matrix_of(T2 (&Source)[M][K]) { from_array(Source); }
  POCM_CONSTRUCTORS(matrix_of, T, (R * C))
};
#undef POCM_CONSTRUCTORS

/// N elements, HorzStride apart, of a vector or matrix.
template <class T, int N>
class vector_ref_of<T[N]> : public vector_regions<vector_ref<T, N>, T, N>,
                            public vector_source<T[N], vector_ref<T, N>> {
  static_assert(has_shape<is_shape<T>(1, N), T, 1, N>);

public:
  vector_ref_of(const vector_ref_of &) = default;
  vector_ref_of(vector<T, N> &Whole) : First(const_cast<T *>(Whole.first())), HorzStride(1) {}
  vector_ref_of(T *First, int HorzStride) : First(First), HorzStride(HorzStride) {}

  const vector_ref_of &operator=(const vector_ref_of &Source) const { return assign(Source.value()), *this; }
  template <class X> requires object<X> || scalar<X>
  const vector_ref_of &operator=(const X &Source) const {
    return assign(value_of<T, N>(Source)), *this;
  }
  raw<T, N> value() const {
    return cm::builtin::region_read<raw<T, N>>(First, 0, N, HorzStride);
  }
  void assign(raw<T, N> V) const {
    cm::builtin::region_write(First, cm::builtin::predicated(value(), V), 0, N, HorzStride);
  }
  /// All of it, in channels too that SIMD control flow has switched off: what functions are made of.
  template <class X> void initialize(const X &Source) const {
    cm::builtin::region_write(First, value_of<T, N>(Source), 0, N, HorzStride);
  }
  T *first() const { return First; }

private:
  T *First;

public:
  int HorzStride;
  static constexpr int VertStride = 0; ///< There is one row.
};

/// R rows of C elements, HorzStride apart in a row and the rows VertStride apart, of a vector or matrix.
template <class T, int R, int C>
class matrix_ref_of<T[R][C]> : public matrix_regions<matrix_ref<T, R, C>, T, R, C>,
                               public matrix_source<T[R][C], matrix_ref<T, R, C>> {
  static_assert(has_shape<is_shape<T>(R, C), T, R, C>);

public:
  matrix_ref_of(const matrix_ref_of &) = default;
  matrix_ref_of(matrix<T, R, C> &Whole) : First(const_cast<T *>(Whole.first())), VertStride(C), HorzStride(1) {}
  matrix_ref_of(T *First, int VertStride, int HorzStride) : First(First), VertStride(VertStride), HorzStride(HorzStride) {}

  const matrix_ref_of &operator=(const matrix_ref_of &Source) const { return assign(Source.value()), *this; }
  template <class X> requires object<X> || scalar<X>
  const matrix_ref_of &operator=(const X &Source) const {
    return assign(value_of<T, R * C>(Source)), *this;
  }
  raw<T, R * C> value() const {
    return cm::builtin::region_read<raw<T, R * C>>(First, VertStride, C, HorzStride);
  }
  void assign(raw<T, R * C> V) const {
    cm::builtin::region_write(First, cm::builtin::predicated(value(), V), VertStride, C, HorzStride);
  }
  T *first() const { return First; }

private:
  T *First;

public:
  int VertStride, HorzStride;
};

} // namespace cm::detail
