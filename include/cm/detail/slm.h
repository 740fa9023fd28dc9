//===- cm/detail/slm.h - Shared local memory ----------------------------------===//
//
// Memory of a thread group, named by byte offsets that cm_slm_alloc gives out. All
// accesses are the surface accesses of surfaces.h and atomics.h on a surface index of its
// own. Specification chapter "Shared local memory".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// Channels of four-channel accesses; the bits are those of the hardware, where a set bit switches a channel off. Go by
/// the names.
enum SLM_ChannelMaskType {
  SLM_R_ENABLE = 14,
  SLM_G_ENABLE = 13,
  SLM_GR_ENABLE = 12,
  SLM_B_ENABLE = 11,
  SLM_BR_ENABLE = 10,
  SLM_BG_ENABLE = 9,
  SLM_BGR_ENABLE = 8,
  SLM_A_ENABLE = 7,
  SLM_AR_ENABLE = 6,
  SLM_AG_ENABLE = 5,
  SLM_AGR_ENABLE = 4,
  SLM_AB_ENABLE = 3,
  SLM_ABR_ENABLE = 2,
  SLM_ABG_ENABLE = 1,
  SLM_ABGR_ENABLE = 0
};

#ifndef CM_MAX_SLM_SIZE
#define CM_MAX_SLM_SIZE 131072
#endif

namespace cm::detail {

inline constexpr SurfaceIndex slm_surface{254};
static uint slm_top; // bytes given out so far: the same in every thread of a group

constexpr int channels_of(int Enabled) {
  return (Enabled & 1) + (Enabled >> 1 & 1) + (Enabled >> 2 & 1) + (Enabled >> 3 & 1);
}

/// Units of 2^Scale bytes.
template <int Scale, class O, class M> void slm_read(uint Buffer, const O &Offsets, M &&To) {
  using T = typename traits<bare<M>>::type;
  constexpr int N = traits<bare<M>>::count;
  static_assert(traits<O>::count == N, sentence("shared local memory: ", traits<O>::count, " offsets for ", N,
                                                " elements; their numbers must be equal"));
  raw<uint, N> Bytes = raw<uint, N>(Buffer) + (value_of<uint, N>(Offsets) << raw<uint, N>(Scale));
  To.assign(cm::builtin::scattered_read<raw<T, N>>(0, slm_surface.get(), 0, Bytes));
}
template <int Scale, class O, class M> void slm_write(uint Buffer, const O &Offsets, const M &From) {
  constexpr int N = traits<M>::count;
  static_assert(traits<O>::count == N, sentence("shared local memory: ", traits<O>::count, " offsets for ", N,
                                                " elements; their numbers must be equal"));
  raw<uint, N> Bytes = raw<uint, N>(Buffer) + (value_of<uint, N>(Offsets) << raw<uint, N>(Scale));
  cm::builtin::scattered_write(0, slm_surface.get(), 0, Bytes, From.value());
}

template <class M, class O> constexpr void check_channels() {
  static_assert(sizeof(typename traits<M>::type) == 4, "four-channel access: elements of 4 bytes");
  static_assert(traits<O>::count == 8 || traits<O>::count == 16 || traits<O>::count == 32,
                "four-channel access: 8, 16 or 32 lanes");
}
/// Element e * N + k is dword c_e of lane k, where c_e is the e-th enabled channel. Transfer(channel, part) moves one.
template <int N, class M, class F> void each_channel(int Enabled, M &&Data, F Transfer) {
  constexpr int Parts = traits<bare<M>>::count / N;
  int Part = 0;
#pragma unroll
  for (int Channel = 0; Channel < 4; ++Channel)
    if (Enabled >> Channel & 1) {
      if (Part < Parts)
        Transfer(Channel, Data.template format<typename traits<bare<M>>::type>().template select<N, 1>(Part * N));
      ++Part;
    }
}

} // namespace cm::detail

/// Declares the group's shared local memory. Before all else; the same in every thread.
inline void cm_slm_init(uint Bytes)
    __attribute__((diagnose_if(Bytes > CM_MAX_SLM_SIZE,
                               "cm_slm_init: more than CM_MAX_SLM_SIZE bytes of shared local memory", "error"))) {
  cm::builtin::slm_init(Bytes);
}
/// Byte offset of a piece of shared local memory; every thread of the group gets the same.
inline uint cm_slm_alloc(uint Bytes) {
  uint Buffer = cm::detail::slm_top;
  cm::detail::slm_top += (Bytes + 15) & ~15u;
  return Buffer;
}
inline void cm_slm_free(uint) {}

