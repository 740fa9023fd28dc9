//===- cm/detail/threads.h - Which thread is this? --------------------------===//
//
// Specification chapters "Thread identity" and "Hardware queries".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// Position of this thread in the host's thread space.
inline ushort get_thread_origin_x() { return cm::builtin::thread_x(); }
inline ushort get_thread_origin_y() { return cm::builtin::thread_y(); }
/// Colour of the thread space, 0 when it has none.
inline ushort get_color() { return cm::builtin::color(); }

namespace cm::detail {
inline raw<uint, 3> local_id() { return cm::builtin::local_id<raw<uint, 3>>(); }
inline raw<uint, 3> local_size() { return cm::builtin::local_size<raw<uint, 3>>(); }
inline raw<uint, 3> group_count() { return cm::builtin::group_count<raw<uint, 3>>(); }
inline raw<uint, 3> group_id() {
  return raw<uint, 3>{cm::builtin::group_id_x(), cm::builtin::group_id_y(), cm::builtin::group_id_z()};
}
/// Place in a box of this size, x first.
inline uint linear(raw<uint, 3> At, raw<uint, 3> Size) { return At[0] + Size[0] * (At[1] + Size[1] * At[2]); }
inline uint product(raw<uint, 3> Size) { return Size[0] * Size[1] * Size[2]; }
} // namespace cm::detail

// Dimensions are 0 (x), 1 (y) and 2 (z). Without a thread group space a thread is a group of its own.
#define POCM_DIMENSION(Dimension)                                                                                      \
  __attribute__((diagnose_if(Dimension > 2, "dimensions are 0 (x), 1 (y) and 2 (z)", "error")))
/// Index of the thread in its group.
inline uint cm_local_id(uint Dimension) POCM_DIMENSION(Dimension) { return cm::detail::local_id()[Dimension]; }
/// Threads of a group.
inline uint cm_local_size(uint Dimension) POCM_DIMENSION(Dimension) { return cm::detail::local_size()[Dimension]; }
inline uint cm_group_id(uint Dimension) POCM_DIMENSION(Dimension) { return cm::detail::group_id()[Dimension]; }
inline uint cm_group_count(uint Dimension) POCM_DIMENSION(Dimension) { return cm::detail::group_count()[Dimension]; }
/// Index of the thread among those of all groups.
inline uint cm_global_id(uint Dimension) POCM_DIMENSION(Dimension) {
  return cm_group_id(Dimension) * cm_local_size(Dimension) + cm_local_id(Dimension);
}
#undef POCM_DIMENSION
/// Threads of a group are numbered x first, groups likewise; a linear global number counts group after group.
inline uint cm_linear_local_id() { return cm::detail::linear(cm::detail::local_id(), cm::detail::local_size()); }
inline uint cm_linear_local_size() { return cm::detail::product(cm::detail::local_size()); }
inline uint cm_linear_group_id() { return cm::detail::linear(cm::detail::group_id(), cm::detail::group_count()); }
inline uint cm_linear_group_count() { return cm::detail::product(cm::detail::group_count()); }
inline uint cm_linear_global_id() { return cm_linear_group_id() * cm_linear_local_size() + cm_linear_local_id(); }
inline uint cm_linear_global_size() { return cm_linear_group_count() * cm_linear_local_size(); }

//===- The hardware -------------------------------------------------------------===//

/// Number of the hardware thread that runs this thread; several threads may have had it before.
inline uint cm_get_hwid() { return cm::builtin::hardware_id(); }
/// Number of the tile; there is one.
inline uint cm_get_tileid() { return 0; }
/// A clock that never goes back: low dword, high dword.
inline vector<uint, 2> cm_clock() {
  vector<uint, 4> Clock;
  Clock.initialize(cm::builtin::timestamp<cm::detail::raw<uint, 4>>());
  return Clock.select<2, 1>(0);
}
/// As cm_clock; element 2 is 1 when the thread was interrupted, which never shows.
template <class T = uint>
[[deprecated("use cm_clock")]] vector<uint, 4> cm_rdtsc() {
  vector<uint, 4> Clock;
  Clock.initialize(cm::builtin::timestamp<cm::detail::raw<uint, 4>>());
  return Clock;
}
/// The number behind a surface index.
inline uint cm_get_value(SurfaceIndex Surface) { return Surface.get(); }

/// The thread's payload: where the hardware keeps them, elements 1, 6 and 7 of its dwords are the group's index.
template <class T = uint, int Width = 8> vector<T, Width> cm_get_r0() {
  static_assert(sizeof(T) == 4 && Width <= cm::detail::register_bytes / 4 && (Width & (Width - 1)) == 0,
                "cm_get_r0: elements of 4 bytes, a power of two of them, at most a register");
  vector<uint, cm::detail::register_bytes / 4> Payload = 0;
  Payload(1) = cm::builtin::group_id_x();
  Payload(6) = cm::builtin::group_id_y();
  Payload(7) = cm::builtin::group_id_z();
  return Payload.format<T>().template select<Width, 1>(0);
}
/// The status register: element 0 has the number of the hardware thread.
inline vector<uint, 4> cm_get_sr0() { return vector<uint, 4>(cm::builtin::hardware_id(), 0u, 0u, 0u); }
/// Of the software scoreboard, which there is not.
inline uint cm_scoreboard_bti() { return 0; }
inline uint cm_scoreboard_deltas() { return 0; }

//===- Dependencies -------------------------------------------------------------===//

// The end of a thread shows what it wrote, so these only keep the compiler from moving accesses: CM_SW_BARRIER.

/// Waits for the threads that this one depends on in the host's thread space. They have finished when a thread starts.
inline void cm_wait(uchar = 0) { cm::builtin::fence(0x80); }
/// Tells those that depend on this thread that it is done with what they need; they start when it has finished.
template <int N = 0> void cm_signal() {
  static_assert(N >= 0 && N <= 8, cm::detail::sentence("cm_signal: at most 8 dependencies, not ", N));
  cm::builtin::fence(0x80);
}

#define POCM_NO_MONITOR                                                                                                \
  __attribute__((diagnose_if(true,                                                                                     \
                             "the hardware's thread monitor (events) is not supported: threads do not run at the "    \
                             "same time; use barriers",                                                                \
                             "error")))
inline void signal_event(uint) POCM_NO_MONITOR {}
inline void monitor_event(uint) POCM_NO_MONITOR {}
inline void monitor_no_event() POCM_NO_MONITOR {}
inline uint wait_event(ushort) POCM_NO_MONITOR { return 0; }
#undef POCM_NO_MONITOR
