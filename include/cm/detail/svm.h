//===- cm/detail/svm.h - Memory by address ----------------------------------------===//
//
// Memory that host and kernel share, addressed by number (svmptr_t) or by pointer and byte
// offsets. Nothing checks an address. Specification chapter "SVM and pointer functions".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::builtin {

/// Blocks, elements of lanes and atomics in memory that the host shares, by address: as those of buffers.
template <class V> V svm_block_read(unsigned long long Address);
template <class V> void svm_block_write(unsigned long long Address, V Value);
template <class V, class M, class A> V svm_gather(M Mask, A Addresses);
template <class V, class M, class A> void svm_scatter(M Mask, A Addresses, V Value);
template <class V, class M, class A> V svm_atomic(int Number, M Mask, A Addresses, V First, V Second);

} // namespace cm::builtin

namespace cm::detail {

template <class T, int N> constexpr void check_svm_scatter() {
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0,
                sentence("svm scatter and gather: 1, 2, 4, 8, 16 or 32 elements, not ", N));
}

/// Whether pointers to T lead to the group's memory.
template <class T> inline constexpr bool is_local = false;
template <class T> inline constexpr bool is_local<__attribute__((opencl_local)) T> = true;

/// A pointer as a number: its address, or where in the group's memory it points.
template <class P> unsigned long long number_of(P *Pointer) {
  if constexpr (is_local<P>)
    return cm::builtin::local_offset((const char *)Pointer);
  else
    return (unsigned long long)(uintptr_t)Pointer;
}
template <class P> P *pointer_of(unsigned long long Number) {
  if constexpr (is_local<P>)
    return (P *)(cm::builtin::local_base(0, 0) + uint(Number));
  else
    return (P *)(uintptr_t)Number;
}

/// What is at such numbers, of pointers to P.
template <class P, class V, class M, class A> V gather_at(M Lanes, A Numbers) {
  if constexpr (is_local<P>)
    return cm::builtin::scattered_read<V>(Lanes, 0, slm_surface.get(), 0, __builtin_convertvector(Numbers, raw<uint, sizeof(A) / 8>));
  else
    return cm::builtin::svm_gather<V>(Lanes, Numbers);
}
template <class P, class V, class M, class A> void scatter_at(M Lanes, A Numbers, V Values) {
  if constexpr (is_local<P>)
    cm::builtin::scattered_write(Lanes, 0, slm_surface.get(), 0, __builtin_convertvector(Numbers, raw<uint, sizeof(A) / 8>), Values);
  else
    cm::builtin::svm_scatter(Lanes, Numbers, Values);
}
template <class P, int Operation, class V, class M, class A> V atomic_at(M Lanes, A Numbers, V First, V Second) {
  if constexpr (is_local<P>)
    return cm::builtin::surface_atomic<V>(Operation, Lanes, slm_surface.get(),
                                          __builtin_convertvector(Numbers, raw<uint, sizeof(A) / 8>), First, Second);
  else
    return cm::builtin::svm_atomic<V>(Operation, Lanes, Numbers, First, Second);
}

template <class P = void, class A, class M> void svm_gather(const A &Addresses, M &&To) {
  using T = typename traits<bare<M>>::type;
  constexpr int N = traits<bare<M>>::count;
  To.assign(gather_at<P, raw<T, N>>(raw<ushort, N>(1), value_of<unsigned long long, N>(Addresses)));
}
template <class P = void, class A, class M> void svm_scatter(const A &Addresses, const M &From) {
  constexpr int N = traits<M>::count;
  scatter_at<P>(raw<ushort, N>(1), value_of<unsigned long long, N>(Addresses), From.value());
}

/// A source of an atomic on elements of T, as bits.
template <CmAtomicOpType Op, class T, int N, class X> raw<unsigned_of<T>, N> atomic_bits(const X &Source) {
  static_assert(is_float_atomic(Op) == is_floating<T>,
                "atomics: floating-point operations work on half, float and double, the others on integers");
  return (raw<unsigned_of<T>, N>)value_of<T, N>(Source);
}

template <CmAtomicOpType Op, class P = void, class A, class R, class... S>
void svm_atomic_of(const A &Addresses, R &&Result, const S &...Sources) {
  using T = typename traits<bare<R>>::type;
  using B = unsigned_of<T>;
  constexpr int N = traits<bare<R>>::count;
  static_assert(sizeof(T) >= 2, "atomics: elements of 2, 4 or 8 bytes");
  raw<B, N> From[] = {atomic_bits<Op, T, N>(Sources)..., 0, 0};
  raw<B, N> Old = atomic_at<P, int(Op == ATOMIC_PREDEC ? ATOMIC_DEC : Op)>(
      raw<ushort, N>(1), value_of<unsigned long long, N>(Addresses), From[0], From[1]);
  if constexpr (Op == ATOMIC_PREDEC)
    Old -= raw<B, N>(1);
  Result.assign((raw<T, N>)Old);
}

