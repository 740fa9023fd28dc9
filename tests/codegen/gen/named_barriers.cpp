// Threads that produce and consume signal with vISA's own instruction; others with the gateway's message, whose third dword
// is made of the barrier, the role and how many threads there are of each kind.
// RUN: cmc -march=PVC -S %s -o - | FileCheck %s
// RUN: rm -rf %t && mkdir %t && cd %t && cmc -march=PVC -mdump_asm %s -o k.isa && FileCheck --check-prefix=ASM %s < roles.asm
#include <cm/cm.h>

// CHECK: .kernel_attr NBarrierCnt=4
// CHECK: nbarrier.signal 3:ub 4:ub
// CHECK: mov (M1, 1) [[P:V[0-9]+]]_ub(0,8)<1> 1:ub
// CHECK-NEXT: mov (M1, 1) [[P]]_ub(0,9)<1> 64:ub
// CHECK-NEXT: mov (M1, 1) [[P]]_ub(0,10)<1> 4:ub
// CHECK-NEXT: mov (M1, 1) [[P]]_ub(0,11)<1> V{{[0-9]+}}(0,0)<0;1,0>
// CHECK-NEXT: raw_sends.3.1.0.0 (M1, 1) 0x3:ud 0x2000004:ud [[P]].0 %null.0 %null.0
// CHECK: nbarrier.wait 1:ub
// ASM-COUNT-2: send.gtwy (1|M0) {{.*}}0x02000004 {{.*}}signal bar
extern "C" _GENX_MAIN_ void roles(SurfaceIndex out, int consumers) {
  cm_nbarrier_init(4);
  cm_nbarrier_signal(3, 0, 4, 4);
  cm_nbarrier_signal(1, 1, 4, consumers);
  cm_nbarrier_wait(1);
}
