//===- cm/detail/builtins.h - What the compiler, not the header, defines ---===//
//
// Declarations without bodies. Each has a row in src/ir/Intrinsics.def, which names
// what it becomes in CM IR; the front end maps them by the last part of their name.
// Those of messages to memory stand in the chapters that have functions for them.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::builtin {

/// The R x Width elements at First + r * RowStride + c * Stride (strides in elements), row by row.
template <class V, class T> V region_read(const T *First, int RowStride, int Width, int Stride);
/// Stores Value to that region. Reads of the right-hand side happen before.
template <class V, class T> void region_write(T *First, V Value, int RowStride, int Width, int Stride);

/// Float to integer, truncated, clamped to the range of the result; NaN gives 0.
template <class To, class From> To float_to_signed(From Value);
template <class To, class From> To float_to_unsigned(From Value);

/// Accumulator + A x B, Rows rows of as many columns as a register has dwords (dpas.h).
template <class V, class C, class S1, class S2>
V dpas(C Accumulator, S1 B, S2 A, int PrecisionB, int PrecisionA, int Depth, int Rows, int SignedResult, int SignedAcc);

/// The same for a pair of threads, each of which gives half of A.
template <class V, class C, class S1, class S2>
V dpasw(C Accumulator, S1 B, S2 Half, int PrecisionB, int PrecisionA, int Depth, int Rows, int SignedResult, int SignedAcc);

/// All elements, added or multiplied: the upper ones to the lower ones, and halves of those until one is left, in an order
/// that does not depend on the target. There are a power of two lower ones, and at most as many upper ones.
template <class T, class L, class H> T sum_up(L Low, H High);
template <class T, class L, class H> T multiply_up(L Low, H High);

/// X where bit 0 of the mask's element is set, else Y.
template <class V, class M> V select_lanes(M Mask, V X, V Y);
/// What an assignment of New to an object that holds Old leaves there: New, but Old in channels that SIMD control flow
/// of this width has switched off.
template <class V> V predicated(V Old, V New);
/// 1 in the channels that are active, as far as SIMD control flow has this width; else all 1.
template <class V> V active_lanes();
/// Element k is element Index[k] of Source; an index beyond its end gives any element.
template <class V, class S, class I> V gather(S Source, I Index);
/// Element k is bit k of Bits; elements beyond the 32nd are 0.
template <class V> V unpack_mask(unsigned Bits);
/// Bit k is bit 0 of element k, of at most 32 elements.
template <class V> unsigned pack_mask(V Mask);

/// Shared local memory of a group, in bytes; its beginning, and where a pointer into it points.
void slm_init(uint Bytes);
char *local_base(int Offset, int Bytes);
uint local_offset(const char *Pointer);
void barrier();
void split_barrier(unsigned char Arrive);
void named_arrive(unsigned char Id, unsigned char Role, unsigned char Producers, unsigned char Consumers);
void named_wait(unsigned char Id);
void fence(unsigned char Mask);
/// x, y, z.
template <class V> V local_id();
template <class V> V local_size();
template <class V> V group_count();
uint group_id_x();
uint group_id_y();
uint group_id_z();
ushort color();
uint hardware_id();
/// Low and high dword of a clock, and two dwords more.
template <class V> V timestamp();

/// 1 / sqrt(X), to a few units in the last place.
template <class V> V reciprocal_sqrt(V X);

/// X / Y and the square root of X, correctly rounded, of float and double.
template <class V> V exact_quotient(V X, V Y);
template <class V> V exact_root(V X);

/// X clamped to [0, 1]; NaN and -0 give +0. Not of bfloat16.
template <class V> V saturate(V X);

/// The value that the host gives the specialisation constant Id, or Default.
template <class T> T spec_constant(int Id, T Default);

/// Something has Count elements (0), rows (1) or columns (2), and one of them is chosen; for the check device. 3: a vector
/// has Count elements, and what is chosen counts when the optimizer knows it.
void bounds(long Chosen, long Count, int Dimension);

/// Nothing after it happens in this thread.
[[noreturn]] void end_of_thread();

ushort thread_x();
ushort thread_y();

/// The place where Count elements from that region lie side by side: what is written there goes back to the region.
template <class T> T *region_format(T *First, int RowStride, int Width, int Stride, int Count, int Bytes);

} // namespace cm::builtin
