// What DG2 and PVC have: messages to the load/store cache, systolic products, and on PVC named barriers.
// RUN: cmc -march=DG2 %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,DG2 %s
// RUN: cmc -march=PVC %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,PVC %s
// RUN: rm -rf %t && mkdir %t && cmc -march=DG2,PVC -mdump_asm %s -o %t/a.isa
// RUN: FileCheck --check-prefix=ASM-DG2 %s < %t/k.DG2.asm
// RUN: FileCheck --check-prefix=ASM-PVC %s < %t/k.PVC.asm
// RUN: cmc -march=PVC -DMANY %s -mCM_printregusage -o %t/a.isa 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: cmc -march=PVC -DMANY %s -Qxcm_doubleGRF -mCM_printregusage -o %t/a.isa 2>&1 | FileCheck --check-prefix=LARGE %s
// SMALL: warning: kernel 'many' spills
// LARGE-NOT: spills
// LARGE: Kernel many : {{1[3-9][0-9]|2[0-9][0-9]}} registers
#include <cm/cm.h>

// CHECK: movs (M1, 1) [[S:V[0-9]+]](0,0)<1> T6(0)
// CHECK: lsc_load.ugm (M1, 1) [[A:V[0-9]+_ud]]:d32x32t bti([[S]]_ud)[{{V[0-9]+}}]:a32
// CHECK: lsc_load.ugm (M1, 16) {{V[0-9]+}}:d8c32 bti
// CHECK: lsc_store.slm (M1, 1) flat[{{V[0-9]+}}]:a32 {{V[0-9]+_ud}}:d32x32t
// CHECK: lsc_fence.slm.none.group
// CHECK-NEXT: barrier
// CHECK: lsc_atomic_iadd.ugm (M1, 16) %null:d32 bti({{V[0-9]+_ud}})[{{V[0-9]+_ud}}]:a32 {{V[0-9]+_ud}} %null
// CHECK: lsc_load.ugm (M1, 1) {{V[0-9]+_ud}}:d32x16t flat[{{V[0-9]+}}]:a64
// DG2: dpas.s8.u8.8.4 (M1, 8)
// PVC: dpas.s8.u8.8.4 (M1, 16)
// PVC: nbarrier.signal 1:ub 4:ub
// PVC: nbarrier.wait 1:ub
// ASM-DG2: load.ugm.d32x32t.a32
// ASM-DG2: store.slm.d32x32t.a32
// ASM-DG2: dpas.8x4 (8|M0)
// ASM-PVC: load.ugm.d32x32t.a32
// ASM-PVC: store.slm.d32x32t.a32
// ASM-PVC: dpas.8x4 (16|M0)
extern "C" _GENX_MAIN_ void k(SurfaceIndex in, SurfaceIndex out, svmptr_t memory) {
  constexpr int N = CM_GENX >= 1280 ? 16 : 8;
  vector<int, 32> a;
  read(in, 0, a);
  vector<uchar, 16> bytes;
  vector<uint, 16> places = a.select<16, 1>(0);
  read(in, 0, places, bytes);
  cm_slm_init(1024);
  uint slm = cm_slm_alloc(1024);
  cm_slm_block_write(slm, 0, a);
  cm_fence(CM_LOCAL_BARRIER | CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
  vector<ushort, 16> on = 1;
  vector<uint, 16> ones = bytes;
  write_atomic<ATOMIC_ADD>(on, out, places, ones);
  vector<int, 16> far;
  cm_svm_block_read(memory, far);
  vector<int, 8 * N> b = far(0);
  vector<int, 4 * N> sum = cm_dpas<CM_PRECISION_S8, CM_PRECISION_U8, 8, 4>(vector<int, 4 * N>(far(1)), b, a);
  write(out, 0, sum.select<32, 1>(0));
#if CM_GENX >= 1280
  cm_nbarrier_init(2);
  cm_nbarrier_signal(1, 0, 4, 4);
  cm_nbarrier_wait(1);
#endif
}

#ifdef MANY
extern "C" _GENX_MAIN_ void many(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 32> a[75];
#pragma unroll
  for (int i = 0; i < 75; ++i)
    read(in, i * 128, a[i]);
  vector<int, 32> sum = 0;
#pragma unroll
  for (int i = 0; i < 75; ++i) {
    sum += a[i] * a[74 - i];
    a[i] += sum;
  }
#pragma unroll
  for (int i = 0; i < 75; ++i)
    write(out, i * 128, a[i]);
}
#endif
