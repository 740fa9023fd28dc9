//===- cm/detail/lsc.h - Load/store cache messages ------------------------------------===//
//
// The newer memory functions, on surfaces (cm_load), pointers (cm_ptr_load) and shared
// local memory (cm_load_slm). Offsets are bytes everywhere. A gather of several elements
// per lane gives element 0 of all lanes, then element 1, and so on. Lanes whose predicate
// is 0 are left out; their results are 0. Cache hints and prefetches change no value; Gen
// code of DG2 and PVC has them.
// Specification chapter "LSC functions".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::builtin {

/// Messages to the load/store cache. Space: 0 surfaces, 1 shared local memory, 2 by address. Numbers are those of the
/// enumerations in lsc.h; Order 2 is elements in a row, of one lane. Lanes whose mask is 0 are left out and give 0.
template <class V, class M, class A>
V lsc_load(M Mask, int Space, int L1, int L3, int Size, int Elements, int Order, int Channels, A Places, unsigned Surface);
template <class V, class M, class A>
void lsc_store(M Mask, int Space, int L1, int L3, int Size, int Elements, int Order, int Channels, A Places,
               unsigned Surface, V Value);
template <class M, class A>
void lsc_prefetch(M Mask, int Space, int L1, int L3, int Size, int Elements, int Order, A Places, unsigned Surface);
template <class V, class M, class A>
V lsc_atomic(M Mask, int Operation, int Space, int L1, int L3, int Size, A Places, unsigned Surface, V First, V Second);

} // namespace cm::builtin

enum class CacheHint { Default, Uncached, Cached, WriteBack, WriteThrough, Streaming, ReadInvalidate, ConstCached };
/// What an element is in memory; U8U32 and U16U32 are a byte and a word in the low bits of a dword, U16U32H in the high.
enum class DataSize { Default, U8, U16, U32, U64, U8U32, U16U32, U16U32H };
/// Elements of a lane.
enum class VectorSize { N0, N1, N2, N3, N4, N8, N16, N32, N64 };
namespace details {
/// Lanes of a message where nothing says how many.
constexpr int lsc_default_simt() { return CM_GRF_WIDTH == 512 ? 32 : 16; }
/// The enumerator of a number of elements; N0 for one that there is none of.
template <int N> constexpr VectorSize lsc_vector_size() {
  return N >= 1 && N <= 4 ? VectorSize(N)
         : N == 8         ? VectorSize::N8
         : N == 16        ? VectorSize::N16
         : N == 32        ? VectorSize::N32
         : N == 64        ? VectorSize::N64
                          : VectorSize::N0;
}
/// The number of elements that an enumerator stands for.
template <VectorSize VS> constexpr unsigned lsc_vector_size() {
  return VS <= VectorSize::N4 ? unsigned(VS) : 8u << (unsigned(VS) - unsigned(VectorSize::N8));
}
/// The size of an element in memory: DS, or T's own where that is the default.
template <class T, DataSize DS> constexpr DataSize lsc_data_size() {
  return DS != DataSize::Default ? DS
         : sizeof(T) == 1        ? DataSize::U8
         : sizeof(T) == 2        ? DataSize::U16
         : sizeof(T) == 4        ? DataSize::U32
         : sizeof(T) == 8        ? DataSize::U64
                                 : DataSize::Default;
}
} // namespace details
/// IDs as the hardware numbers them. ICAS, FCAS and BFCAS take the value to compare with first, then the new one.
enum class AtomicOp {
  IINC = 0x8,
  IDEC = 0x9,
  LOAD = 0xA,
  STORE = 0xB,
  IADD = 0xC,
  ISUB = 0xD,
  SMIN = 0xE,
  SMAX = 0xF,
  UMIN = 0x10,
  UMAX = 0x11,
  ICAS = 0x12,
  FADD = 0x13,
  FSUB = 0x14,
  FMIN = 0x15,
  FMAX = 0x16,
  FCAS = 0x17,
  AND = 0x18,
  OR = 0x19,
  XOR = 0x1A
};
enum LSC_SFID { LSC_UGM, LSC_UGML, LSC_TGM, LSC_SLM };
enum LSC_FENCE_OP {
  LSC_FENCE_OP_NONE,
  LSC_FENCE_OP_EVICT,
  LSC_FENCE_OP_INVALIDATE,
  LSC_FENCE_OP_DISCARD,
  LSC_FENCE_OP_CLEAN,
  LSC_FENCE_OP_FLUSHL3
};
enum LSC_SCOPE {
  LSC_SCOPE_GROUP,
  LSC_SCOPE_LOCAL,
  LSC_SCOPE_TILE,
  LSC_SCOPE_GPU,
  LSC_SCOPE_GPUS,
  LSC_SCOPE_SYSTEM,
  LSC_SCOPE_SYSACQ
};

/// Orders this thread's memory accesses, as seen by the given scope.
template <LSC_SFID Sfid = LSC_UGM, LSC_FENCE_OP Op = LSC_FENCE_OP_NONE, LSC_SCOPE Scope = LSC_SCOPE_GROUP>
void cm_fence(ushort = 1) {
  cm::builtin::fence(Sfid == LSC_SLM ? CM_LOCAL_BARRIER : CM_GLOBAL_COHERENT_FENCE);
}
/// With a predicate for each lane, of which N may say the number.
template <LSC_SFID Sfid = LSC_UGM, LSC_FENCE_OP Op = LSC_FENCE_OP_NONE, LSC_SCOPE Scope = LSC_SCOPE_GROUP, int N = 0,
          cm::detail::object P>
