// A block that is fetched into the cache, from a surface or by address, is so a cache line at a time.
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: pocm_walk:
// CHECK-COUNT-4: prefetcht0
// CHECK-NOT: prefetcht0
// CHECK-LABEL: pocm_info:
extern "C" _GENX_MAIN_ void of_surface(SurfaceIndex in, int at) { cm_prefetch<64, DataSize::U32>(in, at); }

// CHECK-LABEL: pocm_walk:
// CHECK-COUNT-2: prefetcht0
// CHECK-NOT: prefetcht0
// CHECK-LABEL: pocm_info:
extern "C" _GENX_MAIN_ void by_address(int *p) { cm_ptr_prefetch<32, DataSize::U32>(p, 0); }