template <class P = void, class A, class M, class C> void read_channels(const A &Addresses, M &&To, C Mask) {
  check_channels<bare<M>, A>();
  each_channel<traits<A>::count>(enabled(Mask), To, [&](int Channel, auto Part) {
    svm_gather<P>(Addresses + (unsigned long long)(Channel * 4), Part);
  });
}
template <class P = void, class A, class M, class C> void write_channels(const A &Addresses, const M &From, C Mask) {
  check_channels<M, A>();
  each_channel<traits<A>::count>(enabled(Mask), From, [&](int Channel, auto Part) {
    svm_scatter<P>(Addresses + (unsigned long long)(Channel * 4), Part);
  });
}

/// Elements behind each other, wherever they begin.
template <class T, int N> struct unaligned {
  typedef raw<T, N> type __attribute__((aligned(alignof(T))));
};
template <class P, object M> void read_block(const P *Pointer, M &&To) {
  using T = element_type<M>;
  constexpr int N = traits<bare<M>>::count;
  if constexpr (is_local<P>)
    To.assign(raw<T, N>(*(const __attribute__((opencl_local)) typename unaligned<T, N>::type *)Pointer));
  else
    To.assign(cm::builtin::svm_block_read<raw<T, N>>(number_of(Pointer)));
}
template <class P, object M> void write_block(P *Pointer, const M &From) {
  using T = element_type<M>;
  if constexpr (is_local<P>)
    *(__attribute__((opencl_local)) typename unaligned<T, traits<M>::count>::type *)Pointer = From.value();
  else
    cm::builtin::svm_block_write(number_of(Pointer), From.value());
}

/// Pointer and signed byte offsets as addresses.
template <class P, class O> auto addresses_of(const P *Pointer, const O &Offsets) {
  constexpr int N = traits<O>::count;
  return make<vector<unsigned long long, N>, unsigned long long, N>(
      raw<unsigned long long, N>(number_of(Pointer)) +
      (raw<unsigned long long, N>)value_of<long long, N>(Offsets));
}

} // namespace cm::detail

//===- Blocks ---------------------------------------------------------------------===//

/// Consecutive bytes from an address on, a multiple of 16.
template <cm::detail::object M> void cm_svm_block_read(svmptr_t Address, M &&To) {
  using namespace cm::detail;
  using T = typename traits<bare<M>>::type;
  To.assign(cm::builtin::svm_block_read<raw<T, traits<bare<M>>::count>>(Address));
}
/// The same from a multiple of 4.
template <cm::detail::object M> void cm_svm_block_read_unaligned(svmptr_t Address, M &&To) {
  cm_svm_block_read(Address, static_cast<M &&>(To));
}
template <cm::detail::object M> void cm_svm_block_write(svmptr_t Address, const M &From) {
  cm::builtin::svm_block_write(Address, From.value());
}
/// The same by pointer.
template <class P, cm::detail::object M> void cm_ptr_block_read(const P *Pointer, M &&To) {
  cm::detail::read_block(Pointer, To);
}
template <class P, cm::detail::object M> void cm_ptr_block_read_unaligned(const P *Pointer, M &&To) {
  cm::detail::read_block(Pointer, To);
}
template <class P, cm::detail::object M> void cm_ptr_block_write(P *Pointer, const M &From) {
  cm::detail::write_block(Pointer, From);
}

//===- Scattered --------------------------------------------------------------------===//

/// Element k is at address k.
template <cm::detail::object A, cm::detail::object M> void cm_svm_scatter_read(const A &Addresses, M &&To) {
  cm::detail::check_svm_scatter<cm::detail::element_type<M>, cm::detail::traits<A>::count>();
  cm::detail::svm_gather(Addresses, To);
}
/// Of equal addresses any one wins.
template <cm::detail::object A, cm::detail::object M> void cm_svm_scatter_write(const A &Addresses, const M &From) {
  cm::detail::check_svm_scatter<cm::detail::element_type<M>, cm::detail::traits<A>::count>();
  cm::detail::svm_scatter(Addresses, From);
}
template <class P, cm::detail::object O, cm::detail::object M>
void cm_ptr_scatter_read(const P *Pointer, const O &Offsets, M &&To) {
  cm::detail::check_svm_scatter<cm::detail::element_type<M>, cm::detail::traits<O>::count>();
  cm::detail::svm_gather<P>(cm::detail::addresses_of(Pointer, Offsets), To);
}
template <class P, cm::detail::object O, cm::detail::object M>
void cm_ptr_scatter_write(P *Pointer, const O &Offsets, const M &From) {
  cm::detail::check_svm_scatter<cm::detail::element_type<M>, cm::detail::traits<O>::count>();
  cm::detail::svm_scatter<P>(cm::detail::addresses_of(Pointer, Offsets), From);
}