void cm_fence(const P &) {
  cm_fence<Sfid, Op, Scope>();
}

namespace cm::detail {

//===- Which cache hints go together --------------------------------------------------===//

enum class lsc_action { load, prefetch, store, atomic };

constexpr bool one_of(CacheHint H, unsigned Set) { return Set >> int(H) & 1; }
constexpr unsigned hints(CacheHint H) { return 1u << int(H); }
constexpr unsigned operator|(CacheHint A, CacheHint B) { return hints(A) | hints(B); }
constexpr unsigned operator|(unsigned A, CacheHint B) { return A | hints(B); }

/// Hints of two levels, on this target.
template <lsc_action Action> constexpr bool legal_hints(CacheHint L1, CacheHint L2) {
  using enum CacheHint;
  if (L1 == Default && L2 == Default)
    return true;
  const bool ConstantsBelow = POCM_CM_HAS_LSC_L1L3CC_HINT && one_of(L1, Uncached | Cached) && L2 == ConstCached;
  const bool Read = one_of(L1, Uncached | Cached | Streaming) && one_of(L2, Uncached | Cached);
  switch (Action) {
  case lsc_action::load:
    return Read || ConstantsBelow ||
           (L1 == ReadInvalidate && ((POCM_CM_HAS_LSC_LOAD_L1RI_L3RI_HINT && L2 == ReadInvalidate) ||
                                     (POCM_CM_HAS_LSC_LOAD_L1RI_L3CA_HINT && L2 == Cached)));
  case lsc_action::prefetch:
    return (Read && !(L1 == Uncached && L2 == Uncached)) || ConstantsBelow;
  case lsc_action::store:
    return (L1 == WriteBack && L2 == WriteBack) ||
           (one_of(L1, Uncached | WriteThrough | Streaming) && one_of(L2, Uncached | WriteBack));
  case lsc_action::atomic:
    return L1 == Uncached && one_of(L2, Uncached | WriteBack);
  }
  return false;
}
/// Hints of three levels; where caches have two, the third is Default.
template <lsc_action Action> constexpr bool legal_hints(CacheHint L1, CacheHint L2, CacheHint L3) {
  using enum CacheHint;
  if (L3 == Default)
    return legal_hints<Action>(L1, L2) || (POCM_CM_HAS_LSC_L1L2L3_CACHE && Action == lsc_action::store &&
                                           L1 == WriteBack && one_of(L2, Uncached | WriteBack));
  if (!POCM_CM_HAS_LSC_L1L2L3_CACHE)
    return false;
  switch (Action) {
  case lsc_action::load:
    return (L2 != Default && legal_hints<Action>(L1, L2) && one_of(L3, Uncached | Cached)) ||
           (L1 == ReadInvalidate && L2 == ReadInvalidate && L3 == ReadInvalidate);
  case lsc_action::prefetch:
    return (L2 != Default && legal_hints<Action>(L1, L2) && one_of(L3, Uncached | Cached)) ||
           (L1 == Uncached && L2 == Uncached && L3 == Cached);
  case lsc_action::store:
  case lsc_action::atomic:
    return one_of(L1, Action == lsc_action::atomic ? hints(Uncached) : Uncached | WriteBack | WriteThrough | Streaming) &&
           one_of(L2, Uncached | WriteBack) && one_of(L3, Uncached | WriteBack) && !(L2 == WriteBack && L3 == WriteBack);
  }
  return false;
}
/// A hint, or the number of lanes, which may follow the hints.
struct lsc_hint {
  CacheHint Hint;
  int Lanes;

