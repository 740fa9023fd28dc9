//===- cm/detail/atomics.h - Atomic operations on buffers ---------------------===//
//
// write_atomic<OP>([mask,] surface, offsets[, sources ...][, result]): lane k performs OP
// on the dword number offsets[k] of a buffer; the result receives what was there before.
// write_atomic<OP, T, N> says the sources' type and the number of lanes.
// Specification chapter "Dword atomics".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::builtin {

/// Operation Number on the elements at byte offsets of a buffer, where the mask is set; gives the old values, 0 elsewhere.
/// Floating-point operations see the bits as numbers of that size.
template <class V, class M, class O> V surface_atomic(int Number, M Mask, unsigned Surface, O Offsets, V First, V Second);

} // namespace cm::builtin

enum CmAtomicOpType {
  ATOMIC_ADD = 0x00,
  ATOMIC_SUB = 0x01,
  ATOMIC_INC = 0x02,
  ATOMIC_DEC = 0x03,
  ATOMIC_MIN = 0x04, // unsigned
  ATOMIC_MAX = 0x05, // unsigned
  ATOMIC_XCHG = 0x06,
  ATOMIC_CMPXCHG = 0x07, // old == source 1 ? source 0 : old
  ATOMIC_AND = 0x08,
  ATOMIC_OR = 0x09,
  ATOMIC_XOR = 0x0A,
  ATOMIC_MINSINT = 0x0B,
  ATOMIC_MAXSINT = 0x0C,
  ATOMIC_REVSUB = 0x0D, // source 0 - old
  ATOMIC_IMIN = ATOMIC_MINSINT,
  ATOMIC_IMAX = ATOMIC_MAXSINT,
  ATOMIC_FMAX = 0x10,
  ATOMIC_FMIN = 0x11,
  ATOMIC_FCMPWR = 0x12, // old == source 0 ? source 1 : old
  ATOMIC_FADD = 0x13,
  ATOMIC_FSUB = 0x14,
  ATOMIC_PREDEC = 0xFF, // as DEC, but the result is the new value
  // Older spellings.
  _ATOMIC_ADD = ATOMIC_ADD,
  _ATOMIC_SUB = ATOMIC_SUB,
  _ATOMIC_INC = ATOMIC_INC,
  _ATOMIC_DEC = ATOMIC_DEC,
  _ATOMIC_MIN = ATOMIC_MIN,
  _ATOMIC_MAX = ATOMIC_MAX,
  _ATOMIC_XCHG = ATOMIC_XCHG,
  _ATOMIC_CMPXCHG = ATOMIC_CMPXCHG,
  _ATOMIC_AND = ATOMIC_AND,
  _ATOMIC_OR = ATOMIC_OR,
  _ATOMIC_XOR = ATOMIC_XOR,
  _ATOMIC_MINSINT = ATOMIC_MINSINT,
  _ATOMIC_MAXSINT = ATOMIC_MAXSINT,
  _ATOMIC_REVSUB = ATOMIC_REVSUB,
  _ATOMIC_IMIN = ATOMIC_IMIN,
  _ATOMIC_IMAX = ATOMIC_IMAX,
  _ATOMIC_FMAX = ATOMIC_FMAX,
  _ATOMIC_FMIN = ATOMIC_FMIN,
  _ATOMIC_FCMPWR = ATOMIC_FCMPWR,
  _ATOMIC_FADD = ATOMIC_FADD,
  _ATOMIC_FSUB = ATOMIC_FSUB,
  _ATOMIC_PREDEC = ATOMIC_PREDEC
};

// A condition on an operation that is an ordinary argument.
#define POCM_FITS_ATOMIC(sources, floating)                                                                            \
  __attribute__((diagnose_if(!cm::detail::fits_atomic(Op, floating, sources),                                          \
                             "this atomic operation takes another number of sources, or works on the other of "        \
                             "integers and floats",                                                                    \
                             "error")))

#define POCM_HAS_SUMS(has, where)                                                                                      \
  __attribute__((diagnose_if(!(has) && cm::detail::is_float_sum(Op),                                                   \
                             "target " POCM_TARGET " does not have ATOMIC_FADD and ATOMIC_FSUB" where, "error")))

#ifndef NULL
#define NULL 0
#endif

