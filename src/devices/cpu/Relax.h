//===- Relax.h - A host thread that watches memory for others --------------------===//
#pragma once

namespace pocm::cpu {

/// Between two looks: leaves the core to what else runs on it.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

} // namespace pocm::cpu