  consteval lsc_hint(CacheHint Hint) : Hint(Hint), Lanes(0) {}
  consteval lsc_hint(int Lanes) : Hint(CacheHint::Default), Lanes(Lanes) {}
  constexpr operator CacheHint() const { return Hint; }
};
template <int N, lsc_hint... All> constexpr void check_lanes() {
  static_assert(((All.Lanes == 0 || All.Lanes == N) && ...),
                sentence("LSC: ", N, " offsets for another number of lanes, which the last template argument says"));
}

//===- Data ------------------------------------------------------------------------------===//

constexpr int lsc_elements(VectorSize VS) {
  constexpr int Counts[] = {0, 1, 2, 3, 4, 8, 16, 32, 64};
  return Counts[int(VS)];
}

/// Element type in memory and in the result.
template <class T, DataSize DS> struct lsc_data {
  using memory = either<DS == DataSize::U8 || DS == DataSize::U8U32, uchar,
                        either<DS == DataSize::U32, uint, either<DS == DataSize::U64, unsigned long long, ushort>>>;
  static constexpr bool in_dword = DS == DataSize::U8U32 || DS == DataSize::U16U32 || DS == DataSize::U16U32H;
  using type = either<in_dword, uint, memory>;
};
template <class T> struct lsc_data<T, DataSize::Default> {
  using memory = T;
  using type = T;
};

/// The number of an element's size in a message: what is narrower than a dword lies in the dword of its lane.
template <class T, DataSize DS> consteval int lsc_size() {
  constexpr int Bytes = sizeof(typename lsc_data<T, DS>::memory);
  if constexpr (DS == DataSize::U16U32H)
    return int(DS);
  else
    return int(Bytes == 1 ? DataSize::U8U32 : Bytes == 2 ? DataSize::U16U32 : Bytes == 4 ? DataSize::U32 : DataSize::U64);
}
/// The type of an element in registers during a message.
template <class T, DataSize DS>
using lsc_lane = either<sizeof(typename lsc_data<T, DS>::memory) < 4, uint, typename lsc_data<T, DS>::memory>;

/// From a message to lanes.
template <class T, DataSize DS, int N> auto lsc_widened(raw<lsc_lane<T, DS>, N> Value) {
  using R = typename lsc_data<T, DS>::type;
  if constexpr (sizeof(R) == sizeof(lsc_lane<T, DS>))
    return (raw<R, N>)Value;
  else
    return (raw<R, N>)__builtin_convertvector(Value, raw<unsigned_of<R>, N>);
}
/// From lanes to a message.
template <class T, DataSize DS, int N> raw<lsc_lane<T, DS>, N> lsc_narrowed(raw<T, N> Value) {
  using M = typename lsc_data<T, DS>::memory;
  using L = lsc_lane<T, DS>;
  if constexpr (sizeof(T) == sizeof(L))
    return (raw<L, N>)Value;
  else if constexpr (sizeof(T) == sizeof(M))
    return __builtin_convertvector((raw<unsigned_of<T>, N>)Value, raw<L, N>);
  else {
    static_assert(is_integer<T>, "LSC store: the data and the data size differ");
    return __builtin_convertvector((raw<unsigned_of<T>, N>)Value, raw<L, N>);
  }
}

/// The type that is written out or, where it is not (void), that of the data.
template <class T, class X> struct lsc_stored_of {
  using type = T;
};
template <object X> struct lsc_stored_of<void, X> {
  using type = element_type<X>;
};
template <class T, class X> using lsc_stored = typename lsc_stored_of<T, X>::type;

/// The VectorSize of a number of elements that there are messages for.
template <int NElts>
  requires(details::lsc_vector_size<NElts>() != VectorSize::N0)
inline constexpr VectorSize lsc_enumerator = details::lsc_vector_size<NElts>();

//===- Where ------------------------------------------------------------------------------===//

// What messages go to: the number of the space, the surface, and places in it.

template <int Space> struct lsc_offsets {
  static constexpr int space = Space;
  unsigned Surface;

  unsigned surface() const { return Surface; }
  template <int N, class O> raw<uint, N> places(const O &Offsets, int Add) const {
    return value_of<uint, N>(Offsets) + raw<uint, N>(uint(Add));
  }
  raw<uint, 1> place(unsigned long long Offset) const { return raw<uint, 1>(uint(Offset)); }
};
using lsc_surface = lsc_offsets<0>;
using lsc_local = lsc_offsets<1>;

struct lsc_memory {
  static constexpr int space = 2;
  unsigned long long Base;

