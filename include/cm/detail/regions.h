//===- cm/detail/regions.h - select, row, column, format, elements ---------===//
//
// What vector, matrix and their references have in common: an object is seen through
// a pointer to its first element and two strides, and every member that makes a part
// of it only computes another pointer and other strides. After inlining all of them
// are constants (or one run-time offset), and the pointer is the variable's storage.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {
// Array types without elements have no specialization (objects.h).
#define POCM_EMPTY(Class)                                                                                              \
  template <class Array> class Class {                                                                                 \
    static_assert(sizeof(Array) > sizeof(Array), "a vector or matrix has at least one element");                       \
  };
POCM_EMPTY(vector_of)
POCM_EMPTY(matrix_of)
POCM_EMPTY(vector_ref_of)
POCM_EMPTY(matrix_ref_of)
#undef POCM_EMPTY

/// What a function template's parameter is deduced from when its argument is another kind of object; it is passed on as
/// the kind that the template names (frontend/Deduction.cpp).
template <class Array, class Self> struct vector_source {
  vector_ref_of<Array> reference() const { return const_cast<Self &>(static_cast<const Self &>(*this)); }
  vector_of<Array> object() const { return static_cast<const Self &>(*this); }
};
template <class Array, class Self> struct matrix_source {
  matrix_ref_of<Array> reference() const { return const_cast<Self &>(static_cast<const Self &>(*this)); }
  matrix_of<Array> object() const { return static_cast<const Self &>(*this); }
};
} // namespace cm::detail

// Aliases of classes over array types: an array's bound is deduced as whatever integer type a template parameter has.
template <class T, int N> using vector = cm::detail::vector_of<T[N]>;
template <class T, int R, int C> using matrix = cm::detail::matrix_of<T[R][C]>;
template <class T, int N> using vector_ref = cm::detail::vector_ref_of<T[N]>;
template <class T, int R, int C> using matrix_ref = cm::detail::matrix_ref_of<T[R][C]>;

