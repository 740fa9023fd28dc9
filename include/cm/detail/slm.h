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

namespace cm::detail {

inline constexpr SurfaceIndex slm_surface{254};
static uint slm_top; // bytes given out so far: the same in every thread of a group

/// Units of 2^Scale bytes.
template <int Scale, class O, class M> void slm_read(uint Buffer, const O &Offsets, M &&To) {
  using T = typename traits<bare<M>>::type;
  constexpr int N = traits<bare<M>>::count;
  static_assert(traits<O>::count == N, sentence("shared local memory: ", traits<O>::count, " offsets for ", N,
                                                " elements; their numbers must be equal"));
  raw<uint, N> Bytes = raw<uint, N>(Buffer) + (value_of<uint, N>(Offsets) << raw<uint, N>(Scale));
  To.assign(cm::builtin::scattered_read<raw<T, N>>(raw<ushort, N>(1), 0, slm_surface.get(), 0, Bytes));
}
template <int Scale, class O, class M> void slm_write(uint Buffer, const O &Offsets, const M &From) {
  constexpr int N = traits<M>::count;
  static_assert(traits<O>::count == N, sentence("shared local memory: ", traits<O>::count, " offsets for ", N,
                                                " elements; their numbers must be equal"));
  raw<uint, N> Bytes = raw<uint, N>(Buffer) + (value_of<uint, N>(Offsets) << raw<uint, N>(Scale));
  cm::builtin::scattered_write(raw<ushort, N>(1), 0, slm_surface.get(), 0, Bytes, From.value());
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
    each_channel<traits<O>::count>(enabled(Mask), To, [&](int Channel, auto Part) {                                  \
      slm_read<scale>(Buffer, Offsets + uint(Channel * step), Part);                                                   \
    });                                                                                                                \
  }                                                                                                                    \
  template <cm::detail::object O, cm::detail::object M>                                                                \
  void cm_slm_write4##suffix(uint Buffer, const O &Offsets, const M &From, SLM_ChannelMaskType Mask) {                 \
    using namespace cm::detail;                                                                                        \
    check_channels<M, O>();                                                                                            \
    each_channel<traits<O>::count>(enabled(Mask), From, [&](int Channel, auto Part) {                                \
      slm_write<scale>(Buffer, Offsets + uint(Channel * step), Part);                                                  \
    });                                                                                                                \
  }
/// Offsets in dwords.
POCM_SLM_4(, 2, 1)
/// Offsets in bytes.
POCM_SLM_4(_scaled, 0, 4)
#undef POCM_SLM_4

// The mask as a number, as the hardware has it.
#define POCM_SLM_4_OLD(function, qualified, to)                                                                        \
  template <cm::detail::object O, cm::detail::object M>                                                                \
  [[deprecated("the mask is an SLM_ChannelMaskType")]] void function(uint Buffer, const O &Offsets, qualified Data,    \
                                                                     int Mask) {                                       \
    function(Buffer, Offsets, to(Data), SLM_ChannelMaskType(Mask));                                                    \
  }
POCM_SLM_4_OLD(cm_slm_read4, M &&, static_cast<M &&>)
POCM_SLM_4_OLD(cm_slm_read4_scaled, M &&, static_cast<M &&>)
POCM_SLM_4_OLD(cm_slm_write4, const M &, )
POCM_SLM_4_OLD(cm_slm_write4_scaled, const M &, )
#undef POCM_SLM_4_OLD

/// Consecutive bytes from a byte offset on, a multiple of 16, or of 4 with GENX_DWALIGNED; 0 beyond the end.
template <cm::detail::object M> void cm_slm_block_read(uint Buffer, CmBufferAttrib Attribute, int Offset, M &&To) {
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
template <class = void>
void cm_slm_load(uint Buffer, SurfaceIndex Memory, uint Offset, uint Bytes)
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
template <class O, class R, class... S>
void slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result, const S &...Sources) {
  constexpr bool Float = (is_floating<element_type<S>> || ...);
  dispatch_atomic<Float, sizeof...(S)>(Op, [&]<CmAtomicOpType Known>() {
    constexpr int N = traits<O>::count;
    raw<uint, N> From[] = {atomic_source<Known, N>(Sources)..., 0, 0};
    if constexpr (object<R>)
      atomic<Known>(1, slm_surface, Offsets, From[0], From[1], Result, Buffer);
    else
      atomic<Known>(1, slm_surface, Offsets, From[0], From[1], no_result(), Buffer);
  });
}
} // namespace cm::detail

/// Operation Op on the dwords at dword offsets of a piece; Result receives the old values, NULL discards them.
template <cm::detail::object O, class R>
void cm_slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result) POCM_FITS_ATOMIC(0, false) {
  cm::detail::slm_atomic(Buffer, Op, Offsets, Result);
}
template <cm::detail::object O, class R, cm::detail::operand A>
void cm_slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result, const A &First)
    POCM_FITS_ATOMIC(1, (cm::detail::is_floating<cm::detail::element_type<A>>))
    POCM_HAS_SUMS(POCM_ON_CPU, " on shared local memory") {
  cm::detail::slm_atomic(Buffer, Op, Offsets, Result, First);
}
template <cm::detail::object O, class R, cm::detail::operand A, cm::detail::operand B>
void cm_slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result, const A &First, const B &Second)
    POCM_FITS_ATOMIC(2, (cm::detail::is_floating<cm::detail::element_type<A>>)) {
  cm::detail::slm_atomic(Buffer, Op, Offsets, Result, First, Second);
}
// With the type and number of lanes.
#define POCM_SLM_ATOMIC(spelled)                                                                                       \
  template <spelled, cm::detail::object O, class R, cm::detail::operand... S>                                          \
  void cm_slm_atomic(uint Buffer, CmAtomicOpType Op, const O &Offsets, R &&Result, const S &...Sources)                \
      POCM_FITS_ATOMIC(sizeof...(S), (cm::detail::is_floating<cm::detail::element_type<S>> || ...))                    \
          POCM_HAS_SUMS(POCM_ON_CPU, " on shared local memory") {                                                      \
    cm::detail::slm_atomic(Buffer, Op, Offsets, Result, Sources...);                                                   \
  }
#define POCM_COMMA ,
POCM_SLM_ATOMIC(int Size)
POCM_SLM_ATOMIC(cm::detail::element T POCM_COMMA int Size = 0)
#undef POCM_COMMA
#undef POCM_SLM_ATOMIC