  unsigned surface() const { return 0; }
  template <int N, class O> raw<unsigned long long, N> places(const O &Offsets, int Add) const {
    using S = element_type<O>;
    using W = either<is_unsigned<S>, unsigned long long, long long>;
    return raw<unsigned long long, N>(Base + (unsigned long long)Add) +
           (raw<unsigned long long, N>)value_of<W, N>(Offsets);
  }
  raw<unsigned long long, 1> place(unsigned long long Offset) const {
    return raw<unsigned long long, 1>(Base + Offset);
  }
};

inline lsc_memory lsc_at(const void *Pointer) { return {(unsigned long long)(uintptr_t)Pointer}; }

/// Cache hints of a message: the first two levels; the targets that there are have no third one.
template <CacheHint L1, CacheHint L2> struct lsc_hints {
  // What a message cannot say is left to the cache.
  static constexpr bool known =
      L1 != CacheHint::ConstCached && L2 != CacheHint::ConstCached && L2 != CacheHint::ReadInvalidate;
  static constexpr int first = known ? int(L1) : 0, second = known ? int(L2) : 0;
};

//===- What all of them do ------------------------------------------------------------------===//

// auto: it is instantiated at once, so that what is wrong is said at the line of the call
template <int N, class P> auto lsc_lanes(const P &Predicate) {
  if constexpr (object<P>) {
    static_assert(traits<P>::count == N, sentence("LSC: ", traits<P>::count, " predicates for ", N, " lanes"));
    static_assert(!is_floating<typename traits<P>::type>, "a predicate has integer elements; compare first");
    if constexpr (traits<P>::count == N && !is_floating<typename traits<P>::type>)
      return __builtin_convertvector(Predicate.value() != typename traits<P>::type(0), raw<ushort, N>) & raw<ushort, N>(1);
    else
      return raw<ushort, N>(0);
  } else {
    return raw<ushort, N>(ushort(Predicate != 0));
  }
}

/// Of each kind of memory for itself, so that mistakes with several are all reported.
template <class T, int NElts, DataSize DS, class Where> constexpr void check_lsc_block() {
  static_assert(NElts == 1 || NElts == 2 || NElts == 3 || NElts == 4 || NElts == 8 || NElts == 16 || NElts == 32 ||
                    NElts == 64,
                sentence("LSC block: 1, 2, 3, 4, 8, 16, 32 or 64 elements, not ", NElts));
  constexpr int Size = sizeof(typename lsc_data<T, DS>::memory);
  static_assert((Size == 4 || Size == 8) && !(DS > DataSize::U64),
                "LSC block: elements of 4 or 8 bytes; narrower data is moved as dwords");
}

/// The VectorSize of so many elements.
consteval int lsc_vector_size(int Elements) {
  return Elements < 4 ? Elements : Elements == 4 ? 4 : Elements == 8 ? 5 : Elements == 16 ? 6 : Elements == 32 ? 7 : 8;
}
inline constexpr int in_lanes = 1, in_a_row = 2; // orders of elements
inline constexpr int most_of_a_lane = 4;         // elements in one message

/// What a piece of so many bytes, at a multiple of Aligned, may be moved in, lane by lane.
template <int Bytes, int Aligned>
using slm_unit = either<Aligned % 4 == 0 && Bytes % 4 == 0, uint, either<Aligned % 2 == 0 && Bytes % 2 == 0, ushort, uchar>>;

/// Calls Move<lanes>(first unit, offsets) for all units of a piece that begins at Offset, 16 lanes at a time.
template <class U, int Units, class F> void each_slm_lanes(uint Offset, F Move) {
  constexpr int Most = 16;
  auto Lanes = [&]<int N>(int First) {
    vector<uint, N> At;
#pragma unroll
    for (int I = 0; I < N; ++I)
      At(I) = Offset + (First + I) * sizeof(U);
    Move.template operator()<N>(First, At);
  };
#pragma unroll
  for (int I = 0; I + Most <= Units; I += Most)
    Lanes.template operator()<Most>(I);
  if constexpr (constexpr int Rest = Units % Most; Rest != 0)
    Lanes.template operator()<Rest>(Units - Rest);
}

/// N elements of shared local memory, of any size, from a byte offset on that is a multiple of Aligned.
template <class T, int N, int Aligned> vector<T, N> slm_load_block(uint Offset) {
  constexpr int Bytes = N * sizeof(T);
  if constexpr (Bytes % 16 == 0)
    if (Aligned % 4 == 0 || Offset % 4 == 0) {
      vector<T, N> Result;
      cm_slm_block_read(0, GENX_DWALIGNED, int(Offset), Result);
      return Result;
    }
  using U = slm_unit<Bytes, Aligned>;
  constexpr int Units = Bytes / sizeof(U);
  vector<U, Units> All;
  each_slm_lanes<U, Units>(Offset, [&]<int Lanes>(int First, const vector<uint, Lanes> &At) {
    vector<U, Lanes> Part;
    cm_slm_read_scaled(0, At, Part);
    All.template select<Lanes, 1>(First) = Part;
  });
  return All.template format<T>();
}
template <class T, int N, int Aligned> void slm_store_block(uint Offset, vector<T, N> Data) {
  constexpr int Bytes = N * sizeof(T);
  if constexpr (Bytes % 16 == 0)
    if (Aligned % 16 == 0 || Offset % 16 == 0)
      return cm_slm_block_write(0, int(Offset), Data);
  using U = slm_unit<Bytes, Aligned>;
  constexpr int Units = Bytes / sizeof(U);
  vector<U, Units> All = Data.template format<U>();
  each_slm_lanes<U, Units>(Offset, [&]<int Lanes>(int First, const vector<uint, Lanes> &At) {
    vector<U, Lanes> Part = All.template select<Lanes, 1>(First);
    cm_slm_write_scaled(0, At, Part);
  });
}
/// Whether a block is none of the load/store cache's messages, but shared local memory can be asked for it otherwise.
template <class T, int NElts, DataSize DS, class W> consteval bool is_other_slm_block() {
  return W::space == lsc_local::space && DS == DataSize::Default && NElts > 0 &&
         (sizeof(T) < 4 || !(NElts <= 4 || NElts == 8 || NElts == 16 || NElts == 32 || NElts == 64));
}

template <class T, int NElts, DataSize DS, class H, class W>
auto lsc_load_block(const W &Where, unsigned long long Offset) {
  if constexpr (is_other_slm_block<T, NElts, DS, W>()) {
    return slm_load_block<T, NElts, sizeof(T)>(Where.place(Offset)[0]);
  } else {
  check_lsc_block<T, NElts, DS, W>();
  using R = typename lsc_data<T, DS>::type;
  return make<vector<R, NElts>, R, NElts>(cm::builtin::lsc_load<raw<R, NElts>>(
      raw<ushort, 1>(1), W::space, H::first, H::second, lsc_size<T, DS>(), lsc_vector_size(NElts), in_a_row, 0,
      Where.place(Offset), Where.surface()));
  }
}
template <class T, int NElts, DataSize DS, class H, class W, class X>
void lsc_store_block(const W &Where, unsigned long long Offset, const X &Data) {
  if constexpr (is_other_slm_block<T, NElts, DS, W>()) {
    slm_store_block<T, NElts, sizeof(T)>(Where.place(Offset)[0], vector<T, NElts>(Data));
  } else {
  check_lsc_block<T, NElts, DS, W>();
  cm::builtin::lsc_store(raw<ushort, 1>(1), W::space, H::first, H::second, lsc_size<T, DS>(), lsc_vector_size(NElts),
                         in_a_row, 0, Where.place(Offset), Where.surface(),
                         lsc_narrowed<T, DS, NElts>(value_of<T, NElts>(Data)));
  }
}

/// How many elements of each lane go in one message.
template <class T, DataSize DS> consteval int lsc_together(int Elements) {
  static_assert(sizeof(typename lsc_data<T, DS>::memory) <= 8);
  return sizeof(typename lsc_data<T, DS>::memory) < 4 ? 1 : Elements < most_of_a_lane ? Elements : most_of_a_lane;
}

template <class T, VectorSize VS, DataSize DS, class H, class W, class O, class P>
auto lsc_gather(const W &Where, const O &Offsets, const P &Predicate) {
  using R = typename lsc_data<T, DS>::type;
  constexpr int N = traits<O>::count, Elements = lsc_elements(VS), Step = lsc_together<T, DS>(Elements);
  static_assert(Elements > 0, "LSC: VectorSize::N0 is no number of elements");
  vector<R, N * Elements> Result;
#pragma unroll
  for (int I = 0; I < Elements; I += Step) {
    auto Part = cm::builtin::lsc_load<raw<lsc_lane<T, DS>, N * Step>>(
        lsc_lanes<N>(Predicate), W::space, H::first, H::second, lsc_size<T, DS>(), lsc_vector_size(Step), in_lanes, 0,
        Where.template places<N>(Offsets, I * int(sizeof(typename lsc_data<T, DS>::memory))), Where.surface());
    Result.template select<N * Step, 1>(I * N) =
        make<vector<R, N * Step>, R, N * Step>(lsc_widened<T, DS, N * Step>(Part));
  }
  return Result;
}
template <class T, VectorSize VS, DataSize DS, class H, class W, class O, class X, class P>
void lsc_scatter(const W &Where, const O &Offsets, const X &Data, const P &Predicate) {
  constexpr int N = traits<O>::count, Elements = lsc_elements(VS), Step = lsc_together<T, DS>(Elements);
  static_assert(Elements > 0, "LSC: VectorSize::N0 is no number of elements");
  vector<T, N * Elements> All = Data;
#pragma unroll
  for (int I = 0; I < Elements; I += Step)
    cm::builtin::lsc_store(lsc_lanes<N>(Predicate), W::space, H::first, H::second, lsc_size<T, DS>(),
                           lsc_vector_size(Step), in_lanes, 0,
                           Where.template places<N>(Offsets, I * int(sizeof(typename lsc_data<T, DS>::memory))),
                           Where.surface(),
                           lsc_narrowed<T, DS, N * Step>(All.template select<N * Step, 1>(I * N).value()));
}

template <class T, DataSize DS> constexpr void check_quads() {
  static_assert(sizeof(T) == 4 && (DS == DataSize::Default || DS == DataSize::U32), "LSC quads: elements of 4 bytes");
}
template <class T, int Enabled, DataSize DS, class H, class W, class O, class P>
auto lsc_gather_quads(const W &Where, const O &Offsets, const P &Predicate) {
  check_quads<T, DS>();
  constexpr int N = traits<O>::count, Count = N * channels_of(Enabled);
  return make<vector<T, Count>, T, Count>(cm::builtin::lsc_load<raw<T, Count>>(
      lsc_lanes<N>(Predicate), W::space, H::first, H::second, int(DataSize::U32), lsc_vector_size(channels_of(Enabled)),
      in_lanes, Enabled, Where.template places<N>(Offsets, 0), Where.surface()));
}
template <class T, int Enabled, DataSize DS, class H, class W, class O, class X, class P>
void lsc_scatter_quads(const W &Where, const O &Offsets, const X &Data, const P &Predicate) {
  check_quads<T, DS>();
  static_assert((Enabled & (Enabled + 1)) == 0, "LSC quads: a store takes the channels R, GR, BGR or ABGR");
  constexpr int N = traits<O>::count, Count = N * channels_of(Enabled);
  cm::builtin::lsc_store(lsc_lanes<N>(Predicate), W::space, H::first, H::second, int(DataSize::U32),
                         lsc_vector_size(channels_of(Enabled)), in_lanes, Enabled, Where.template places<N>(Offsets, 0),
                         Where.surface(), value_of<T, Count>(Data));
}

// Prefetches of shared local memory are nothing: it is no memory behind a cache.
template <int NElts, DataSize DS, class H, class W> void lsc_prefetch_block(const W &Where, unsigned long long Offset) {
  constexpr DataSize Size = DS == DataSize::Default ? DataSize::U32 : DS;
  check_lsc_block<uint, NElts, Size, W>();
  if constexpr (W::space != lsc_local::space)
    cm::builtin::lsc_prefetch(raw<ushort, 1>(1), W::space, H::first, H::second, lsc_size<uint, Size>(),
                              lsc_vector_size(NElts), in_a_row, Where.place(Offset), Where.surface());
}
template <VectorSize VS, DataSize DS, class H, class W, class O, class P>
void lsc_prefetch_lanes(const W &Where, const O &Offsets, const P &Predicate) {
  constexpr int N = traits<O>::count, Elements = lsc_elements(VS), Step = lsc_together<uint, DS>(Elements);
  static_assert(Elements > 0, "LSC: VectorSize::N0 is no number of elements");
  if constexpr (W::space != lsc_local::space) {
#pragma unroll
    for (int I = 0; I < Elements; I += Step)
      cm::builtin::lsc_prefetch(lsc_lanes<N>(Predicate), W::space, H::first, H::second, lsc_size<uint, DS>(),
                                lsc_vector_size(Step), in_lanes,
                                Where.template places<N>(Offsets, I * int(sizeof(typename lsc_data<uint, DS>::memory))),
                                Where.surface());
  }
}

/// CM's older number of the same operation.
constexpr CmAtomicOpType older(AtomicOp Op) {
  switch (Op) {
  case AtomicOp::IINC:
    return ATOMIC_INC;
  case AtomicOp::IDEC:
    return ATOMIC_DEC;
  case AtomicOp::LOAD:
    return ATOMIC_OR; // with 0
  case AtomicOp::STORE:
    return ATOMIC_XCHG;
  case AtomicOp::IADD:
    return ATOMIC_ADD;
  case AtomicOp::ISUB:
    return ATOMIC_SUB;
  case AtomicOp::SMIN:
    return ATOMIC_MINSINT;
  case AtomicOp::SMAX:
    return ATOMIC_MAXSINT;
  case AtomicOp::UMIN:
    return ATOMIC_MIN;
  case AtomicOp::UMAX:
    return ATOMIC_MAX;
  case AtomicOp::ICAS:
    return ATOMIC_CMPXCHG; // operands the other way round
  case AtomicOp::FADD:
    return ATOMIC_FADD;
  case AtomicOp::FSUB:
    return ATOMIC_FSUB;
  case AtomicOp::FMIN:
    return ATOMIC_FMIN;
  case AtomicOp::FMAX:
    return ATOMIC_FMAX;
  case AtomicOp::FCAS:
    return ATOMIC_FCMPWR;
  case AtomicOp::AND:
    return ATOMIC_AND;
  case AtomicOp::OR:
    return ATOMIC_OR;
  case AtomicOp::XOR:
    return ATOMIC_XOR;
  }
}
constexpr int lsc_sources(AtomicOp Op) { return Op == AtomicOp::LOAD ? 0 : atomic_sources(older(Op)); }

template <AtomicOp Op, class T, VectorSize VS, DataSize DS, class H, class W, class O, class A, class B, class P>
auto lsc_atomic(const W &Where, const O &Offsets, const A &First, const B &Second, const P &Predicate) {
  constexpr int N = traits<O>::count, Elements = lsc_elements(VS);
  static_assert(Elements > 0, "LSC: VectorSize::N0 is no number of elements");
  constexpr bool Float = is_float_atomic(older(Op));
  static_assert(sizeof(T) >= 2, "LSC atomics: elements of 2, 4 or 8 bytes");
  constexpr bool Local = W::space == lsc_local::space && !POCM_ON_CPU;
  static_assert(!Local || !is_float_sum(older(Op)),
                "target " POCM_TARGET " does not have AtomicOp::FADD and FSUB on shared local memory");
  static_assert(!Local || sizeof(T) < 8 || (Op == AtomicOp::ICAS && POCM_CM_HAS_SLM_CAS_INT64),
                "target " POCM_TARGET " does not have this atomic operation of 64 bits on shared local memory");
  static_assert(!Float || !is_same<T, double> || POCM_CM_HAS_DOUBLE,
                "atomics of double need CM_HAS_DOUBLE, which target " POCM_TARGET " does not have");
  static_assert(!Float || is_floating<T>, "LSC atomics: floating-point operations work on half, float and double");
  using Bits = unsigned_of<T>;
  using L = lsc_lane<Bits, DataSize::Default>;
  vector<T, N * Elements> A0, B0, Result;
  A0.initialize(value_of<T, N * Elements>(First));
  B0.initialize(value_of<T, N * Elements>(Second));
#pragma unroll
  for (int I = 0; I < Elements; ++I) {
    auto Part = [&](const vector<T, N * Elements> &All) {
      return lsc_narrowed<Bits, DataSize::Default, N>((raw<Bits, N>)All.template select<N, 1>(I * N).value());
    };
    raw<L, N> Before = cm::builtin::lsc_atomic<raw<L, N>>(
        lsc_lanes<N>(Predicate), int(Op), W::space, H::first, H::second, lsc_size<Bits, DataSize::Default>(),
        Where.template places<N>(Offsets, I * int(sizeof(T))), Where.surface(), Part(A0), Part(B0));
    Result.template select<N, 1>(I * N).assign((raw<T, N>)lsc_widened<Bits, DataSize::Default, N>(Before));
  }
  return Result;
}

} // namespace cm::detail