namespace cm::detail {

template <class T, int N, class X> auto value_of(const X &Source);
template <int N, class M> auto mask_of(const M &Mask);

/// Shape and element type of a CM object: V<T,N> and VR<T,N> have one row, M<T,R,C> and MR<T,R,C> have R.
template <class X> struct traits {
  static constexpr bool is_object = false;
};
template <class T, int N> struct vector_traits {
  static constexpr bool is_object = true, is_matrix = false;
  using type = T;
  static constexpr int rows = 1, columns = N, count = N;
};
template <class T, int R, int C> struct matrix_traits {
  static constexpr bool is_object = true, is_matrix = true;
  using type = T;
  static constexpr int rows = R, columns = C, count = R * C;
};
/// The most elements that a vector or matrix may be refused with; those with more are no objects.
inline constexpr int countable = 1 << 20;

template <class T, int N>
  requires(N <= countable)
struct traits<vector<T, N>> : vector_traits<T, N> {};
template <class T, int N>
  requires(N <= countable)
struct traits<vector_ref<T, N>> : vector_traits<T, N> {};
template <class T, int R, int C>
  requires((long long)R * C <= countable)
struct traits<matrix<T, R, C>> : matrix_traits<T, R, C> {};
template <class T, int R, int C>
  requires((long long)R * C <= countable)
struct traits<matrix_ref<T, R, C>> : matrix_traits<T, R, C> {};

/// A vector, matrix or reference.
template <class X>
concept object = traits<bare<X>>::is_object;

template <class X> inline constexpr bool is_reference = false;
template <class T, int N> inline constexpr bool is_reference<vector_ref<T, N>> = true;
template <class T, int R, int C> inline constexpr bool is_reference<matrix_ref<T, R, C>> = true;
/// What operator op= changes: a variable, or a reference, which may be a new one.
template <class X>
concept changeable = object<X> && (__is_lvalue_reference(X) || is_reference<bare<X>>);

template <class X> struct element_of {
  using type = typename scalar_value<X>::type;
};
template <object X> struct element_of<X> {
  using type = typename traits<X>::type;
};
template <class X> using element_type = typename element_of<bare<X>>::type;

template <class X> inline constexpr int count_or_one = 1;
template <object X> inline constexpr int count_or_one<X> = traits<bare<X>>::count;

// What a shape must be.
template <class T> inline constexpr bool target_has_elements = !is_same<T, bfloat16> || POCM_CM_HAS_BF16;
constexpr bool has_elements(long long R, long long C) { return R > 0 && C > 0; }
// Offsets of regions are 16-bit numbers of bytes; no register file comes near. What the source names is smaller than
// that of the target, as the front end checks.
template <class T> constexpr bool fits_registers(long long R, long long C) {
  return R * C * int(sizeof(T)) < POCM_LARGEST_VALUE;
}

// Nearly all objects have a shape: what is wrong with one is only looked for where one has none. Clang works the message of a
// static_assert out even where it is not needed.
template <class T> constexpr bool is_shape(long long R, long long C) {
  if constexpr (element<T>)
    return target_has_elements<T> && has_elements(R, C) && fits_registers<T>(R, C);
  else
    return false;
}
template <class T, int R, int C> constexpr void check_shape() {
  static_assert(element<T>, "elements of a vector or matrix are arithmetic types without const or volatile");
  static_assert(target_has_elements<T>, "bfloat16 needs CM_HAS_BF16, which target " POCM_TARGET " does not have");
  static_assert(has_elements(R, C), "a vector or matrix has at least one element");
  static_assert(!has_elements(R, C) || fits_registers<T>(R, C),
                sentence("a vector or matrix of ", (long long)(R) * C * int(sizeof(T)), " bytes; on target " POCM_TARGET
                         " an object has less than ", POCM_REGISTER_FILE));
}
template <bool IsShape, class T, int R, int C> inline constexpr bool has_shape = true;
template <class T, int R, int C> inline constexpr bool has_shape<false, T, R, C> = (check_shape<T, R, C>(), true);

/// Integers convert as in C++ (modulo 2^n); floats truncate toward zero and clamp to the destination's range.
template <class To, int N, class From> raw<To, N> convert(raw<From, N> Value) {
  if constexpr (is_same<To, From>)
    return Value;
  else if constexpr (is_floating<From> && !is_floating<To> && is_unsigned<To>)
    return cm::builtin::float_to_unsigned<raw<To, N>>(Value);
  else if constexpr (is_floating<From> && !is_floating<To>)
    return cm::builtin::float_to_signed<raw<To, N>>(Value);
  else
    return __builtin_convertvector(Value, raw<To, N>);
}

/// REP times W elements; what is wrong with sizes below 1 the functions say.
template <class T, int REP, int W> using repeated = vector<T, (REP > 0 && W > 0 ? REP * W : 1)>;

/// Names of member templates: in a template, `v.select<4, 1>(0)` is one of them though v's type is not known yet and no
/// `template` stands before it (frontend/Deduction.cpp).
namespace members {
template <class...> struct select;
template <class...> struct format;
template <class...> struct replicate;
template <class...> struct genx_select;
} // namespace members

// For the check device (cmc -fcheck): the last of the rows, the columns and the elements of a vector that are meant. Who leaves
// a whole vector at run time is found without a word of its class.
#ifdef POCM_CHECK_BOUNDS
#define POCM_ROWS_UP_TO(last) cm::builtin::bounds(last, R, 1)
#define POCM_COLUMNS_UP_TO(last) cm::builtin::bounds(last, C, 2)
#define POCM_PART_UP_TO(last) cm::builtin::bounds(last, C, __is_same(Self, vector_of<T[C]>) ? 3 : 0)
#else
#define POCM_ROWS_UP_TO(last)
#define POCM_COLUMNS_UP_TO(last)
#define POCM_PART_UP_TO(last)
#endif

// Each call here is a function more for each shape that a kernel has, which Clang instantiates and LLVM inlines: what is short
// is written out.

/// What vectors, matrices and their references have in common; all members are templates, for `v.template any()`, too.
/// Self has first(), VertStride and HorzStride, in elements.
template <class Self, class T, int R, int C> class regions {
public:
  template <class...> static constexpr unsigned n_elems() { return R * C; }
  /// The same as constants; a vector is one row.
  static constexpr int SZ = R * C, ELEMS = SZ, ROWS = R, COLS = C;

  explicit operator bool() const = delete("a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; "
                                          "masks are joined by & and |");

  /// The same bytes as elements of another type: a vector that aliases this object. Bytes that do not fill an element are
  /// left out. Elements of a region with gaps between them count as if they lay side by side.
  template <class T2> auto format() const {
    static_assert(element<T2>, "format: the new element type is arithmetic");
    constexpr int Count = R * C * int(sizeof(T)) / int(sizeof(T2));
    static_assert(Count > 0, "format: the object is smaller than one element of the new type");
    return vector_ref<T2, Count>(reinterpret_cast<T2 *>(side_by_side()), 1);
  }
  /// The same bytes as a matrix of another type and shape.
  template <class T2, int R2, int C2> matrix_ref<T2, R2, C2> format() const {
    static_assert(element<T2>, "format: the new element type is arithmetic");
    static_assert(R2 > 0 && C2 > 0, "format: sizes are at least 1");
    if constexpr (R2 * C2 * int(sizeof(T2)) != R * C * int(sizeof(T)))
      static_assert(R2 * C2 * int(sizeof(T2)) == R * C * int(sizeof(T)),
                    sentence("format: the new shape has ", R2 * C2 * int(sizeof(T2)), " bytes, the object has ",
                             R * C * int(sizeof(T)), "; they must be equal"));
    return {reinterpret_cast<T2 *>(side_by_side()), C2, 1};
  }

  /// Bit k of the mask set: element k becomes that of X, an object of equal count or a scalar. Bit 0 of a mask object's
  /// elements counts; a scalar mask has bits for 32 elements.
  template <class X, class M>
  void merge(const X &Source, const M &Mask) const {
    merged(Source, self(), Mask);
  }
  /// Every element becomes that of X where the mask is set, else that of Y.
  template <class X, class Y, class M>
  void merge(const X &First, const Y &Second, const M &Mask) const {
    merged(First, Second, Mask);
  }

  /// 1 when any element is not zero, else 0. The whole element counts, not bit 0.
  template <class...> ushort any() const {
    raw<ushort, R * C> Lanes = __builtin_convertvector(self().value() != T(0), raw<ushort, R * C>);
    return __builtin_reduce_or(Lanes & cm::builtin::active_lanes<raw<ushort, R * C>>()) != 0;
  }
  /// 1 when no element is zero, else 0.
  template <class...> ushort all() const {
    raw<ushort, R * C> Lanes = __builtin_convertvector(self().value() == T(0), raw<ushort, R * C>);
    return __builtin_reduce_or(Lanes & cm::builtin::active_lanes<raw<ushort, R * C>>()) == 0;
  }


  /// Gone from the language.
  template <int...> const Self &genx_select(int = 0, int = 0) const =
      delete("genx_select is gone; replicate takes the same parameters");

  /// REP times the whole object, row by row.
  template <int REP> repeated<T, REP, R * C> replicate() const { return replicated<REP, 0, R * C, 1>(0); }

protected:
  template <class X, class Y, class M> void merged(const X &First, const Y &Second, const M &Mask) const {
    constexpr int N = R * C;
    auto Lanes = mask_of<N>(Mask);
    raw<T, N> Picked =
        cm::builtin::select_lanes<raw<T, N>>(Lanes, value_of<T, N>(First), value_of<T, N>(Second));
    const_cast<Self &>(self()).assign(Picked);
  }
  const Self &self() const { return static_cast<const Self &>(*this); }
  T *at(int Row, int Column) const {
    const Self &Object = static_cast<const Self &>(*this);
    return const_cast<T *>(Object.first()) + (Row * Object.VertStride + Column * Object.HorzStride);
  }
  template <int REP, int VS, int W, int HS> repeated<T, REP, W> replicated(int Offset) const {
    static_assert(REP > 0 && W > 0, "replicate: the number of repetitions and the width are at least 1");
    static_assert(VS >= 0 && HS >= 0, "replicate: strides are not negative");
    vector<T, R * C> Linear; // rows follow each other without gaps, whatever this object's strides are
    Linear.initialize(self().value());
    repeated<T, REP, W> Result;
    if constexpr (REP > 0 && W > 0)
      Result.initialize(cm::builtin::region_read<raw<T, REP * W>>(Linear.first() + Offset, VS, W, HS));
    return Result;
  }
  template <int N> vector<T, N> gathered(raw<ushort, N> Index) const {
    vector<T, N> Result;
    Result.initialize(cm::builtin::gather<raw<T, N>>(self().value(), Index));
    return Result;
  }


private:
  /// Where the elements lie one behind the other.
  T *side_by_side() const {
    const Self &Object = static_cast<const Self &>(*this);
    T *First = const_cast<T *>(Object.first());
    if ((C > 1 && Object.HorzStride != 1) || (R > 1 && Object.VertStride != C))
      return cm::builtin::region_format(First, Object.VertStride, C, Object.HorzStride, R * C, int(sizeof(T)));
    return First;
  }
};


/// The members of vector and vector_ref.
template <class Self, class T, int C> class vector_regions : public regions<Self, T, 1, C> {
  using Base = regions<Self, T, 1, C>;
  using Base::self;

  T *at(int I) const {
    const Self &Object = static_cast<const Self &>(*this);
    return const_cast<T *>(Object.first()) + I * Object.HorzStride;
  }

public:
  using Base::replicate;

  /// Element i: a scalar lvalue. Indices are converted to ushort.
  T &operator()(ushort I) const {
    POCM_PART_UP_TO(I);
    return *at(I);
  }
  T &operator[](ushort I) const {
    POCM_PART_UP_TO(I);
    return *at(I);
  }

  /// `Size` elements, `Stride` apart, from element `I` on; aliases this object.
  template <int Size, int Stride>
  vector_ref<T, Size> select(ushort I = 0) const {
    static_assert(Size >= 1 && Stride >= 1, "select: size and stride are at least 1");
    static_assert(Size > 1 || Stride == 1, "select: the stride of a single element is 1");
    POCM_PART_UP_TO(I + (Size - 1) * Stride);
    const Self &Object = static_cast<const Self &>(*this);
    return {const_cast<T *>(Object.first()) + I * Object.HorzStride, Object.HorzStride * Stride};
  }
  /// The whole object as a reference.
  template <class...> vector_ref<T, C> select_all() const { return {at(0), self().HorzStride}; }

  /// REP times W elements from an offset on.
  template <int REP, int W>
  repeated<T, REP, W> replicate(ushort I = 0) const {
    return this->template replicated<REP, 0, W, 1>(I);
  }
  /// REP rows of W elements, the rows VS apart.
  template <int REP, int VS, int W>
  repeated<T, REP, W> replicate(ushort I = 0) const {
    return this->template replicated<REP, VS, W, 1>(I);
  }
  /// REP rows of W elements, HS apart, the rows VS apart. Strides of 0 repeat.
  template <int REP, int VS, int W, int HS>
  repeated<T, REP, W> replicate(ushort I = 0) const {
    return this->template replicated<REP, VS, W, HS>(I);
  }

  /// A new vector of the elements that an index vector names.
  template <object I> auto iselect(const I &Index) const {
    static_assert(!is_floating<typename traits<I>::type>, "iselect: indices are integers");
    return this->template gathered<traits<I>::count>(value_of<ushort, traits<I>::count>(Index));
  }
};

/// The members of matrix and matrix_ref.
template <class Self, class T, int R, int C> class matrix_regions : public regions<Self, T, R, C> {
  using Base = regions<Self, T, R, C>;
  using Base::at, Base::self;

public:
  using Base::replicate;

  template <class...> static constexpr unsigned n_rows() { return R; }
  template <class...> static constexpr unsigned n_cols() { return C; }

  /// Element (i, j): a scalar lvalue. Indices are converted to ushort.
  T &operator()(ushort I, ushort J) const {
    POCM_ROWS_UP_TO(I);
    POCM_COLUMNS_UP_TO(J);
    return *at(I, J);
  }

  /// Rows I, I + VStride, ... (VSize of them), columns J, J + HStride, ... (HSize of them); aliases this object.
  template <int VSize, int VStride, int HSize, int HStride>
  matrix_ref<T, VSize, HSize> select(ushort I = 0, ushort J = 0) const {
    static_assert(VSize >= 1 && VStride >= 1 && HSize >= 1 && HStride >= 1, "select: sizes and strides are at least 1");
    static_assert((VSize > 1 || VStride == 1) && (HSize > 1 || HStride == 1),
                  "select: the stride of a single row or column is 1");
    POCM_ROWS_UP_TO(I + (VSize - 1) * VStride);
    POCM_COLUMNS_UP_TO(J + (HSize - 1) * HStride);
    return {at(I, J), self().VertStride * VStride, self().HorzStride * HStride};
  }
  /// The whole object as a reference.
  template <class...> matrix_ref<T, R, C> select_all() const { return {at(0, 0), self().VertStride, self().HorzStride}; }

  template <class...> vector_ref<T, C> row(ushort I) const {
    POCM_ROWS_UP_TO(I);
    return {at(I, 0), self().HorzStride};
  }
  vector_ref<T, C> operator[](ushort I) const {
    POCM_ROWS_UP_TO(I);
    return {at(I, 0), self().HorzStride};
  }
  template <class...> matrix_ref<T, R, 1> column(ushort J) const {
    POCM_COLUMNS_UP_TO(J);
    return {at(0, J), self().VertStride, self().HorzStride};
  }

  /// REP times W elements from (i, j) on; rows follow each other without gaps.
  template <int REP, int W>
  repeated<T, REP, W> replicate(ushort I = 0, ushort J = 0) const {
    return this->template replicated<REP, 0, W, 1>(I * C + J);
  }
  /// REP rows of W elements, the rows VS apart.
  template <int REP, int VS, int W>
  repeated<T, REP, W> replicate(ushort I = 0, ushort J = 0) const {
    return this->template replicated<REP, VS, W, 1>(I * C + J);
  }
  /// REP rows of W elements, HS apart, the rows VS apart. Strides of 0 repeat.
  template <int REP, int VS, int W, int HS>
  repeated<T, REP, W> replicate(ushort I = 0, ushort J = 0) const {
    return this->template replicated<REP, VS, W, HS>(I * C + J);
  }

  /// A new vector of the elements at (Rows[k], Columns[k]).
  template <object I, object J> auto iselect(const I &Rows, const J &Columns) const {
    static_assert(!is_floating<typename traits<I>::type> && !is_floating<typename traits<J>::type>,
                  "iselect: indices are integers");
    static_assert(traits<I>::count == traits<J>::count, "iselect: as many row as column indices");
    constexpr int N = traits<I>::count;
    if constexpr (N == traits<J>::count)
      return this->template gathered<N>(value_of<ushort, N>(Rows) * raw<ushort, N>(C) + value_of<ushort, N>(Columns));
    else
      return vector<T, N>();
  }
};

#undef POCM_ROWS_UP_TO
#undef POCM_COLUMNS_UP_TO
#undef POCM_PART_UP_TO

} // namespace cm::detail
