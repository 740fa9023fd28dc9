//===- cm/cmtl.h - The CM template library ------------------------------------------------------===//
//
// Ordinary CM code on top of cm/cm.h: block access of any size, transpositions of tiles,
// packing, stacks, sequences and a few functions. Specification chapter "CM template
// library"; the parts that came later are the headers in cm/cmtl.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cm/cm.h>

#define CM_CONST_E 2.718282f
#define CM_CONST_PI 3.141593f
#define CM_CONST_2PI 6.283185f
#define CM_DBL_EPSILON 0.00001f
#define CMRT_LOC_FIRST 0
#define CMRT_LOC_SECOND 1
/// Active in the emulation library only.
#define cm_assert_range(value, low, high) ((void)0)

namespace cmtl {

//===- Sequences ------------------------------------------------------------------------------===//

/// V[k] = Init + k * Step.
template <class T, int N> void cm_vector_assign(vector_ref<T, N> V, int Init, int Step) {
#pragma unroll
  for (int K = 0; K < N; ++K)
    V(K) = T(Init + K * Step);
}
template <class T, int N> void cm_vector_assign(vector<T, N> &V, int Init, int Step) {
  cm_vector_assign(V.select_all(), Init, Step);
}

} // namespace cmtl

/// Declare a vector or matrix with the values I, I + S, I + 2 S, ...
#define cm_vector(name, T, N, I, S)                                                                                    \
  vector<T, N> name;                                                                                                   \
  cmtl::cm_vector_assign(name.select_all(), I, S)
#define cm_matrix(name, T, R, C, I, S)                                                                                 \
  matrix<T, R, C> name;                                                                                                \
  cmtl::cm_vector_assign(name.template format<T>(), I, S)