// Hints, and behind as many of them as are written the number of lanes.
#define POCM_HINTS                                                                                                     \
  cm::detail::lsc_hint L1 = CacheHint::Default, cm::detail::lsc_hint L2 = CacheHint::Default,                          \
                       cm::detail::lsc_hint L3 = CacheHint::Default, cm::detail::lsc_hint N = CacheHint::Default
#define POCM_CHECK(action)                                                                                             \
  POCM_NEEDS("this function", CM_HAS_LSC);                                                                             \
  using namespace cm::detail;                                                                                          \
  static_assert(                                                                                                       \
      legal_hints<lsc_action::action>(L1, L2, L3),                                                                     \
      "unsupported cache hint: these hints do not go together with this kind of access on target " POCM_TARGET);
#define POCM_CHECK_LANES(action)                                                                                       \
  POCM_CHECK(action)                                                                                                   \
  check_lanes<traits<O>::count, L1, L2, L3, N>();

// The functions on one kind of memory. `parameters` stand before the offset, `where` is made of them.
#define POCM_LSC(load_name, store_name, prefetch_name, load4_name, store4_name, atomic_name, parameters, where)        \
  template <class T, int NElts, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O>                     \
  auto load_name(parameters O Offset) {                                                                                \
    POCM_CHECK(load)                                                                                                   \
    return lsc_load_block<T, NElts, DS, lsc_hints<L1, L2>>(where, (unsigned long long)Offset);                         \
  }                                                                                                                    \
  template <class T = void, int NElts = 0, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O,           \
            cm::detail::operand X>                                                                                     \
    requires(NElts > 0 || cm::detail::object<X>)                                                                       \
  void store_name(parameters O Offset, const X &Data) {                                                                \
    POCM_CHECK(store)                                                                                                  \
    lsc_store_block<lsc_stored<T, X>, NElts ? NElts : count_or_one<X>, DS, lsc_hints<L1, L2>>(                          \
        where, (unsigned long long)Offset, Data);                                                                      \
  }                                                                                                                    \
  template <class T, VectorSize VS, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O>                 \
  [[deprecated("give the number of elements as an integer")]] auto load_name(parameters O Offset) {                    \
    POCM_CHECK(load)                                                                                                   \
    return lsc_load_block<T, lsc_elements(VS), DS, lsc_hints<L1, L2>>(where, (unsigned long long)Offset);              \
  }                                                                                                                    \
  template <class T, VectorSize VS, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O,                 \
            cm::detail::operand X>                                                                                     \
  [[deprecated("give the number of elements as an integer")]] void store_name(parameters O Offset, const X &Data) {    \
    POCM_CHECK(store)                                                                                                  \
    lsc_store_block<T, lsc_elements(VS), DS, lsc_hints<L1, L2>>(where, (unsigned long long)Offset, Data);              \
  }                                                                                                                    \
  template <class T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,                      \
            cm::detail::object O, cm::detail::operand P = int>                                                         \
  auto load_name(parameters const O &Offsets, const P &Predicate = 1) {                                                \
    POCM_CHECK_LANES(load)                                                                                             \
    return lsc_gather<T, VS, DS, lsc_hints<L1, L2>>(where, Offsets, Predicate);                                        \
  }                                                                                                                    \
  template <class T, int NElts, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::object O,                     \
            cm::detail::operand P = int>                                                                               \
  auto load_name(parameters const O &Offsets, const P &Predicate = 1) {                                                \
    POCM_CHECK_LANES(load)                                                                                             \
    return lsc_gather<T, lsc_enumerator<NElts>, DS, lsc_hints<L1, L2>>(where, Offsets, Predicate);                     \
  }                                                                                                                    \
  template <class T = void, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,               \
            cm::detail::object O, cm::detail::operand X, cm::detail::operand P = int>                                  \
    requires(!cm::detail::is_same<T, void> || cm::detail::object<X>)                                                   \
  void store_name(parameters const O &Offsets, const X &Data, const P &Predicate = 1) {                                \
    POCM_CHECK_LANES(store)                                                                                            \
    lsc_scatter<lsc_stored<T, X>, VS, DS, lsc_hints<L1, L2>>(where, Offsets, Data, Predicate);                         \
  }                                                                                                                    \
  template <class T, int NElts, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::object O,                     \
            cm::detail::operand X, cm::detail::operand P = int>                                                        \
  void store_name(parameters const O &Offsets, const X &Data, const P &Predicate = 1) {                                \
    POCM_CHECK_LANES(store)                                                                                            \
    lsc_scatter<T, lsc_enumerator<NElts>, DS, lsc_hints<L1, L2>>(where, Offsets, Data, Predicate);                     \
  }                                                                                                                    \
  template <VectorSize VS, DataSize DS = DataSize::U32, POCM_HINTS, cm::detail::scalar O>                              \
  [[deprecated("give the number of elements as an integer")]] void prefetch_name(parameters O Offset) {                \
    POCM_CHECK(prefetch)                                                                                               \
    lsc_prefetch_block<lsc_elements(VS), DS, lsc_hints<L1, L2>>(where, (unsigned long long)Offset);                    \
  }                                                                                                                    \
  template <int NElts, DataSize DS = DataSize::U32, POCM_HINTS, cm::detail::scalar O>                              \
  void prefetch_name(parameters O Offset) {                                                                            \
    POCM_CHECK(prefetch)                                                                                               \
    lsc_prefetch_block<NElts, DS, lsc_hints<L1, L2>>(where, (unsigned long long)Offset);                               \
  }                                                                                                                    \
  template <VectorSize VS = VectorSize::N1, DataSize DS = DataSize::U32, POCM_HINTS, cm::detail::object O,             \
            cm::detail::operand P = int>                                                                               \
  void prefetch_name(parameters const O &Offsets, const P &Predicate = 1) {                                            \
    POCM_CHECK_LANES(prefetch)                                                                                         \
    lsc_prefetch_lanes<VS, DS, lsc_hints<L1, L2>>(where, Offsets, Predicate);                                          \
  }                                                                                                                    \
  template <class T, ChannelMaskType Mask, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::object O,          \
            cm::detail::operand P = int>                                                                               \
  auto load4_name(parameters const O &Offsets, const P &Predicate = 1) {                                               \
    POCM_CHECK_LANES(load)                                                                                             \
    return lsc_gather_quads<T, enabled(Mask), DS, lsc_hints<L1, L2>>(where, Offsets, Predicate);                       \
  }                                                                                                                    \
  template <class T, ChannelMaskType Mask, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::object O,          \
            cm::detail::operand X, cm::detail::operand P = int>                                                        \
  void store4_name(parameters const O &Offsets, const X &Data, const P &Predicate = 1) {                               \
    POCM_CHECK_LANES(store)                                                                                            \
    lsc_scatter_quads<T, enabled(Mask), DS, lsc_hints<L1, L2>>(where, Offsets, Data, Predicate);                       \
  }                                                                                                                    \
  template <AtomicOp Op, class T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,         \
            cm::detail::object O, cm::detail::operand P = int>                                                         \
    requires(cm::detail::lsc_sources(Op) == 0)                                                                         \
  auto atomic_name(parameters const O &Offsets, const P &Predicate = 1) {                                              \
    POCM_CHECK_LANES(atomic)                                                                                           \
    return lsc_atomic<Op, T, VS, DS, lsc_hints<L1, L2>>(where, Offsets, 0, 0, Predicate);                              \
  }                                                                                                                    \
  template <AtomicOp Op, class T = void, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,         \
            cm::detail::object O, cm::detail::operand A, cm::detail::operand P = int>                                  \
    requires(cm::detail::lsc_sources(Op) == 1 && (!cm::detail::is_same<T, void> || cm::detail::object<A>))                                                                         \
  auto atomic_name(parameters const O &Offsets, const A &First, const P &Predicate = 1) {                              \
    POCM_CHECK_LANES(atomic)                                                                                           \
    return lsc_atomic<Op, lsc_stored<T, A>, VS, DS, lsc_hints<L1, L2>>(where, Offsets, First, 0, Predicate);                          \
  }                                                                                                                    \
  template <AtomicOp Op, class T = void, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,         \
            cm::detail::object O, cm::detail::operand A, cm::detail::operand B, cm::detail::operand P = int>           \
    requires(cm::detail::lsc_sources(Op) == 2 && (!cm::detail::is_same<T, void> || cm::detail::object<A>))                                                                         \
  auto atomic_name(parameters const O &Offsets, const A &First, const B &Second, const P &Predicate = 1) {             \
    POCM_CHECK_LANES(atomic)                                                                                           \
    return lsc_atomic<Op, lsc_stored<T, A>, VS, DS, lsc_hints<L1, L2>>(where, Offsets, First, Second, Predicate);                     \
  }