/// Element k is element Offsets[k] of the piece.
template <cm::detail::object O, cm::detail::object M> void cm_slm_read(uint Buffer, const O &Offsets, M &&To) {
  using namespace cm::detail;
  slm_read<log2_size<typename traits<bare<M>>::type>>(Buffer, Offsets, To);
}
template <cm::detail::object O, cm::detail::object M> void cm_slm_write(uint Buffer, const O &Offsets, const M &From) {
  using namespace cm::detail;
  slm_write<log2_size<typename traits<M>::type>>(Buffer, Offsets, From);
}
/// The same with offsets in bytes.
template <cm::detail::object O, cm::detail::object M> void cm_slm_read_scaled(uint Buffer, const O &Offsets, M &&To) {
  cm::detail::slm_read<0>(Buffer, Offsets, To);
}
template <cm::detail::object O, cm::detail::object M>
void cm_slm_write_scaled(uint Buffer, const O &Offsets, const M &From) {
  cm::detail::slm_write<0>(Buffer, Offsets, From);
}

// Lane k addresses four dwords from offset k on; the result is channel after channel.
#define POCM_SLM_4(suffix, scale, step)                                                                                \
  template <cm::detail::object O, cm::detail::object M>                                                                \
  void cm_slm_read4##suffix(uint Buffer, const O &Offsets, M &&To, SLM_ChannelMaskType Mask) {                         \
    using namespace cm::detail;                                                                                        \
    check_channels<bare<M>, O>();                                                                                      \
    each_channel<traits<O>::count>(~int(Mask) & 15, To, [&](int Channel, auto Part) {                                  \
      slm_read<scale>(Buffer, Offsets + uint(Channel * step), Part);                                                   \
    });                                                                                                                \
  }                                                                                                                    \
  template <cm::detail::object O, cm::detail::object M>                                                                \
  void cm_slm_write4##suffix(uint Buffer, const O &Offsets, const M &From, SLM_ChannelMaskType Mask) {                 \
    using namespace cm::detail;                                                                                        \
    check_channels<M, O>();                                                                                            \
    each_channel<traits<O>::count>(~int(Mask) & 15, From, [&](int Channel, auto Part) {                                \
      slm_write<scale>(Buffer, Offsets + uint(Channel * step), Part);                                                  \
    });                                                                                                                \
  }
/// Offsets in dwords.
POCM_SLM_4(, 2, 1)
/// Offsets in bytes.
POCM_SLM_4(_scaled, 0, 4)
#undef POCM_SLM_4

/// Consecutive bytes from a byte offset on, a multiple of 16, or of 4 with GENX_DWALIGNED; 0 beyond the end.
template <cm::detail::object M> void cm_slm_block_read(uint Buffer, CmBufferAttrib, int Offset, M &&To) {
  using namespace cm::detail;
  using T = typename traits<bare<M>>::type;
  To.assign(cm::builtin::oword_read_unaligned<raw<T, traits<bare<M>>::count>>(0, slm_surface.get(),
                                                                             int(Buffer) + Offset));
}
template <cm::detail::object M> void cm_slm_block_read(uint Buffer, int Offset, M &&To) {
  cm_slm_block_read(Buffer, GENX_DWALIGNED, Offset, static_cast<M &&>(To));
}
template <cm::detail::object M> void cm_slm_block_write(uint Buffer, int Offset, const M &From) {
  using namespace cm::detail;
  cm::builtin::oword_write(slm_surface.get(), (int(Buffer) + Offset) >> 4, From.value());
}

/// All threads of the group together copy Bytes bytes, a multiple of 256, of a buffer to a piece, and meet afterwards.
inline void cm_slm_load(uint Buffer, SurfaceIndex Memory, uint Offset, uint Bytes)
    __attribute__((diagnose_if(Bytes % 256 != 0, "cm_slm_load: the size is a multiple of 256 bytes", "error"))) {
  constexpr uint Chunk = 128;
  for (uint At = cm_linear_local_id() * Chunk; At < Bytes; At += cm_linear_local_size() * Chunk) {
    vector<uint, Chunk / 4> Data;
    read(Memory, GENX_DWALIGNED, int(Offset + At), Data);
    cm_slm_block_write(Buffer, int(At), Data);
  }
  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
}

