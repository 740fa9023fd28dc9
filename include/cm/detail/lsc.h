//===- cm/detail/lsc.h - Load/store cache messages ------------------------------------===//
//
// The newer memory functions, on surfaces (cm_load), pointers (cm_ptr_load) and shared
// local memory (cm_load_slm). Offsets are bytes everywhere. A gather of several elements
// per lane gives element 0 of all lanes, then element 1, and so on. Lanes whose predicate
// is 0 are left out; their results are 0. Cache hints change no value.
// Specification chapter "LSC functions".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

enum class CacheHint { Default, Uncached, Cached, WriteBack, WriteThrough, Streaming, ReadInvalidate, ConstCached };
/// What an element is in memory; U8U32 and U16U32 are a byte and a word in the low bits of a dword, U16U32H in the high.
enum class DataSize { Default, U8, U16, U32, U64, U8U32, U16U32, U16U32H };
/// Elements of a lane.
enum class VectorSize { N0, N1, N2, N3, N4, N8, N16, N32, N64 };
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

namespace cm::detail {

//===- Which cache hints go together --------------------------------------------------===//

enum class lsc_action { load, prefetch, store, atomic };

constexpr bool one_of(CacheHint H, unsigned Set) { return Set >> int(H) & 1; }
constexpr unsigned hints(CacheHint H) { return 1u << int(H); }
constexpr unsigned operator|(CacheHint A, CacheHint B) { return hints(A) | hints(B); }
constexpr unsigned operator|(unsigned A, CacheHint B) { return A | hints(B); }

template <lsc_action Action> constexpr bool legal_hints(CacheHint L1, CacheHint L2, CacheHint L3) {
  using enum CacheHint;
  if (L1 == Default && L2 == Default && L3 == Default)
    return true;
  bool Three = L3 != Default; // hints for three levels
  switch (Action) {
  case lsc_action::load:
    if (L1 == ReadInvalidate)
      return (L2 == ReadInvalidate && (!Three || L3 == ReadInvalidate)) || (L2 == Cached && !Three);
    if (!Three && L2 == ConstCached)
      return one_of(L1, Uncached | Cached);
    return one_of(L1, Uncached | Cached | Streaming) && one_of(L2, Uncached | Cached) &&
           one_of(L3, Cached | Uncached | Default);
  case lsc_action::prefetch:
    if (Three && L1 == Uncached)
      return (L2 == Uncached && L3 == Cached) || (L2 == Cached && one_of(L3, Cached | Uncached));
    if (!Three && L2 == ConstCached)
      return one_of(L1, Uncached | Cached);
    if (!Three && L1 == Uncached)
      return L2 == Cached;
    return one_of(L1, Cached | Streaming) && one_of(L2, Cached | Uncached) && one_of(L3, Cached | Uncached | Default);
  case lsc_action::store:
    if (Three)
      return one_of(L1, Uncached | WriteThrough | Streaming | WriteBack) &&
             ((L2 == Uncached && one_of(L3, WriteBack | Uncached)) || (L2 == WriteBack && L3 == Uncached));
    return (L1 == WriteBack && L2 == WriteBack) ||
           (one_of(L1, Uncached | WriteThrough | Streaming) && one_of(L2, WriteBack | Uncached));
  case lsc_action::atomic:
    if (Three)
      return L1 == Uncached &&
             ((L2 == Uncached && one_of(L3, WriteBack | Uncached)) || (L2 == WriteBack && L3 == Uncached));
    return L1 == Uncached && one_of(L2, Uncached | WriteBack);
  }
  return false;
}
template <lsc_action Action, CacheHint L1, CacheHint L2, CacheHint L3> constexpr void check_hints() {
  static_assert(legal_hints<Action>(L1, L2, L3),
                "unsupported cache hint: this pair of L1 and L2 hints does not go with this kind of access");
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

/// From memory to lanes.
template <class T, DataSize DS, int N> auto lsc_widened(raw<typename lsc_data<T, DS>::memory, N> Value) {
  using R = typename lsc_data<T, DS>::type;
  raw<R, N> Wide = __builtin_convertvector(Value, raw<R, N>);
  if constexpr (DS == DataSize::U16U32H)
    Wide <<= raw<R, N>(16);
  return Wide;
}
/// From lanes to memory.
template <class T, DataSize DS, int N, class X> auto lsc_narrowed(raw<X, N> Value) {
  using M = typename lsc_data<T, DS>::memory;
  if constexpr (sizeof(X) == sizeof(M)) {
    return (raw<M, N>)Value;
  } else {
    static_assert(is_integer<X>, "LSC store: the data and the data size differ");
    raw<unsigned_of<X>, N> Bits = (raw<unsigned_of<X>, N>)Value;
    if constexpr (DS == DataSize::U16U32H)
      Bits >>= raw<unsigned_of<X>, N>(16);
    return __builtin_convertvector(Bits, raw<M, N>);
  }
}

//===- Where ------------------------------------------------------------------------------===//

struct lsc_surface {
  SurfaceIndex Surface;

  template <class M, int N, class O> raw<M, N> gather(raw<ushort, N> Mask, const O &Offsets, int Add) const {
    return cm::builtin::scattered_read<raw<M, N>>(Mask, 0, Surface.get(), uint(Add), value_of<uint, N>(Offsets));
  }
  template <class M, int N, class O> void scatter(raw<ushort, N> Mask, const O &Offsets, int Add, raw<M, N> V) const {
    cm::builtin::scattered_write(Mask, 0, Surface.get(), uint(Add), value_of<uint, N>(Offsets), V);
  }
  template <class M, int N> raw<M, N> load(uint Offset) const {
    return cm::builtin::oword_read_unaligned<raw<M, N>>(0, Surface.get(), int(Offset));
  }
  template <class M, int N> void store(uint Offset, raw<M, N> Value) const {
    cm::builtin::block_write(Surface.get(), int(Offset), Value);
  }
  template <class B, int N, int Number, class O>
  raw<B, N> atomic(raw<ushort, N> Mask, const O &Offsets, int Add, raw<B, N> First, raw<B, N> Second) const {
    return cm::builtin::surface_atomic<raw<B, N>>(Number, Mask, Surface.get(),
                                                  value_of<uint, N>(Offsets) + raw<uint, N>(uint(Add)), First, Second);
  }
};

struct lsc_memory {
  unsigned long long Base;

  template <int N, class O> raw<unsigned long long, N> at(const O &Offsets, int Add) const {
    using S = element_type<O>;
    using W = either<is_unsigned<S>, unsigned long long, long long>;
    return raw<unsigned long long, N>(Base + (unsigned long long)Add) +
           (raw<unsigned long long, N>)value_of<W, N>(Offsets);
  }
  template <class M, int N, class O> raw<M, N> gather(raw<ushort, N> Mask, const O &Offsets, int Add) const {
    return cm::builtin::svm_gather<raw<M, N>>(Mask, at<N>(Offsets, Add));
  }
  template <class M, int N, class O> void scatter(raw<ushort, N> Mask, const O &Offsets, int Add, raw<M, N> V) const {
    cm::builtin::svm_scatter(Mask, at<N>(Offsets, Add), V);
  }
  template <class M, int N> raw<M, N> load(unsigned long long Offset) const {
    return cm::builtin::svm_block_read<raw<M, N>>(Base + Offset);
  }
  template <class M, int N> void store(unsigned long long Offset, raw<M, N> Value) const {
    cm::builtin::svm_block_write(Base + Offset, Value);
  }
  template <class B, int N, int Number, class O>
  raw<B, N> atomic(raw<ushort, N> Mask, const O &Offsets, int Add, raw<B, N> First, raw<B, N> Second) const {
    return cm::builtin::svm_atomic<raw<B, N>>(Number, Mask, at<N>(Offsets, Add), First, Second);
  }
};

inline lsc_memory lsc_at(const void *Pointer) { return {(unsigned long long)(uintptr_t)Pointer}; }

//===- What all of them do ------------------------------------------------------------------===//

template <int N, class P> raw<ushort, N> lsc_lanes(const P &Predicate) {
  if constexpr (object<P>) {
    static_assert(traits<P>::count == N, sentence("LSC: ", traits<P>::count, " predicates for ", N, " lanes"));
    return __builtin_convertvector(Predicate.value() != typename traits<P>::type(0), raw<ushort, N>) & raw<ushort, N>(1);
  } else {
    return raw<ushort, N>(ushort(Predicate != 0));
  }
}

template <class T, int NElts, DataSize DS> constexpr void check_lsc_block() {
  static_assert(NElts == 1 || NElts == 2 || NElts == 3 || NElts == 4 || NElts == 8 || NElts == 16 || NElts == 32 ||
                    NElts == 64,
                sentence("LSC block: 1, 2, 3, 4, 8, 16, 32 or 64 elements, not ", NElts));
  constexpr int Size = sizeof(typename lsc_data<T, DS>::memory);
  static_assert((Size == 4 || Size == 8) && !(DS > DataSize::U64),
                "LSC block: elements of 4 or 8 bytes; narrower data is moved as dwords");
}

template <class T, int NElts, DataSize DS, class W> auto lsc_load_block(const W &Where, unsigned long long Offset) {
  check_lsc_block<T, NElts, DS>();
  using R = typename lsc_data<T, DS>::type;
  return make<vector<R, NElts>, R, NElts>(Where.template load<R, NElts>(Offset));
}
template <class T, int NElts, DataSize DS, class W, class X>
void lsc_store_block(const W &Where, unsigned long long Offset, const X &Data) {
  check_lsc_block<T, NElts, DS>();
  using M = typename lsc_data<T, DS>::memory;
  Where.template store<M, NElts>(Offset, lsc_narrowed<T, DS, NElts, T>(value_of<T, NElts>(Data)));
}

template <class T, VectorSize VS, DataSize DS, class W, class O, class P>
auto lsc_gather(const W &Where, const O &Offsets, const P &Predicate) {
  using M = typename lsc_data<T, DS>::memory;
  using R = typename lsc_data<T, DS>::type;
  constexpr int N = traits<O>::count, Elements = lsc_elements(VS);
  static_assert(Elements > 0, "LSC: VectorSize::N0 is no number of elements");
  vector<R, N * Elements> Result;
#pragma unroll
  for (int I = 0; I < Elements; ++I) {
    raw<M, N> Part = Where.template gather<M, N>(lsc_lanes<N>(Predicate), Offsets, I * int(sizeof(M)));
    Result.template select<N, 1>(I * N) = make<vector<R, N>, R, N>(lsc_widened<T, DS, N>(Part));
  }
  return Result;
}
template <class T, VectorSize VS, DataSize DS, class W, class O, class X, class P>
void lsc_scatter(const W &Where, const O &Offsets, const X &Data, const P &Predicate) {
  using M = typename lsc_data<T, DS>::memory;
  constexpr int N = traits<O>::count, Elements = lsc_elements(VS);
  static_assert(Elements > 0, "LSC: VectorSize::N0 is no number of elements");
  vector<T, N * Elements> All = Data;
#pragma unroll
  for (int I = 0; I < Elements; ++I)
    Where.template scatter<M, N>(lsc_lanes<N>(Predicate), Offsets, I * int(sizeof(M)),
                                 lsc_narrowed<T, DS, N, T>(All.template select<N, 1>(I * N).value()));
}

template <class T, DataSize DS> constexpr void check_quads() {
  static_assert(sizeof(T) == 4 && (DS == DataSize::Default || DS == DataSize::U32), "LSC quads: elements of 4 bytes");
}
template <class T, int Enabled, DataSize DS, class W, class O, class P>
auto lsc_gather_quads(const W &Where, const O &Offsets, const P &Predicate) {
  check_quads<T, DS>();
  constexpr int N = traits<O>::count;
  vector<T, N * channels_of(Enabled)> Result;
  each_channel<N>(Enabled, Result, [&](int Channel, auto Part) {
    Part.assign(Where.template gather<T, N>(lsc_lanes<N>(Predicate), Offsets, Channel * 4));
  });
  return Result;
}
template <class T, int Enabled, DataSize DS, class W, class O, class X, class P>
void lsc_scatter_quads(const W &Where, const O &Offsets, const X &Data, const P &Predicate) {
  check_quads<T, DS>();
  static_assert((Enabled & (Enabled + 1)) == 0, "LSC quads: a store takes the channels R, GR, BGR or ABGR");
  constexpr int N = traits<O>::count;
  vector<T, N * channels_of(Enabled)> All = Data;
  each_channel<N>(Enabled, All, [&](int Channel, auto Part) {
    Where.template scatter<T, N>(lsc_lanes<N>(Predicate), Offsets, Channel * 4, Part.value());
  });
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

template <AtomicOp Op, class T, VectorSize VS, DataSize DS, class W, class O, class A, class B, class P>
auto lsc_atomic(const W &Where, const O &Offsets, const A &First, const B &Second, const P &Predicate) {
  constexpr CmAtomicOpType Old = older(Op);
  constexpr int N = traits<O>::count, Elements = lsc_elements(VS);
  static_assert(Elements > 0, "LSC: VectorSize::N0 is no number of elements");
  constexpr bool Float = is_float_atomic(Old), Any = Op == AtomicOp::LOAD || Op == AtomicOp::STORE;
  static_assert(sizeof(T) >= 2, "LSC atomics: elements of 2, 4 or 8 bytes");
  static_assert(Any || Float == is_floating<T>,
                "LSC atomics: floating-point operations work on half, float and double, the others on integers");
  using Bits = unsigned_of<T>;
  vector<T, N * Elements> A0, B0, Result;
  A0.initialize(value_of<T, N * Elements>(First));
  B0.initialize(value_of<T, N * Elements>(Second));
#pragma unroll
  for (int I = 0; I < Elements; ++I) {
    auto X = (raw<Bits, N>)A0.template select<N, 1>(I * N).value(), Y = (raw<Bits, N>)B0.template select<N, 1>(I * N).value();
    if constexpr (Op == AtomicOp::ICAS) {
      auto Compare = X;
      X = Y;
      Y = Compare;
    }
    // Elements of an atomic are aligned.
    auto Aligned = make<vector<unsigned long long, N>, unsigned long long, N>(
        value_of<unsigned long long, N>(Offsets) & raw<unsigned long long, N>(~(unsigned long long)(sizeof(T) - 1)));
    raw<Bits, N> Before = Where.template atomic<Bits, N, int(Old)>(lsc_lanes<N>(Predicate), Aligned, I * int(sizeof(T)), X, Y);
    Result.template select<N, 1>(I * N).assign((raw<T, N>)Before);
  }
  return Result;
}

} // namespace cm::detail

#define POCM_HINTS CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default, CacheHint L3 = CacheHint::Default
#define POCM_CHECK(action)                                                                                             \
  POCM_NEEDS("this function", CM_HAS_LSC);                                                                             \
  using namespace cm::detail;                                                                                          \
  check_hints<lsc_action::action, L1, L2, L3>();

// The functions on one kind of memory. `parameters` stand before the offset, `where` is made of them.
#define POCM_LSC(load_name, store_name, prefetch_name, load4_name, store4_name, atomic_name, parameters, where)        \
  template <class T, int NElts, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O>                     \
  auto load_name(parameters O Offset) {                                                                                \
    POCM_CHECK(load)                                                                                                   \
    return lsc_load_block<T, NElts, DS>(where, (unsigned long long)Offset);                                            \
  }                                                                                                                    \
  template <class T, int NElts, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O,                     \
            cm::detail::operand X>                                                                                     \
  void store_name(parameters O Offset, const X &Data) {                                                                \
    POCM_CHECK(store)                                                                                                  \
    lsc_store_block<T, NElts, DS>(where, (unsigned long long)Offset, Data);                                            \
  }                                                                                                                    \
  template <class T, VectorSize VS, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O>                 \
  [[deprecated("give the number of elements as an integer")]] auto load_name(parameters O Offset) {                    \
    POCM_CHECK(load)                                                                                                   \
    return lsc_load_block<T, lsc_elements(VS), DS>(where, (unsigned long long)Offset);                                 \
  }                                                                                                                    \
  template <class T, VectorSize VS, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::scalar O,                 \
            cm::detail::operand X>                                                                                     \
  [[deprecated("give the number of elements as an integer")]] void store_name(parameters O Offset, const X &Data) {    \
    POCM_CHECK(store)                                                                                                  \
    lsc_store_block<T, lsc_elements(VS), DS>(where, (unsigned long long)Offset, Data);                                 \
  }                                                                                                                    \
  template <class T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,                      \
            cm::detail::object O, cm::detail::operand P = int>                                                         \
  auto load_name(parameters const O &Offsets, const P &Predicate = 1) {                                                \
    POCM_CHECK(load)                                                                                                   \
    return lsc_gather<T, VS, DS>(where, Offsets, Predicate);                                                           \
  }                                                                                                                    \
  template <class T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,                      \
            cm::detail::object O, cm::detail::operand X, cm::detail::operand P = int>                                  \
  void store_name(parameters const O &Offsets, const X &Data, const P &Predicate = 1) {                                \
    POCM_CHECK(store)                                                                                                  \
    lsc_scatter<T, VS, DS>(where, Offsets, Data, Predicate);                                                           \
  }                                                                                                                    \
  template <int NElts, DataSize DS, POCM_HINTS, cm::detail::scalar O> void prefetch_name(parameters O) {               \
    POCM_CHECK(prefetch)                                                                                               \
  }                                                                                                                    \
  template <VectorSize VS = VectorSize::N1, DataSize DS = DataSize::U32, POCM_HINTS, cm::detail::object O,             \
            cm::detail::operand P = int>                                                                               \
  void prefetch_name(parameters const O &, const P & = 1) {                                                            \
    POCM_CHECK(prefetch)                                                                                               \
  }                                                                                                                    \
  template <class T, ChannelMaskType Mask, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::object O,          \
            cm::detail::operand P = int>                                                                               \
  auto load4_name(parameters const O &Offsets, const P &Predicate = 1) {                                               \
    POCM_CHECK(load)                                                                                                   \
    return lsc_gather_quads<T, enabled(Mask), DS>(where, Offsets, Predicate);                                          \
  }                                                                                                                    \
  template <class T, ChannelMaskType Mask, DataSize DS = DataSize::Default, POCM_HINTS, cm::detail::object O,          \
            cm::detail::operand X, cm::detail::operand P = int>                                                        \
  void store4_name(parameters const O &Offsets, const X &Data, const P &Predicate = 1) {                               \
    POCM_CHECK(store)                                                                                                  \
    lsc_scatter_quads<T, enabled(Mask), DS>(where, Offsets, Data, Predicate);                                          \
  }                                                                                                                    \
  template <AtomicOp Op, class T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,         \
            cm::detail::object O, cm::detail::operand P = int>                                                         \
    requires(cm::detail::lsc_sources(Op) == 0)                                                                         \
  auto atomic_name(parameters const O &Offsets, const P &Predicate = 1) {                                              \
    POCM_CHECK(atomic)                                                                                                 \
    return lsc_atomic<Op, T, VS, DS>(where, Offsets, 0, 0, Predicate);                                                 \
  }                                                                                                                    \
  template <AtomicOp Op, class T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,         \
            cm::detail::object O, cm::detail::operand A, cm::detail::operand P = int>                                  \
    requires(cm::detail::lsc_sources(Op) == 1)                                                                         \
  auto atomic_name(parameters const O &Offsets, const A &First, const P &Predicate = 1) {                              \
    POCM_CHECK(atomic)                                                                                                 \
    return lsc_atomic<Op, T, VS, DS>(where, Offsets, First, 0, Predicate);                                             \
  }                                                                                                                    \
  template <AtomicOp Op, class T, VectorSize VS = VectorSize::N1, DataSize DS = DataSize::Default, POCM_HINTS,         \
            cm::detail::object O, cm::detail::operand A, cm::detail::operand B, cm::detail::operand P = int>           \
    requires(cm::detail::lsc_sources(Op) == 2)                                                                         \
  auto atomic_name(parameters const O &Offsets, const A &First, const B &Second, const P &Predicate = 1) {             \
    POCM_CHECK(atomic)                                                                                                 \
    return lsc_atomic<Op, T, VS, DS>(where, Offsets, First, Second, Predicate);                                        \
  }

#define POCM_COMMA ,
POCM_LSC(cm_load, cm_store, cm_prefetch, cm_load4, cm_store4, cm_atomic, SurfaceIndex Surface POCM_COMMA,
         lsc_surface{Surface})
POCM_LSC(cm_ptr_load, cm_ptr_store, cm_ptr_prefetch, cm_ptr_load4, cm_ptr_store4, cm_ptr_atomic,
         const void *Pointer POCM_COMMA, lsc_at(Pointer))
/// Surfaces by number.
POCM_LSC(cm_offset_load, cm_offset_store, cm_offset_prefetch, cm_offset_load4, cm_offset_store4, cm_offset_atomic,
         uint Surface POCM_COMMA, lsc_surface{SurfaceIndex(Surface)})
/// Shared local memory; offsets are from its beginning, cm_slm_alloc's results to be added.
POCM_LSC(cm_load_slm, cm_store_slm, cm_prefetch_slm, cm_load4_slm, cm_store4_slm, cm_atomic_slm, , lsc_surface{slm_surface})
#undef POCM_COMMA
#undef POCM_LSC

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