#define POCM_COMMA ,
POCM_LSC(cm_load, cm_store, cm_prefetch, cm_load4, cm_store4, cm_atomic, SurfaceIndex Surface POCM_COMMA,
         lsc_surface{Surface.get()})
POCM_LSC(cm_ptr_load, cm_ptr_store, cm_ptr_prefetch, cm_ptr_load4, cm_ptr_store4, cm_ptr_atomic,
         const void *Pointer POCM_COMMA, lsc_at(Pointer))
/// Surfaces by number.
POCM_LSC(cm_offset_load, cm_offset_store, cm_offset_prefetch, cm_offset_load4, cm_offset_store4, cm_offset_atomic,
         uint Surface POCM_COMMA, lsc_surface{Surface})
/// Shared local memory; offsets are from its beginning, cm_slm_alloc's results to be added.
POCM_LSC(cm_load_slm, cm_store_slm, cm_prefetch_slm, cm_load4_slm, cm_store4_slm, cm_atomic_slm, , lsc_local{0})
#undef POCM_COMMA
#undef POCM_LSC

/// Address alignment that the caller promises.
enum class Align { ELEM_SIZE = 0, BYTE = 1, WORD = 2, DWORD = 4, QWORD = 8, OWORD = 16 };
/// The alignment of elements of a size.
template <DataSize DS> constexpr Align data_size_alignment() {
  return DS == DataSize::U8    ? Align::BYTE
         : DS == DataSize::U16 ? Align::WORD
         : DS == DataSize::U32 ? Align::DWORD
         : DS == DataSize::U64 ? Align::QWORD
                               : Align::ELEM_SIZE;
}
/// N elements of shared local memory from an aligned offset on, on every target.
template <class T, int N, Align A, cm::detail::scalar O> auto cm_load_slm(O Offset) {
  return cm::detail::slm_load_block<T, N, A == Align::ELEM_SIZE ? int(sizeof(T)) : int(A)>(uint(Offset));
}
template <class T, int N, Align A, cm::detail::scalar O, cm::detail::operand X>
void cm_store_slm(O Offset, const X &Data) {
  cm::detail::slm_store_block<T, N, A == Align::ELEM_SIZE ? int(sizeof(T)) : int(A)>(uint(Offset), vector<T, N>(Data));
}