namespace cmtl {

//===- Blocks of any size -----------------------------------------------------------------------===//

namespace detail {

/// Largest message of H x W elements of T: rows of at most 32 bytes that are a multiple of 4, at most 256 bytes.
template <class T> struct pieces {
  static constexpr int columns = 32 / int(sizeof(T));
  static constexpr int rows = 8;
};

template <class T, int H, int W, class F> void each_piece(F Do) {
  constexpr int PW = W < pieces<T>::columns ? W : pieces<T>::columns, PH = H < pieces<T>::rows ? H : pieces<T>::rows;
#pragma unroll
  for (int Y = 0; Y + PH <= H; Y += PH) {
#pragma unroll
    for (int X = 0; X + PW <= W; X += PW)
      Do.template operator()<PH, PW>(Y, X);
    if constexpr (W % PW != 0)
      Do.template operator()<PH, W % PW>(Y, W / PW * PW);
  }
  if constexpr (H % PH != 0) {
    constexpr int Y = H / PH * PH;
#pragma unroll
    for (int X = 0; X + PW <= W; X += PW)
      Do.template operator()<H % PH, PW>(Y, X);
    if constexpr (W % PW != 0)
      Do.template operator()<H % PH, W % PW>(Y, W / PW * PW);
  }
}

} // namespace detail

/// Reads H x W pixels of T from pixel (X, Y) on; pixels outside repeat the nearest edge. SurfaceWidth, in pixels, makes
/// the right edge exact where rows are no multiple of 4 bytes; here it always is.
template <class T, int H, int W, class M> void ReadBlock(SurfaceIndex Surface, int X, int Y, M &&To, uint = 0) {
  static_assert(sizeof(T) <= 4, "ReadBlock: pixels of at most 4 bytes");
  matrix<T, H, W> Whole;
  detail::each_piece<T, H, W>([&]<int PH, int PW>(int R, int C) {
    matrix<T, PH, PW> Piece;
    read(Surface, (X + C) * int(sizeof(T)), Y + R, Piece);
    Whole.template select<PH, 1, PW, 1>(R, C) = Piece;
  });
  To = Whole;
}
template <class T, int H, int W, class M>
void ReadBlock(SurfaceIndex Surface, CmBufferAttrib Attribute, int X, int Y, M &&To) {
  static_assert(sizeof(T) <= 4, "ReadBlock: pixels of at most 4 bytes");
  matrix<T, H, W> Whole;
  detail::each_piece<T, H, W>([&]<int PH, int PW>(int R, int C) {
    matrix<T, PH, PW> Piece;
    read(Surface, Attribute, (X + C) * int(sizeof(T)), Y + R, Piece);
    Whole.template select<PH, 1, PW, 1>(R, C) = Piece;
  });
  To = Whole;
}
/// Writes H x W pixels; those outside are dropped. Rows are a multiple of 4 bytes.
template <class T, int H, int W, class M> void WriteBlock(SurfaceIndex Surface, int X, int Y, const M &From) {
  matrix<T, H, W> Whole = From;
  detail::each_piece<T, H, W>([&]<int PH, int PW>(int R, int C) {
    matrix<T, PH, PW> Piece = Whole.template select<PH, 1, PW, 1>(R, C);
    write(Surface, (X + C) * int(sizeof(T)), Y + R, Piece);
  });
}

/// W elements of a buffer, from element Offset on.
template <class T, int W, class V> void ReadLinear(SurfaceIndex Surface, uint Offset, V &&To) {
  constexpr int Step = 128 / int(sizeof(T));
  vector<T, W> Whole;
#pragma unroll
  for (int At = 0; At + Step <= W; At += Step)
    read(DWALIGNED(Surface), (Offset + At) * sizeof(T), Whole.template select<Step, 1>(At));
  if constexpr (W % Step != 0)
    read(DWALIGNED(Surface), (Offset + W / Step * Step) * sizeof(T), Whole.template select<W % Step, 1>(W / Step * Step));
  To = Whole;
}
template <class T, int W, class V> void WriteLinear(SurfaceIndex Surface, uint Offset, const V &From) {
  constexpr int Step = 128 / int(sizeof(T));
  vector<T, W> Whole = From;
#pragma unroll
  for (int At = 0; At + Step <= W; At += Step)
    write(Surface, (Offset + At) * sizeof(T), Whole.template select<Step, 1>(At));
  if constexpr (W % Step != 0)
    write(Surface, (Offset + W / Step * Step) * sizeof(T), Whole.template select<W % Step, 1>(W / Step * Step));
}

// The same with the sizes and the element type of the object.
template <cm::detail::object M>
  requires(cm::detail::traits<cm::detail::bare<M>>::is_matrix)
void ReadBlock(SurfaceIndex Surface, int X, int Y, M &&To, uint SurfaceWidth = 0) {
  using Traits = cm::detail::traits<cm::detail::bare<M>>;
  ReadBlock<typename Traits::type, Traits::rows, Traits::columns>(Surface, X, Y, To, SurfaceWidth);
}
template <cm::detail::object M>
  requires(cm::detail::traits<cm::detail::bare<M>>::is_matrix)
void ReadBlock(SurfaceIndex Surface, CmBufferAttrib Attribute, int X, int Y, M &&To, uint = 0) {
  using Traits = cm::detail::traits<cm::detail::bare<M>>;
  ReadBlock<typename Traits::type, Traits::rows, Traits::columns>(Surface, Attribute, X, Y, To);
}
template <cm::detail::object M>
  requires(cm::detail::traits<M>::is_matrix)
void WriteBlock(SurfaceIndex Surface, int X, int Y, const M &From) {
  using Traits = cm::detail::traits<M>;
  WriteBlock<typename Traits::type, Traits::rows, Traits::columns>(Surface, X, Y, From);
}
template <cm::detail::object V> void ReadLinear(SurfaceIndex Surface, uint Offset, V &&To) {
  using Traits = cm::detail::traits<cm::detail::bare<V>>;
  ReadLinear<typename Traits::type, Traits::count>(Surface, Offset, To);
}
template <cm::detail::object V> void WriteLinear(SurfaceIndex Surface, uint Offset, const V &From) {
  using Traits = cm::detail::traits<V>;
  WriteLinear<typename Traits::type, Traits::count>(Surface, Offset, From);
}

//===- Vectors for convolutions -----------------------------------------------------------------===//

/// Row i * K + j of Dst is row i of Src from column j on.
template <class Ts, class Td, int K, int S, class A, class B> void Vectorize2DKRNL(const A &Src, B &&Dst) {
  static_assert(K % 2 == 1, "Vectorize2DKRNL: an odd kernel size");
#pragma unroll
  for (int I = 0; I < K; ++I)
#pragma unroll
    for (int J = 0; J < K; ++J)
      Dst.row(I * K + J) = Src.row(I).template select<S, 1>(J);
}
/// The K rows of kernel row R.
template <class Ts, class Td, int K, int S, class A, class B> void Vectorize2DKRNLRow(const A &Src, B &&Dst, int R) {
#pragma unroll
  for (int J = 0; J < K; ++J)
    Dst.row(R * K + J) = Src.template select<S, 1>(J);
}
template <int K> int _2Dto1D(int X, int Y) { return X * K + Y; }

//===- Shared local memory ------------------------------------------------------------------------===//

/// Copies Bytes bytes, a multiple of 256, to a buffer.
inline void DumpSLM(uint Slm, SurfaceIndex Surface, uint Bytes) {
  for (uint At = 0; At < Bytes; At += 128) {
    vector<uint, 32> Data;
    cm_slm_block_read(Slm, int(At), Data);
    write(Surface, int(At), Data);
  }
}
/// Dst[4 k + c] = Src[c * N + k], or the other way round.
template <int N, class D, class S> void TransposeFromSLM(D &&Dst, const S &Src) {
#pragma unroll
  for (int C = 0; C < 4; ++C)
    Dst.template select<N, 4>(C) = Src.template select<N, 1>(C * N);
}
template <int N, class D, class S> void TransposeToSLM(D &&Dst, const S &Src) {
#pragma unroll
  for (int C = 0; C < 4; ++C)
    Dst.template select<N, 1>(C * N) = Src.template select<N, 4>(C);
}

//===- Packing --------------------------------------------------------------------------------------===//

namespace detail {
template <class T> using bits_of = cm::detail::unsigned_of<T>;
}
/// A in the low half of each element, B above.
template <class Tp, class Tc, int W, class A, class B, class D> void Pack(const A &First, const B &Second, D &&Dst) {
  using Wide = detail::bits_of<Tc>;
  using Narrow = detail::bits_of<Tp>;
  vector<Tp, W> Low = First, High = Second;
  vector<Wide, W> L = Low.template format<Narrow>(), H = High.template format<Narrow>();
  vector<Wide, W> Both = L | H << (sizeof(Tp) * 8);
  Dst = Both.template format<Tc>();
}
template <class Tp, class Tc, int W, class A, class B, class S> void Unpack(A &&First, B &&Second, const S &Src) {
  using Wide = detail::bits_of<Tc>;
  using Narrow = detail::bits_of<Tp>;
  vector<Tc, W> Whole = Src;
  vector<Wide, W> Bits = Whole.template format<Wide>();
  vector<Narrow, W> Low = Bits, High = Bits >> (sizeof(Tp) * 8);
  First = Low.template format<Tp>();
  Second = High.template format<Tp>();
}
template <class Tp, class Tc, int W, class A, class B, class S> void UnPack(A &&First, B &&Second, const S &Src) {
  Unpack<Tp, Tc, W>(First, Second, Src);
}
// The same with the types and the size of the objects.
template <cm::detail::object A, cm::detail::object B, cm::detail::object D> void Pack(const A &First, const B &Second, D &&Dst) {
  Pack<cm::detail::element_type<A>, cm::detail::element_type<D>, cm::detail::traits<A>::count>(First, Second, Dst);
}
template <cm::detail::object A, cm::detail::object B, cm::detail::object S> void Unpack(A &&First, B &&Second, const S &Src) {
  Unpack<cm::detail::element_type<A>, cm::detail::element_type<S>, cm::detail::traits<S>::count>(First, Second, Src);
}
template <cm::detail::object A, cm::detail::object B, cm::detail::object S> void UnPack(A &&First, B &&Second, const S &Src) {
  Unpack(First, Second, Src);
}
/// One of the two, at CMRT_LOC_FIRST or CMRT_LOC_SECOND.
template <class Tp, class Tc, int W, class D, class S> void UnpackSingle(D &&Dst, int Location, const S &Src) {
  vector<Tp, W> First, Second;
  Unpack<Tp, Tc, W>(First, Second, Src);
  Dst = First;
  if (Location == CMRT_LOC_SECOND)
    Dst = Second;
}

template <cm::detail::object D, cm::detail::object S> void UnpackSingle(D &&Dst, int Location, const S &Src) {
  UnpackSingle<cm::detail::element_type<D>, cm::detail::element_type<S>, cm::detail::traits<S>::count>(Dst, Location, Src);
}

//===- Tiles ------------------------------------------------------------------------------------------===//

template <class T, int H, int W, class A, class B> void MirrorVertical(const A &In, B &&Out) {
#pragma unroll
  for (int I = 0; I < H; ++I)
    Out.row(I) = In.row(H - 1 - I);
}

template <cm::detail::object A, cm::detail::object B> void MirrorVertical(const A &In, B &&Out) {
  using Traits = cm::detail::traits<A>;
  MirrorVertical<typename Traits::type, Traits::rows, Traits::columns>(In, Out);
}

namespace detail {
/// Out(i, j) = In(row(i, j), column(i, j)) of a square tile.
template <class T, int N, class A, class B, class F> void rearrange(const A &In, B &&Out, F Where) {
  matrix<T, N, N> From = In, To;
  vector<ushort, N * N> Index;
#pragma unroll
  for (int I = 0; I < N; ++I)
#pragma unroll
    for (int J = 0; J < N; ++J)
      Index(I * N + J) = ushort(Where(I, J));
  vector<T, N * N> Linear = From;
  To = Linear.iselect(Index);
  Out = To;
}
} // namespace detail

#define POCM_TILE(name, N, row, column)                                                                                \
  template <class T, class A, class B> void name(const A &In, B &&Out) {                                               \
    detail::rearrange<T, N>(In, Out, [](int I, int J) {                                                                \
      (void)I, (void)J;                                                                                                \
      return (row) * N + (column);                                                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  template <class A, class B> void name(const A &In, B &&Out) {                                                        \
    name<cm::detail::element_type<A>>(In, Out);                                                                        \
  }
POCM_TILE(MirrorHorizontal_16x16, 16, I, 15 - J)
/// Clockwise.
POCM_TILE(Rotate90_16x16, 16, 15 - J, I)
POCM_TILE(Rotate180_16x16, 16, 15 - I, 15 - J)
POCM_TILE(Rotate270_16x16, 16, J, 15 - I)
POCM_TILE(Transpose_16x16, 16, J, I)
POCM_TILE(Transpose_8x8, 8, J, I)
/// Along the other diagonal.
POCM_TILE(ReverseTranspose_16x16, 16, 15 - J, 15 - I)
#undef POCM_TILE

/// Out[k] = In[Table[k]] of W x W tiles, row by row.
template <class T, int W, class A, class B, class I> void Map(const A &In, B &&Out, const I &Table) {
  vector<T, W * W> Linear = In;
  vector<ushort, W * W> Index = Table;
  vector<T, W * W> Result = Linear.iselect(Index);
  Out = Result;
}
template <class T, int W, class A, class B, class I> void map(const A &In, B &&Out, const I &Table) {
  Map<T, W>(In, Out, Table);
}

//===- Stacks -----------------------------------------------------------------------------------------===//

// STACKCOUNT stacks for each of W channels, in a buffer. Objects of the caller's hold where they are: `Places` the depth
// of each channel's stacks and the element of the buffer at which they begin. `Context` and `Cache`, the part of the stacks
// that other implementations keep in registers, are left as they are. Sizes may be written out: f<T, W, CACHESIZE,
// STACKCOUNT>(...).
namespace detail {
template <int W, cm::detail::object P> constexpr int stack_channels() {
  using traits = cm::detail::traits<cm::detail::bare<P>>;
  static_assert(traits::is_matrix && cm::detail::is_same<cm::detail::element_type<P>, int> && traits::rows == 2,
                "CachedStack: the second context is a matrix of two rows of int");
  static_assert(W == 0 || W == traits::columns, "CachedStack: as many channels as the second context has columns");
  static_assert(traits::columns == 8 || traits::columns == 16, "CachedStack: 8 or 16 channels");
  return traits::columns;
}
/// What was written out agrees with the objects.
template <class T, uint CACHESIZE, uint STACKCOUNT, int W, cm::detail::object C, cm::detail::object S>
constexpr void check_stack() {
  using element = cm::detail::element_type<S>;
  using traits = cm::detail::traits<cm::detail::bare<S>>;
  static_assert(cm::detail::is_same<T, void> || cm::detail::is_same<T, element>, "CachedStack: a cache of another type");
  static_assert(cm::detail::is_same<cm::detail::element_type<C>, short>, "CachedStack: the first context is of short");
  static_assert(cm::detail::count_or_one<C> == 2 * W * int(STACKCOUNT),
                "CachedStack: the first context has two rows, with an element for each channel and stack");
  static_assert(traits::is_matrix && traits::rows == W && (CACHESIZE == 0 || traits::columns == CACHESIZE * STACKCOUNT),
                "CachedStack: a cache with a row for each channel");
  static_assert(traits::columns * sizeof(element) % 128 == 0, "CachedStack: the cache is a multiple of 128 bytes");
}
/// The elements of one of the stacks that are Depth high.
template <uint STACKCOUNT, int W, class P> vector<uint, W> stack_elements(const P &Places, const vector<int, W> &Depth, int Stack) {
  return Places.row(1) + Depth * int(STACKCOUNT) + Stack;
}
template <class T, uint STACKCOUNT, int W, class P, class E>
void stack_top(SurfaceIndex Surface, const P &Places, E &&Element) {
  static_assert(cm::detail::is_same<cm::detail::element_type<E>, T> && cm::detail::count_or_one<E> == W * int(STACKCOUNT),
                "CachedStack: an element for each channel and stack");
  vector<int, W> Depth = cm_max<int>(Places.row(0) - 1, 0);
#pragma unroll
  for (int Stack = 0; Stack < int(STACKCOUNT); ++Stack) {
    vector<T, W> Top;
    read(Surface, 0, stack_elements<STACKCOUNT, W>(Places, Depth, Stack), Top);
    Element.template format<T>().template select<W, 1>(Stack * W) = Top;
  }
}
template <int W, class P, class M> void stack_drop(P &&Places, const M &Mask) {
  static_assert(cm::detail::count_or_one<M> == W, "CachedStackPop: a mask of an element for each channel");
  vector<int, W> Depth = Places.row(0);
  Places.row(0) = Depth - ((Mask & 1) & (Depth > 0));
}
} // namespace detail

/// Empty stacks of at most MaxSize elements. The buffer has room for MaxSize * W * STACKCOUNT of each thread of a row.
template <class T, int W = 0, uint CACHESIZE = 0, uint STACKCOUNT = 1, cm::detail::object C, cm::detail::object P>
void CachedStackInit(C &&Context, P &&Places, uint MaxSize) {
  constexpr int N = detail::stack_channels<W, P>();
  Places.row(0) = 0;
  vector<int, N> Channel;
  cm_vector_assign(Channel, 0, 1);
  Places.row(1) = (Channel + int(get_thread_origin_x()) * N) * int(MaxSize * STACKCOUNT);
}
/// Puts an element on the stacks of all channels, which have room for it: a matrix of STACKCOUNT rows, or one row as a vector.
template <class T = void, int W = 0, uint CACHESIZE = 0, uint STACKCOUNT = 1, cm::detail::object C, cm::detail::object P,
          cm::detail::object S, cm::detail::object E>
void CachedStackPush(SurfaceIndex Surface, C &&Context, P &&Places, S &&Cache, const E &Element) {
  using X = cm::detail::element_type<S>;
  constexpr int N = detail::stack_channels<W, P>();
  detail::check_stack<T, CACHESIZE, STACKCOUNT, N, C, S>();
  static_assert(cm::detail::is_same<cm::detail::element_type<E>, X> && cm::detail::count_or_one<E> == N * int(STACKCOUNT),
                "CachedStackPush: an element for each channel and stack");
  vector<int, N> Depth = Places.row(0);
  vector<X, N * int(STACKCOUNT)> Elements = Element;
#pragma unroll
  for (int Stack = 0; Stack < int(STACKCOUNT); ++Stack)
    write(Surface, 0, detail::stack_elements<STACKCOUNT, N>(Places, Depth, Stack),
          vector<X, N>(Elements.template select<N, 1>(Stack * N)));
  Places.row(0) = Depth + 1;
}
/// 1 where a channel's stacks have nothing, else 0.
template <int W = 0, uint STACKCOUNT = 1, cm::detail::object C, cm::detail::object P, cm::detail::object M>
void CachedStackEmpty(C &&Context, P &&Places, M &&IsEmpty) {
  constexpr int N = detail::stack_channels<W, P>();
  vector<int, N> Depth = Places.row(0);
  IsEmpty = vector<short, N>(Depth == 0);
}
/// The topmost elements; where stacks are empty, anything.
template <class T = void, int W = 0, uint CACHESIZE = 0, uint STACKCOUNT = 1, cm::detail::object C, cm::detail::object P,
          cm::detail::object S, cm::detail::object E>
void CachedStackTop(SurfaceIndex Surface, C &&Context, P &&Places, S &&Cache, E &&Element) {
  constexpr int N = detail::stack_channels<W, P>();
  detail::check_stack<T, CACHESIZE, STACKCOUNT, N, C, S>();
  detail::stack_top<cm::detail::element_type<S>, STACKCOUNT, N>(Surface, Places, Element);
}
/// The topmost elements of one of the stacks.
template <class T, int W, uint CACHESIZE, uint STACKCOUNT, cm::detail::object C, cm::detail::object P, cm::detail::object S,
          cm::detail::object E>
void CachedStackTop(SurfaceIndex Surface, C &&Context, P &&Places, S &&Cache, E &&Element, int Stack) {
  constexpr int N = detail::stack_channels<W, P>();
  detail::check_stack<T, CACHESIZE, STACKCOUNT, N, C, S>();
  vector<int, N> Depth = cm_max<int>(Places.row(0) - 1, 0);
  vector<T, N> Top;
  read(Surface, 0, detail::stack_elements<STACKCOUNT, N>(Places, Depth, Stack), Top);
  Element = Top;
}
/// As CachedStackTop, and takes the elements away where the mask is 1 and there are some.
template <class T = void, int W = 0, uint CACHESIZE = 0, uint STACKCOUNT = 1, cm::detail::object C, cm::detail::object P,
          cm::detail::object S, cm::detail::object E, cm::detail::object M>
void CachedStackPop(SurfaceIndex Surface, C &&Context, P &&Places, S &&Cache, E &&Element, const M &Mask) {
  constexpr int N = detail::stack_channels<W, P>();
  detail::check_stack<T, CACHESIZE, STACKCOUNT, N, C, S>();
  detail::stack_top<cm::detail::element_type<S>, STACKCOUNT, N>(Surface, Places, Element);
  detail::stack_drop<N>(Places, Mask);
}
/// The same without the elements.
template <class T = void, int W = 0, uint CACHESIZE = 0, uint STACKCOUNT = 1, cm::detail::object C, cm::detail::object P,
          cm::detail::object S, cm::detail::object M>
void CachedStackPop(SurfaceIndex Surface, C &&Context, P &&Places, S &&Cache, const M &Mask) {
  constexpr int N = detail::stack_channels<W, P>();
  detail::check_stack<T, CACHESIZE, STACKCOUNT, N, C, S>();
  detail::stack_drop<N>(Places, Mask);
}

//===- Functions ----------------------------------------------------------------------------------------===//

/// As cm_rndd and cm_rndu. The number of elements may be written out: cm_floor<int, 8>(v), cm_floor<int, 2, 4>(m).
template <class RT, class A> auto cm_floor(const A &X, int Flags = _GENX_NOSAT) { return cm_rndd<RT>(X, Flags); }
template <class RT, class A> auto cm_ceil(const A &X, int Flags = _GENX_NOSAT) { return cm_rndu<RT>(X, Flags); }
template <class RT, int... Sizes, class A>
  requires(sizeof...(Sizes) > 0)
auto cm_floor(const A &X, int Flags = _GENX_NOSAT) {
  return cm_rndd<RT, (Sizes * ...)>(X, Flags);
}
template <class RT, int... Sizes, class A>
  requires(sizeof...(Sizes) > 0)
auto cm_ceil(const A &X, int Flags = _GENX_NOSAT) {
  return cm_rndu<RT, (Sizes * ...)>(X, Flags);
}

namespace detail {
/// What a function of these operands gives: a scalar when all are, a matrix when the first is, clamped to [0, 1] when
/// the flag says so.
template <class First, class... X, int N> auto given(const vector<float, N> &Value, int Flags) {
  vector<float, N> Result = Value, Clamped(Value, SAT);
  if (Flags)
    Result = Clamped;
  if constexpr (cm::detail::scalar<First> && (cm::detail::scalar<X> && ...)) {
    return Result(0);
  } else if constexpr (cm::detail::object<First>) {
    using Traits = cm::detail::traits<First>;
    if constexpr (Traits::is_matrix)
      return matrix<float, Traits::rows, Traits::columns>(Result);
    else
      return Result;
  } else {
    return Result;
  }
}
/// Whether sizes that a program writes out are those of an object: <N> of a vector, <R, C> of a matrix.
template <class A, int... Sizes> constexpr bool has_sizes() {
  if constexpr (!cm::detail::object<A>) {
    return false;
  } else if constexpr (sizeof...(Sizes) == 1) {
    return cm::detail::traits<A>::count == (Sizes + ...);
  } else {
    constexpr int Written[] = {Sizes..., 0};
    return sizeof...(Sizes) == 2 && cm::detail::traits<A>::is_matrix && cm::detail::traits<A>::rows == Written[0] &&
           cm::detail::traits<A>::columns == Written[1];
  }
}

template <class Y, class X> auto atan2_of(const Y &Up, const X &Right) {
  constexpr int N = cm::detail::lanes<Y, X>();
  vector<float, N> A = cm::detail::make<vector<float, N>, float, N>(cm::detail::value_of<float, N>(Up)),
                   B = cm::detail::make<vector<float, N>, float, N>(cm::detail::value_of<float, N>(Right));
  vector<float, N> Ratio = (cm_sqrt(B * B + A * A) - B) / A;
  vector<float, N> Angle = cm_atan(Ratio) * 2.0f;
  vector<ushort, N> Flat = cm_abs<float>(A) < 0.000001f;
  vector<float, N> OnAxis = 0.0f;
  OnAxis.merge(CM_CONST_PI, B < 0.0f);
  Angle.merge(OnAxis, Flat);
  return Angle;
}
} // namespace detail

/// Angle of (X, Y) in (-PI, PI], to 1e-5.
template <class Y, class X> auto cm_atan2(const Y &Up, const X &Right, int Flags = _GENX_NOSAT) {
  return detail::given<Y, X>(detail::atan2_of(Up, Right), Flags);
}
/// The same in [0, 2 PI), to 0.01.
template <class Y, class X> auto cm_atan2_fast(const Y &Up, const X &Right, int Flags = _GENX_NOSAT) {
  auto Angle = detail::atan2_of(Up, Right);
  Angle.merge(Angle + CM_CONST_2PI, Angle < 0.0f);
  return detail::given<Y, X>(Angle, Flags);
}
// The forms with written sizes.
#define POCM_SIZED_2(name)                                                                                             \
  template <int... Sizes, class Y, class X>                                                                            \
    requires(detail::has_sizes<Y, Sizes...>())                                                                         \
  auto name(const Y &First, const X &Second, int Flags = _GENX_NOSAT) {                                                \
    return name<Y, X>(First, Second, Flags);                                                                           \
  }
#define POCM_SIZED_1(name)                                                                                             \
  template <int... Sizes, class A>                                                                                     \
    requires(detail::has_sizes<A, Sizes...>())                                                                         \
  auto name(const A &Operand, int Flags = _GENX_NOSAT) {                                                               \
    return name<A>(Operand, Flags);                                                                                    \
  }
POCM_SIZED_2(cm_atan2)
POCM_SIZED_2(cm_atan2_fast)

#define POCM_FUNCTION_1(name, body)                                                                                    \
  template <class A> auto name(const A &Operand, int Flags = _GENX_NOSAT) {                                            \
    constexpr int N = cm::detail::lanes<A>();                                                                          \
    vector<float, N> X = cm::detail::make<vector<float, N>, float, N>(cm::detail::value_of<float, N>(Operand));        \
    vector<float, N> R = body;                                                                                         \
    return detail::given<A>(R, Flags);                                                                                 \
  }                                                                                                                    \
  POCM_SIZED_1(name)
POCM_FUNCTION_1(cm_sin_emu, cm_sin(X))
POCM_FUNCTION_1(cm_cos_emu, cm_cos(X))
namespace detail {
template <int N> vector<float, N> tanh_of(const vector<float, N> &X) {
  vector<float, N> R;
  R.initialize(__builtin_elementwise_tanh(X.value()));
  return R;
}
} // namespace detail
POCM_FUNCTION_1(cm_tanh, detail::tanh_of(X))
POCM_FUNCTION_1(cm_tanh_cody_waite, detail::tanh_of(X))
#undef POCM_FUNCTION_1

/// Y - X * int(Y / X).
template <class Y, class X> auto cm_fmod(const Y &Dividend, const X &Divisor, int Flags = _GENX_NOSAT) {
  constexpr int N = cm::detail::lanes<Y, X>();
  vector<float, N> A = cm::detail::make<vector<float, N>, float, N>(cm::detail::value_of<float, N>(Dividend)),
                   B = cm::detail::make<vector<float, N>, float, N>(cm::detail::value_of<float, N>(Divisor));
  vector<int, N> Quotient = A / B;
  vector<float, N> R = A - B * Quotient;
  return detail::given<Y, X>(R, Flags);
}
POCM_SIZED_2(cm_fmod)
#undef POCM_SIZED_1
#undef POCM_SIZED_2

} // namespace cmtl
