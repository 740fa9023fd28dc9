//===- Relax.h - A host thread that watches memory for others --------------------===//
#pragma once

namespace pocm::cpu {

/// Between two looks: leaves the core to what else runs on it.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// The line of the cache at `place` will be written.
inline void fetchForWriting(const void *place) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char *>(place))); // where it is not known it does nothing
#else
  __builtin_prefetch(place, 1);
#endif
}

} // namespace pocm::cpu
