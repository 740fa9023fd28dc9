//===- cm/detail/synchronization.h - Barriers and fences ----------------------===//
//
// Threads of a group meet at barriers; fences order a thread's own memory accesses as
// others see them. Specification chapter "Synchronisation".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// Bits of a fence's mask. All order the thread's earlier reads and writes before its later ones; the flushes are the
/// hardware's affair.
enum _CmFenceMask_ {
  CM_GLOBAL_COHERENT_FENCE = 0x1,
  CM_L3_FLUSH_INSTRUCTIONS = 0x2,
  CM_L3_FLUSH_TEXTURE_DATA = 0x4,
  CM_L3_FLUSH_CONSTANT_DATA = 0x8,
  CM_L3_FLUSH_RW_DATA = 0x10,
  CM_LOCAL_BARRIER = 0x20,
  CM_L1_FLUASH_RO_DATA = 0x40,
  CM_SW_BARRIER = 0x80
};
typedef _CmFenceMask_ CmFenceMask;

/// Waits until every thread of the group has come here. What they wrote to shared local memory before is visible after.
inline void cm_barrier() { cm::builtin::barrier(); }

/// The two halves of a barrier: 1 arrives and goes on, 0 waits until every thread of the group has arrived.
inline void cm_sbarrier(uint Arrive)
    __attribute__((diagnose_if(Arrive > 1, "cm_sbarrier: 1 arrives, 0 waits", "error"))) {
  cm::builtin::split_barrier((unsigned char)(Arrive != 0));
}

/// All threads of the dispatch: only a cooperative launch has them all at once.
void cm_global_barrier() = delete("cm_global_barrier needs a cooperative launch, which is not supported; end the kernel "
                                  "and launch another");

/// Returns when this thread's earlier reads and writes are seen by all.
inline void cm_fence(uchar Mask) { cm::builtin::fence(Mask); }
/// The same for shared local memory.
inline void cm_slm_fence(uchar Mask) { cm::builtin::fence(uchar(Mask | CM_LOCAL_BARRIER)); }

//===- Named barriers -----------------------------------------------------------===//

/// Declares the named barriers 0 to Count - 1 of the group.
inline void cm_nbarrier_init(uchar Count)
    __attribute__((diagnose_if(!POCM_CM_HAS_NAMED_BARRIERS,
                               "named barriers need CM_HAS_NAMED_BARRIERS, which target " POCM_TARGET " does not have",
                               "error")))
    __attribute__((diagnose_if(Count > 32, "cm_nbarrier_init: a group has at most 32 named barriers", "error"))) {}
/// Arrives at named barrier Id: Mode 0 as producer and consumer, 1 as producer, 2 as consumer. The barrier is complete
/// when so many producers and consumers have arrived.
inline void cm_nbarrier_signal(uchar Id, uchar Mode, uchar Producers, uchar Consumers)
    __attribute__((diagnose_if(Mode > 2, "cm_nbarrier_signal: the mode is 0 (both), 1 (producer) or 2 (consumer)",
                               "error")))
        __attribute__((diagnose_if(Id > 31, "cm_nbarrier_signal: named barriers are 0 to 31", "error"))) {
  cm::builtin::named_arrive(Id, Mode, Producers, Consumers);
}
/// Waits until the barrier that this thread has signalled is complete.
inline void cm_nbarrier_wait(uchar Id)
    __attribute__((diagnose_if(Id > 31, "cm_nbarrier_wait: named barriers are 0 to 31", "error"))) {
  cm::builtin::named_wait(Id);
}
/// A delay of about Time * 32 clocks, or none.
inline void cm_pause(ushort) {}