namespace cm::detail {

constexpr int atomic_sources(CmAtomicOpType Op) {
  return Op == ATOMIC_INC || Op == ATOMIC_DEC || Op == ATOMIC_PREDEC ? 0
         : Op == ATOMIC_CMPXCHG || Op == ATOMIC_FCMPWR               ? 2
                                                                     : 1;
}
constexpr bool is_float_sum(CmAtomicOpType Op) { return Op == ATOMIC_FADD || Op == ATOMIC_FSUB; }
template <CmAtomicOpType Op> constexpr void check_sums() {
  static_assert(POCM_CM_HAS_LSC || !is_float_sum(Op),
                "ATOMIC_FADD and ATOMIC_FSUB need CM_HAS_LSC, which target " POCM_TARGET " does not have");
}
constexpr bool is_float_atomic(CmAtomicOpType Op) { return Op >= ATOMIC_FMAX && Op <= ATOMIC_FSUB; }

/// A source, first converted to T0 where that is given, as dwords.
template <CmAtomicOpType Op, int N, class T0 = void, class X> raw<uint, N> atomic_source(const X &Source) {
  using T = or_else<T0, element_type<X>>;
  if constexpr (is_float_atomic(Op)) {
    static_assert(is_same<T, float>, "write_atomic: this operation works on float");
    return (raw<uint, N>)value_of<float, N>(Source);
  } else {
    static_assert(is_same<T, int> || is_same<T, uint>, "write_atomic: this operation works on int or uint");
    return (raw<uint, N>)value_of<T, N>(Source);
  }
}

constexpr bool fits_atomic(CmAtomicOpType Op, bool Float, int Sources) {
  return atomic_sources(Op) == Sources && (Sources == 0 || is_float_atomic(Op) == Float);
}
/// Where the operation is an argument, not a template argument, but a constant all the same: Do<Op>() for every
/// operation that fits the sources, of which one remains when the constant is known.
template <bool Float, int Sources, class F> void dispatch_atomic(CmAtomicOpType Op, F Do) {
#define POCM_CASE(op)                                                                                                  \
  case op:                                                                                                             \
    if constexpr (fits_atomic(op, Float, Sources))                                                                     \
      Do.template operator()<op>();                                                                                    \
    return;
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
    POCM_CASE(ATOMIC_REVSUB)
    POCM_CASE(ATOMIC_MINSINT)
    POCM_CASE(ATOMIC_MAXSINT)
    POCM_CASE(ATOMIC_PREDEC)
    POCM_CASE(ATOMIC_FMAX)
    POCM_CASE(ATOMIC_FMIN)
    POCM_CASE(ATOMIC_FCMPWR)
    POCM_CASE(ATOMIC_FADD)
    POCM_CASE(ATOMIC_FSUB)
  }
#undef POCM_CASE
}

struct no_result {};

/// Offsets count dwords from byte Base of the surface on. Width: their number, or 0.
template <CmAtomicOpType Op, int Width = 0, class M, class O, class R>
void atomic(const M &Mask, SurfaceIndex Surface, const O &Offsets, raw<uint, traits<O>::count> First,
            raw<uint, traits<O>::count> Second, R &&Result, uint Base = 0) {
  constexpr int N = traits<O>::count;
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "write_atomic: 1, 2, 4, 8, 16 or 32 lanes");
  static_assert(Width == 0 || Width == N, "write_atomic: another number of offsets than the template argument says");
  raw<ushort, N> Lanes = cm::builtin::active_lanes<raw<ushort, N>>();
  if constexpr (object<M>) {
    static_assert(traits<M>::count == N, "write_atomic: the mask has as many elements as the offsets");
    Lanes &= __builtin_convertvector(Mask.value() != typename traits<M>::type(0), raw<ushort, N>);
  }
  // A dword offset that does not fit 32 bits of bytes lies beyond every buffer.
  raw<uint, N> Bytes = __builtin_elementwise_min(value_of<uint, N>(Offsets), raw<uint, N>(0x3FFFFFFFu)) * raw<uint, N>(4) +
                       raw<uint, N>(Base);
  raw<uint, N> Old = cm::builtin::surface_atomic(int(Op == ATOMIC_PREDEC ? ATOMIC_DEC : Op), Lanes, Surface.get(), Bytes,
                                               First, Second);
  if constexpr (Op == ATOMIC_PREDEC)
    Old -= raw<uint, N>(1);
  if constexpr (!is_same<bare<R>, no_result>) {
    using T = typename traits<bare<R>>::type;
    static_assert(sizeof(T) == 4, "write_atomic: the result has elements of 4 bytes");
    Result.assign(cm::builtin::select_lanes<raw<T, N>>(Lanes, (raw<T, N>)Old, Result.value()));
  }
}

} // namespace cm::detail