/// With the type that the pointer points to.
template <int = 0, class T, cm::detail::object O, cm::detail::operand P = int>
auto cm_ptr_load(const T *Pointer, const O &Offsets, const P &Predicate = 1) {
  return cm_ptr_load<T>(Pointer, Offsets, Predicate);
}
template <AtomicOp Op, int = 0, class T, cm::detail::object O, cm::detail::operand P = int>
  requires(cm::detail::lsc_sources(Op) == 0)
auto cm_ptr_atomic(T *Pointer, const O &Offsets, const P &Predicate = 1) {
  return cm_ptr_atomic<Op, T>(Pointer, Offsets, Predicate);
}

/// As cm_load4_slm and cm_store4_slm.
template <class T, ChannelMaskType Mask, DataSize DS = DataSize::Default, cm::detail::object O,
          cm::detail::operand P = int>
auto cm_load_slm4(const O &Offsets, const P &Predicate = 1) {
  return cm_load4_slm<T, Mask, DS>(Offsets, Predicate);
}
template <class T, ChannelMaskType Mask, DataSize DS = DataSize::Default, cm::detail::object O,
          cm::detail::operand X, cm::detail::operand P = int>
void cm_store_slm4(const O &Offsets, const X &Data, const P &Predicate = 1) {
  cm_store4_slm<T, Mask, DS>(Offsets, Data, Predicate);
}
