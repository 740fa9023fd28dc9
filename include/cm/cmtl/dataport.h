//===- cm/cmtl/dataport.h - Linear and scattered access of any size ----------------------------------===//
//
// On shared memory by address (svmptr_t) or on shared local memory by byte offset (uint).
// Offsets count elements.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cm/cm.h>

namespace cmtl::dataport {

namespace detail {
template <class P> inline constexpr bool is_slm = cm::detail::is_same<P, uint>;

template <class P, class M> void read_all(P Where, uint Offset, M &&To) {
  using T = cm::detail::element_type<M>;
  if constexpr (is_slm<P>)
    cm_slm_block_read(Where, GENX_DWALIGNED, int(Offset * sizeof(T)), To);
  else
    cm_svm_block_read_unaligned(Where + (unsigned long long)Offset * sizeof(T), To);
}
template <class P, class M> void write_all(P Where, uint Offset, const M &From) {
  using T = cm::detail::element_type<M>;
  if constexpr (is_slm<P>)
    cm::builtin::block_write(cm::detail::slm_surface.get(), int(Where + Offset * sizeof(T)), From.value());
  else
    cm_svm_block_write(Where + (unsigned long long)Offset * sizeof(T), From);
}
} // namespace detail

/// All of To from element Offset on.
template <class P, cm::detail::object M> void read(P Where, M &&To, uint Offset = 0) { detail::read_all(Where, Offset, To); }
/// The same of Size elements; where they end, 0 and a message.
template <class P, cm::detail::object M> void read(P Where, M &&To, uint Offset, uint Size) {
  if (Offset + cm::detail::traits<cm::detail::bare<M>>::count > Size) {
    printf("dataport::read: element %u is beyond %u\n", Offset, Size);
    To = 0;
  } else
    detail::read_all(Where, Offset, To);
}
template <class P, cm::detail::object M> void write(P Where, const M &From, uint Offset = 0) {
  detail::write_all(Where, Offset, From);
}
template <class P, cm::detail::object M> void write(P Where, const M &From, uint Offset, uint Size) {
  if (Offset + cm::detail::traits<M>::count > Size)
    printf("dataport::write: element %u is beyond %u\n", Offset, Size);
  else
    detail::write_all(Where, Offset, From);
}
/// Elements at element offsets of shared memory, any number of them.
template <class O, cm::detail::object M>
  requires cm::detail::object<O>
void read(svmptr_t Where, const O &Offsets, M &&To) {
  using T = cm::detail::element_type<M>;
  cm::detail::svm_gather(vector<unsigned long long, cm::detail::traits<O>::count>(Offsets) * sizeof(T) + Where, To);
}
template <class O, cm::detail::object M>
  requires cm::detail::object<O>
void write(svmptr_t Where, const O &Offsets, const M &From) {
  using T = cm::detail::element_type<M>;
  cm::detail::svm_scatter(vector<unsigned long long, cm::detail::traits<O>::count>(Offsets) * sizeof(T) + Where, From);
}
template <class T> T read(svmptr_t Where, uint Offset) {
  vector<T, 1> Value;
  detail::read_all(Where, Offset, Value);
  return Value(0);
}
/// Atomics at element offsets of shared memory.
template <CmAtomicOpType Op, cm::detail::object O, cm::detail::object R, cm::detail::operand... S>
void write_atomic(svmptr_t Where, const O &Offsets, R &&Old, const S &...Sources) {
  static_assert(cm::detail::traits<O>::count % 8 == 0, "dataport::write_atomic: a multiple of 8 offsets");
  using T = cm::detail::element_type<R>;
  svm_atomic<Op>(vector<unsigned long long, cm::detail::traits<O>::count>(Offsets) * sizeof(T) + Where, Old, Sources...);
}
/// Copies Bytes bytes, a multiple of 16.
inline void cm_slm_copy(uint To, svmptr_t From, uint Bytes) {
  for (uint At = 0; At < Bytes; At += 16) {
    vector<uint, 4> Data;
    cm_svm_block_read(From + At, Data);
    cm_slm_block_write(To, int(At), Data);
  }
}
inline void cm_slm_copy(svmptr_t To, uint From, uint Bytes) {
  for (uint At = 0; At < Bytes; At += 16) {
    vector<uint, 4> Data;
    cm_slm_block_read(From, int(At), Data);
    cm_svm_block_write(To + At, Data);
  }
}
/// A typed block whose X counts elements; parts left of and above the surface are 0.
template <int XOffset = 0, int YOffset = 0, cm::detail::object M> void read(SurfaceIndex Surface, int X, int Y, M &&To) {
  using T = cm::detail::element_type<M>;
  cm::detail::media_read<cm::detail::zero_outside, 0>(Surface, (X + XOffset) * int(sizeof(T)), Y + YOffset, To);
}

} // namespace cmtl::dataport
