//===- cm/cmtl/dataport.h - Linear and scattered access of any size ----------------------------------===//
//
// On shared memory by address (svmptr_t) or on shared local memory by byte offset (uint).
// Offsets count elements; they may be any.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cm/cm.h>

namespace cmtl::dataport {

/// How an address is aligned; nothing depends on it.
template <auto A> struct AlignTag {
  static constexpr int value = int(A);
};

namespace detail {
using namespace cm::detail;

// An address: 8 bytes wide of shared memory, 4 of shared local memory.
template <class P>
concept place = __is_integral(P);
template <class P> inline constexpr bool is_slm = sizeof(P) <= 4;
// What templates begin with whose arguments are never written out.
enum class deduced { yes };

template <class M, class T, int N>
concept elements = object<M> && is_same<element_type<M>, T> && traits<bare<M>>::count == N;

template <class P, class M> void read_all(P Where, int Offset, M &&To) {
  using T = element_type<M>;
  if constexpr (is_slm<P>)
    cm_slm_block_read(uint(Where), GENX_DWALIGNED, int(Offset * int(sizeof(T))), To);
  else
    cm_svm_block_read_unaligned(Where + (long long)Offset * (long long)sizeof(T), To);
}
template <class P, class M> void write_all(P Where, int Offset, const M &From) {
  using T = element_type<M>;
  if constexpr (is_slm<P>)
    cm::builtin::block_write(slm_surface.get(), int(Where) + Offset * int(sizeof(T)), From.value());
  else
    cm_svm_block_write(Where + (long long)Offset * (long long)sizeof(T), From);
}
template <class T, class O> auto addresses(svmptr_t Where, const O &Offsets, int Offset) {
  constexpr int N = traits<O>::count;
  return vector<unsigned long long, N>((vector<uint, N>(Offsets) + uint(Offset)) * sizeof(T) + Where);
}
inline bool within(uint End, uint Size) {
  if (End > Size)
    printf("dataport: element %u is beyond %u\n", End - 1, Size);
  return End <= Size;
}
template <class O> bool all_within(const O &Offsets, int Offset, uint Size) {
  vector<uint, traits<O>::count> Elements = vector<uint, traits<O>::count>(Offsets) + uint(Offset);
#pragma unroll
  for (int K = 0; K < traits<O>::count; ++K)
    if (!within(Elements(K) + 1, Size))
      return false;
  return true;
}
} // namespace detail

/// All of To from element Offset on.
template <detail::deduced = detail::deduced::yes, detail::place P, cm::detail::object M>
void read(P Where, M &&To, int Offset = 0) {
  detail::read_all(Where, Offset, To);
}
/// The same of Size elements; where they end, 0 and a message.
template <detail::deduced = detail::deduced::yes, detail::place P, cm::detail::object M>
void read(P Where, M &&To, int Offset, uint Size) {
  if (detail::within(Offset + cm::detail::traits<cm::detail::bare<M>>::count, Size))
    detail::read_all(Where, Offset, To);
  else
    To = 0;
}
template <detail::deduced = detail::deduced::yes, detail::place P, cm::detail::object M>
void write(P Where, const M &From, int Offset = 0) {
  detail::write_all(Where, Offset, From);
}
template <detail::deduced = detail::deduced::yes, detail::place P, cm::detail::object M>
void write(P Where, const M &From, int Offset, uint Size) {
  if (detail::within(Offset + cm::detail::traits<M>::count, Size))
    detail::write_all(Where, Offset, From);
}
/// Elements at element offsets of shared memory, any number of them.
template <detail::deduced = detail::deduced::yes, cm::detail::object O, cm::detail::object M>
void read(svmptr_t Where, const O &Offsets, M &&To, int Offset = 0) {
  cm::detail::svm_gather(detail::addresses<cm::detail::element_type<M>>(Where, Offsets, Offset), To);
}
template <detail::deduced = detail::deduced::yes, cm::detail::object O, cm::detail::object M>
void read(svmptr_t Where, const O &Offsets, M &&To, int Offset, uint Size) {
  if (detail::all_within(Offsets, Offset, Size))
    read(Where, Offsets, To, Offset);
  else
    To = 0;
}
template <detail::deduced = detail::deduced::yes, cm::detail::object O, cm::detail::object M>
void write(svmptr_t Where, const O &Offsets, const M &From, int Offset = 0) {
  cm::detail::svm_scatter(detail::addresses<cm::detail::element_type<M>>(Where, Offsets, Offset), From);
}
template <detail::deduced = detail::deduced::yes, cm::detail::object O, cm::detail::object M>
void write(svmptr_t Where, const O &Offsets, const M &From, int Offset, uint Size) {
  if (detail::all_within(Offsets, Offset, Size))
    write(Where, Offsets, From, Offset);
}

// The same with types and sizes written out, <T, N> or <T, R, C>, and without To, whose elements they return.
#define POCM_DATAPORT(object, count, ...)                                                                              \
  template <class T, __VA_ARGS__, class A = AlignTag<16>, detail::place P, detail::elements<T, count> M>               \
  void read(P Where, M &&To, int Offset = 0) {                                                                         \
    read(Where, To, Offset);                                                                                           \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, class A = AlignTag<16>, detail::place P, detail::elements<T, count> M>               \
  void read(P Where, M &&To, int Offset, uint Size) {                                                                  \
    read(Where, To, Offset, Size);                                                                                     \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, class A = AlignTag<16>, detail::place P> object read(P Where, int Offset = 0) {      \
    object To;                                                                                                         \
    read(Where, To, Offset);                                                                                           \
    return To;                                                                                                         \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, class A = AlignTag<16>, detail::place P>                                             \
  object read(P Where, int Offset, uint Size) {                                                                        \
    object To;                                                                                                         \
    read(Where, To, Offset, Size);                                                                                     \
    return To;                                                                                                         \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, class A = AlignTag<16>, detail::place P, detail::elements<T, count> M>               \
  void write(P Where, const M &From, int Offset = 0) {                                                                 \
    write(Where, From, Offset);                                                                                        \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, class A = AlignTag<16>, detail::place P, detail::elements<T, count> M>               \
  void write(P Where, const M &From, int Offset, uint Size) {                                                          \
    write(Where, From, Offset, Size);                                                                                  \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, detail::elements<uint, count> O, detail::elements<T, count> M>                       \
  void read(svmptr_t Where, const O &Offsets, M &&To, int Offset = 0) {                                                \
    read(Where, Offsets, To, Offset);                                                                                  \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, detail::elements<uint, count> O, detail::elements<T, count> M>                       \
  void read(svmptr_t Where, const O &Offsets, M &&To, int Offset, uint Size) {                                         \
    read(Where, Offsets, To, Offset, Size);                                                                            \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, detail::elements<uint, count> O>                                                     \
  object read(svmptr_t Where, const O &Offsets, int Offset = 0) {                                                      \
    object To;                                                                                                         \
    read(Where, Offsets, To, Offset);                                                                                  \
    return To;                                                                                                         \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, detail::elements<uint, count> O>                                                     \
  object read(svmptr_t Where, const O &Offsets, int Offset, uint Size) {                                               \
    object To;                                                                                                         \
    read(Where, Offsets, To, Offset, Size);                                                                            \
    return To;                                                                                                         \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, detail::elements<uint, count> O, detail::elements<T, count> M>                       \
  void write(svmptr_t Where, const O &Offsets, const M &From, int Offset = 0) {                                        \
    write(Where, Offsets, From, Offset);                                                                               \
  }                                                                                                                    \
  template <class T, __VA_ARGS__, detail::elements<uint, count> O, detail::elements<T, count> M>                       \
  void write(svmptr_t Where, const O &Offsets, const M &From, int Offset, uint Size) {                                 \
    write(Where, Offsets, From, Offset, Size);                                                                         \
  }
#define POCM_VECTOR_OF vector<T, int(N)>
#define POCM_MATRIX_OF matrix<T, int(R), int(C)>
POCM_DATAPORT(POCM_VECTOR_OF, int(N), unsigned N)
POCM_DATAPORT(POCM_MATRIX_OF, int(R *C), unsigned R, unsigned C)
#undef POCM_VECTOR_OF
#undef POCM_MATRIX_OF
#undef POCM_DATAPORT

/// One element.
template <class T> T read(svmptr_t Where, int Offset = 0) {
  vector<T, 1> Value;
  detail::read_all(Where, Offset, Value);
  return Value(0);
}
template <class T> T read(svmptr_t Where, int Offset, uint Size) {
  return detail::within(Offset + 1, Size) ? read<T>(Where, Offset) : T();
}
template <class T>
  requires(cm::detail::element<T>)
void write(svmptr_t Where, T Value, int Offset = 0) {
  detail::write_all(Where, Offset, vector<T, 1>(Value));
}
template <class T>
  requires(cm::detail::element<T>)
void write(svmptr_t Where, T Value, int Offset, uint Size) {
  if (detail::within(Offset + 1, Size))
    write<T>(Where, Value, Offset);
}
template <class T, detail::elements<T, 1> M> void write(svmptr_t Where, const M &Value, int Offset = 0) {
  detail::write_all(Where, Offset, Value);
}
template <class T, detail::elements<T, 1> M> void write(svmptr_t Where, const M &Value, int Offset, uint Size) {
  write(Where, Value, Offset, Size);
}

namespace detail {
template <CmAtomicOpType Op, class T, class O, class... A> void atomic(svmptr_t Where, const O &Offsets, A &&...Given);

// The value from before comes last.
template <CmAtomicOpType Op, class T, class O, class R> void atomic_0(svmptr_t Where, const O &Offsets, R &&Old) {
  svm_atomic<Op>(addresses<T>(Where, Offsets, 0), Old);
}
template <CmAtomicOpType Op, class T, class O, class S, class R>
void atomic_1(svmptr_t Where, const O &Offsets, const S &Source, R &&Old) {
  svm_atomic<Op>(addresses<T>(Where, Offsets, 0), Old, Source);
}
template <CmAtomicOpType Op, class T, class O, class S, class U, class R>
void atomic_2(svmptr_t Where, const O &Offsets, const S &First, const U &Second, R &&Old) {
  svm_atomic<Op>(addresses<T>(Where, Offsets, 0), Old, First, Second);
}
template <CmAtomicOpType Op, class T, class O, class... A> void atomic(svmptr_t Where, const O &Offsets, A &&...Given) {
  constexpr int Sources = atomic_sources(Op);
  if constexpr (sizeof...(A) == Sources) {
    vector<T, traits<O>::count> Old;
    atomic<Op, T>(Where, Offsets, Given..., Old);
  } else {
    static_assert(sizeof...(A) == Sources + 1, "dataport::write_atomic: the operation takes another number of sources");
    if constexpr (Sources == 0)
      atomic_0<Op, T>(Where, Offsets, Given...);
    else if constexpr (Sources == 1)
      atomic_1<Op, T>(Where, Offsets, Given...);
    else
      atomic_2<Op, T>(Where, Offsets, Given...);
  }
}
template <class T, class... A> struct atomic_element {
  using type = T;
};
template <class First, class... A> struct atomic_element<void, First, A...> : atomic_element<void, A...> {};
template <object First, class... A> struct atomic_element<void, First, A...> {
  using type = element_type<First>;
};
} // namespace detail

/// Atomics at element offsets of shared memory: the sources, then what receives the values from before, if anything
/// does. A number of elements in front of the sources bounds the offsets.
template <CmAtomicOpType Op, class T = void, unsigned N = 0, cm::detail::object O, class... A>
void write_atomic(svmptr_t Where, const O &Offsets, A &&...Given) {
  static_assert(cm::detail::traits<O>::count % 8 == 0, "dataport::write_atomic: a multiple of 8 offsets");
  static_assert(N == 0 || N == cm::detail::traits<O>::count, "dataport::write_atomic: N offsets");
  using E = typename detail::atomic_element<T, A...>::type;
  static_assert(!__is_void(E), "dataport::write_atomic: nothing says the type of elements; write write_atomic<Op, T, N>");
  if constexpr (!__is_void(E))
    detail::atomic<Op, E>(Where, Offsets, Given...);
}
template <CmAtomicOpType Op, class T = void, unsigned N = 0, cm::detail::object O, detail::place S, class... A>
  requires(sizeof...(A) >= cm::detail::atomic_sources(Op))
void write_atomic(svmptr_t Where, const O &Offsets, S Size, A &&...Given) {
  if (detail::all_within(Offsets, 0, uint(Size)))
    write_atomic<Op, T, N>(Where, Offsets, Given...);
}

/// Copies Bytes bytes, a multiple of 16, width elements of T at a time.
template <class T = int, unsigned width = 4> void cm_slm_copy(uint To, svmptr_t From, uint Bytes) {
  vector<T, width> Data;
  for (uint At = 0; At < Bytes; At += width * sizeof(T)) {
    cm_svm_block_read(From + At, Data);
    cm_slm_block_write(To, int(At), Data);
  }
}
template <class T = int, unsigned width = 4> void cm_slm_copy(svmptr_t To, uint From, uint Bytes) {
  vector<T, width> Data;
  for (uint At = 0; At < Bytes; At += width * sizeof(T)) {
    cm_slm_block_read(From, int(At), Data);
    cm_svm_block_write(To + At, Data);
  }
}
/// A typed block whose X counts elements; parts left of and above the surface are 0, but for targets before BMG, whose
/// messages repeat the edge there.
template <int XOffset = 0, int YOffset = 0, cm::detail::object M> void read(SurfaceIndex Surface, int X, int Y, M &&To) {
  constexpr int Size = sizeof(cm::detail::element_type<M>);
#if !POCM_ON_CPU && CM_GENX < 1290
  ::read(Surface, (X + XOffset) * Size, Y + YOffset, To);
#else
  cm::detail::media_read<cm::detail::zero_outside, 0>(Surface, (X + XOffset) * Size, Y + YOffset, To);
#endif
}

} // namespace cmtl::dataport
