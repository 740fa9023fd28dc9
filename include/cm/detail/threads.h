//===- cm/detail/threads.h - Which thread is this? --------------------------===//
//
// Specification chapter "Thread identity".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// Position of this thread in the host's thread space.
inline ushort get_thread_origin_x() { return cm::builtin::thread_x(); }
inline ushort get_thread_origin_y() { return cm::builtin::thread_y(); }
