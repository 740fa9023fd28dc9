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

// Between blocks it does not keep them apart: they are read where they lie, with one check, and multiplied from there.
// CHECK-LABEL: # kernel between
// CHECK-COUNT-2: prefetcht0
// CHECK-NOT: prefetcht0
// CHECK: vpaddd 32(%r
extern "C" _GENX_MAIN_ void between(SurfaceIndex in, SurfaceIndex out, int at) {
  vector<int, 8> a, b;
  read(DWALIGNED(in), at, a);
  cm_prefetch<16, DataSize::U32>(in, at + 256);
  read(DWALIGNED(in), at + 32, b);
  cm_prefetch<16, DataSize::U32>(in, at + 512);
  write(out, 0, vector<int, 8>(a + b));
}
