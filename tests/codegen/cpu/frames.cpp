// What a thread keeps while it waits at a barrier is its own: loops behind the barrier read it once, in front of them.
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-invariants -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: define internal fastcc void @taps.thread.resume(ptr {{.*}}"pocm-own-memory"
// CHECK-NOT: load volatile
// CHECK: phi <16 x float>
// CHECK-NOT: load ptr
// CHECK: call <16 x float> @llvm.fma
// CHECK: br i1
extern "C" _GENX_MAIN_ void taps(SurfaceIndex in, SurfaceIndex out, int n) {
  cm_slm_init(2304);
  uint slm = cm_slm_alloc(2304), t = cm_local_id(0);
  vector<float, 32> v, w;
  read(in, t * 128, v);
  cm_slm_block_write(slm, t * 128, v);
  read(in, 0, w);
  cm_barrier();
  vector<float, 16> sum = 0, some;
  for (int k = 0; k < n; ++k) {
    cm_slm_block_read(slm, GENX_DWALIGNED, (t * 32 + k) * 4, some);
    sum += some * w(k & 31);
  }
  write(out, t * 64, sum);
}