/// Lane k addresses four dwords; the result is channel after channel, enabled ones only.
template <cm::detail::object A, cm::detail::object M, class C>
void cm_svm_gather4_scaled(const A &Addresses, M &&To, C Mask) {
  cm::detail::read_channels(Addresses, To, Mask);
}
template <cm::detail::object A, cm::detail::object M, class C>
void cm_svm_scatter4_scaled(const A &Addresses, const M &From, C Mask) {
  cm::detail::write_channels(Addresses, From, Mask);
}
template <class P, cm::detail::object O, cm::detail::object M, class C>
void cm_ptr_read4(const P *Pointer, const O &Offsets, M &&To, C Mask) {
  cm::detail::read_channels<P>(cm::detail::addresses_of(Pointer, Offsets), To, Mask);
}
template <class P, cm::detail::object O, cm::detail::object M, class C>
void cm_ptr_write4(P *Pointer, const O &Offsets, const M &From, C Mask) {
  cm::detail::write_channels<P>(cm::detail::addresses_of(Pointer, Offsets), From, Mask);
}

//===- Atomics ----------------------------------------------------------------------===//

/// Operation Op on the elements at the addresses; Old receives what was there, its type says what they are.
template <CmAtomicOpType Op, cm::detail::object A, cm::detail::object R, cm::detail::operand... S>
void svm_atomic(const A &Addresses, R &&Old, const S &...Sources) {
  cm::detail::check_sums<Op>();
  static_assert(cm::detail::atomic_sources(Op) == sizeof...(S), "svm_atomic: the operation takes another number of "
                                                                "sources");
  cm::detail::svm_atomic_of<Op>(Addresses, Old, Sources...);
}
template <CmAtomicOpType Op, class P, cm::detail::object O, cm::detail::object R, cm::detail::operand... S>
void cm_ptr_atomic(P *Pointer, const O &Offsets, R &&Old, const S &...Sources) {
  cm::detail::check_sums<Op>();
  static_assert(cm::detail::atomic_sources(Op) == sizeof...(S), "cm_ptr_atomic: the operation takes another number of "
                                                                "sources");
  cm::detail::svm_atomic_of<Op, P>(cm::detail::addresses_of(Pointer, Offsets), Old, Sources...);
}
/// The same with the operation as an argument, which must be a constant.
template <cm::detail::object A, cm::detail::object R, cm::detail::operand... S>
void cm_svm_atomic(CmAtomicOpType Op, const A &Addresses, R &&Old, const S &...Sources)
    POCM_FITS_ATOMIC(sizeof...(S), (cm::detail::is_floating<cm::detail::element_type<R>>))
        POCM_HAS_SUMS(POCM_CM_HAS_LSC, "") {
  using namespace cm::detail;
  dispatch_atomic<is_floating<element_type<R>>, sizeof...(S)>(
      Op, [&]<CmAtomicOpType Known>() { svm_atomic_of<Known>(Addresses, Old, Sources...); });
}
// With the type and sizes of the objects.
template <cm::detail::element T, int Size = 0, int Columns = 0, cm::detail::object A, cm::detail::object R,
          cm::detail::operand... S>
void cm_svm_atomic(CmAtomicOpType Op, const A &Addresses, R &&Old, const S &...Sources)
    POCM_FITS_ATOMIC(sizeof...(S), (cm::detail::is_floating<cm::detail::element_type<R>>))
        POCM_HAS_SUMS(POCM_CM_HAS_LSC, "") {
  cm_svm_atomic(Op, Addresses, static_cast<R &&>(Old), Sources...);
}
template <CmAtomicOpType Op, cm::detail::element T, int Size = 0, int Columns = 0, cm::detail::object A,
          cm::detail::object R, cm::detail::operand... S>
void svm_atomic(const A &Addresses, R &&Old, const S &...Sources) {
  svm_atomic<Op>(Addresses, static_cast<R &&>(Old), Sources...);
}
template <CmAtomicOpType Op, cm::detail::element T, int Size = 0, cm::detail::element = int, class P,
          cm::detail::object O, cm::detail::object R, cm::detail::operand... S>
void cm_ptr_atomic(P *Pointer, const O &Offsets, R &&Old, const S &...Sources) {
  cm_ptr_atomic<Op>(Pointer, Offsets, static_cast<R &&>(Old), Sources...);
}

/// All threads of the group together copy Bytes bytes, a multiple of 256, from an address to shared local memory.
template <class = void>
void cm_slm_load(uint Buffer, svmptr_t Address, uint Offset, uint Bytes)
    __attribute__((diagnose_if(Bytes % 256 != 0, "cm_slm_load: the size is a multiple of 256 bytes", "error"))) {
  constexpr uint Chunk = 128;
  for (uint At = cm_linear_local_id() * Chunk; At < Bytes; At += cm_linear_local_size() * Chunk) {
    vector<uint, Chunk / 4> Data;
    cm_svm_block_read(Address + Offset + At, Data);
    cm_slm_block_write(Buffer, int(At), Data);
  }
  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
}