#define POCM_ATOMIC(mask_template, mask_parameter, mask)                                                               \
  template <CmAtomicOpType Op, class T0 = void, int Width = 0 mask_template, cm::detail::object O>                     \
    requires(cm::detail::atomic_sources(Op) == 0)                                                                      \
  void write_atomic(mask_parameter SurfaceIndex Surface, const O &Offsets) {                                           \
    using namespace cm::detail;                                                                                        \
    atomic<Op, Width>(mask, Surface, Offsets, 0, 0, no_result());                                                      \
  }                                                                                                                    \
  template <CmAtomicOpType Op, class T0 = void, int Width = 0 mask_template, cm::detail::object O,                     \
            cm::detail::object R>                                                                                      \
    requires(cm::detail::atomic_sources(Op) == 0)                                                                      \
  void write_atomic(mask_parameter SurfaceIndex Surface, const O &Offsets, R &&Result) {                               \
    cm::detail::atomic<Op, Width>(mask, Surface, Offsets, 0, 0, static_cast<R &&>(Result));                            \
  }                                                                                                                    \
  template <CmAtomicOpType Op, class T0 = void, int Width = 0 mask_template, cm::detail::object O,                     \
            cm::detail::operand A>                                                                                     \
    requires(cm::detail::atomic_sources(Op) == 1)                                                                      \
  void write_atomic(mask_parameter SurfaceIndex Surface, const O &Offsets, const A &First) {                           \
    using namespace cm::detail;                                                                                        \
    check_sums<Op>();                                                                                                  \
    atomic<Op, Width>(mask, Surface, Offsets, atomic_source<Op, traits<O>::count, T0>(First),                          \
                      0, no_result());                                                                                 \
  }                                                                                                                    \
  template <CmAtomicOpType Op, class T0 = void, int Width = 0 mask_template, cm::detail::object O,                     \
            cm::detail::operand A, cm::detail::object R>                                                               \
    requires(cm::detail::atomic_sources(Op) == 1)                                                                      \
  void write_atomic(mask_parameter SurfaceIndex Surface, const O &Offsets, const A &First, R &&Result) {               \
    using namespace cm::detail;                                                                                        \
    check_sums<Op>();                                                                                                  \
    atomic<Op, Width>(mask, Surface, Offsets, atomic_source<Op, traits<O>::count, T0>(First),                          \
                      0, static_cast<R &&>(Result));                                                                   \
  }                                                                                                                    \
  template <CmAtomicOpType Op, class T0 = void, int Width = 0 mask_template, cm::detail::object O,                     \
            cm::detail::operand A, cm::detail::operand B>                                                              \
    requires(cm::detail::atomic_sources(Op) == 2)                                                                      \
  void write_atomic(mask_parameter SurfaceIndex Surface, const O &Offsets, const A &First, const B &Second) {          \
    using namespace cm::detail;                                                                                        \
    atomic<Op, Width>(mask, Surface, Offsets, atomic_source<Op, traits<O>::count, T0>(First),                          \
                      atomic_source<Op, traits<O>::count, T0>(Second), no_result());                                   \
  }                                                                                                                    \
  template <CmAtomicOpType Op, class T0 = void, int Width = 0 mask_template, cm::detail::object O,                     \
            cm::detail::operand A, cm::detail::operand B, cm::detail::object R>                                        \
    requires(cm::detail::atomic_sources(Op) == 2)                                                                      \
  void write_atomic(mask_parameter SurfaceIndex Surface, const O &Offsets, const A &First, const B &Second,            \
                    R &&Result) {                                                                                      \
    using namespace cm::detail;                                                                                        \
    atomic<Op, Width>(mask, Surface, Offsets, atomic_source<Op, traits<O>::count, T0>(First),                          \
                      atomic_source<Op, traits<O>::count, T0>(Second), static_cast<R &&>(Result));                     \
  }
#define POCM_NOTHING
#define POCM_COMMA ,
POCM_ATOMIC(POCM_NOTHING, POCM_NOTHING, 1)
POCM_ATOMIC(POCM_COMMA cm::detail::object M, const M &Mask POCM_COMMA, Mask)
#undef POCM_COMMA
#undef POCM_NOTHING
#undef POCM_ATOMIC

/// The old spelling, on 8 lanes: Global + Offsets[k] counts dwords; ATOMIC_CMPXCHG takes 16 elements, the new values and
/// then the values to compare with; INC and DEC ignore the source. Result, or NULL, receives what was there.
template <cm::detail::object O, cm::detail::object S, class R>
[[deprecated("use write_atomic")]] void write(SurfaceIndex Surface, CmAtomicOpType Op, uint Global, const O &Offsets,
                                             const S &Source, R &&Result)
    POCM_HAS_SUMS(POCM_CM_HAS_LSC, "") {
  using namespace cm::detail;
  using T = element_type<S>;
  constexpr int N = traits<O>::count, Given = traits<S>::count;
  static_assert(N == 8, sentence("the old atomic write works on 8 lanes, not ", N, "; use write_atomic"));
  static_assert(Given == N || Given == 2 * N, sentence("the old atomic write takes 8 source elements, or 16 for "
                                                       "ATOMIC_CMPXCHG, not ", Given));
  vector<uint, N> At = Offsets + Global;
  vector<T, Given> All = Source;
  vector<T, N> First = All.template select<N, 1>(0), Second = All.template select<N, 1>(Given - N);
  auto Perform = [&]<CmAtomicOpType Known>() {
    constexpr int Sources = atomic_sources(Known);
    raw<uint, N> A = 0, B = 0;
    if constexpr (Sources > 0)
      A = atomic_source<Known, N>(First);
    if constexpr (Sources > 1)
      B = atomic_source<Known, N>(Second);
    if constexpr (object<R>)
      atomic<Known>(1, Surface, At, A, B, Result);
    else
      atomic<Known>(1, Surface, At, A, B, no_result());
  };
  dispatch_atomic<is_floating<T>, 0>(Op, Perform);
  dispatch_atomic<is_floating<T>, 1>(Op, Perform);
  dispatch_atomic<is_floating<T>, 2>(Op, Perform);
}