//===- Atomics ------------------------------------------------------------------===//

namespace cm::detail {
template <CmAtomicOpType Op, class O, class R, class... S>
void slm_atomic_of(uint Buffer, const O &Offsets, R &&Result, const S &...Sources) {
  constexpr int N = traits<O>::count;
  if constexpr (sizeof...(S) == atomic_sources(Op)) {
    raw<uint, N> From[] = {atomic_source<Op, N>(Sources)..., 0, 0};
    if constexpr (object<R>)
      atomic<Op>(1, slm_surface, Offsets, From[0], From[1], Result, Buffer);
    else
      atomic<Op>(1, slm_surface, Offsets, From[0], From[1], no_result(), Buffer);
  }
}
/// The operation is a constant, but an argument: all that fit the sources are there until it is known.
template <bool Float, class O, class R, class... S>
void slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result, const S &...Sources) {
#define POCM_CASE(op)                                                                                                  \
  case op:                                                                                                             \
    return slm_atomic_of<op>(Buffer, Offsets, Result, Sources...);
  if constexpr (Float)
    switch (Op) {
      POCM_CASE(ATOMIC_FMAX)
      POCM_CASE(ATOMIC_FMIN)
      POCM_CASE(ATOMIC_FCMPWR)
      POCM_CASE(ATOMIC_FADD)
      POCM_CASE(ATOMIC_FSUB)
    default:
      return;
    }
  else
    switch (Op) {
      POCM_CASE(ATOMIC_ADD)
      POCM_CASE(ATOMIC_SUB)
      POCM_CASE(ATOMIC_INC)
      POCM_CASE(ATOMIC_DEC)
      POCM_CASE(ATOMIC_MIN)
      POCM_CASE(ATOMIC_MAX)
      POCM_CASE(ATOMIC_XCHG)
      POCM_CASE(ATOMIC_CMPXCHG)
      POCM_CASE(ATOMIC_AND)
      POCM_CASE(ATOMIC_OR)
      POCM_CASE(ATOMIC_XOR)
      POCM_CASE(ATOMIC_MINSINT)
      POCM_CASE(ATOMIC_MAXSINT)
      POCM_CASE(ATOMIC_PREDEC)
    default:
      return;
    }
#undef POCM_CASE
}
constexpr bool fits_atomic(CmAtomicOpType Op, bool Float, int Sources) {
  return atomic_sources(Op) == Sources && (Sources == 0 || is_float_atomic(Op) == Float);
}
} // namespace cm::detail

#ifndef NULL
#define NULL 0
#endif

#define POCM_SLM_ATOMIC(sources, floating)                                                                             \
  __attribute__((diagnose_if(!cm::detail::fits_atomic(Op, floating, sources),                                          \
                             "cm_slm_atomic: this operation takes another number of sources, or works on the other "   \
                             "of integers and floats",                                                                 \
                             "error")))
/// Operation Op on the dwords at dword offsets of a piece; Result receives the old values, NULL discards them.
template <cm::detail::object O, class R>
void cm_slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result) POCM_SLM_ATOMIC(0, false) {
  cm::detail::slm_atomic<false>(Buffer, Op, Offsets, Result);
}
template <cm::detail::object O, class R, cm::detail::operand A>
void cm_slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result, const A &First)
    POCM_SLM_ATOMIC(1, (cm::detail::is_floating<cm::detail::element_type<A>>)) {
  cm::detail::slm_atomic<cm::detail::is_floating<cm::detail::element_type<A>>>(Buffer, Op, Offsets, Result, First);
}
template <cm::detail::object O, class R, cm::detail::operand A, cm::detail::operand B>
void cm_slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result, const A &First, const B &Second)
    POCM_SLM_ATOMIC(2, (cm::detail::is_floating<cm::detail::element_type<A>>)) {
  cm::detail::slm_atomic<cm::detail::is_floating<cm::detail::element_type<A>>>(Buffer, Op, Offsets, Result, First,
                                                                              Second);
}
#undef POCM_SLM_ATOMIC
