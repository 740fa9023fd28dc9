// What a thread is given: several surfaces in one argument, the slot of the surface that printf writes to, the mode of
// floating point that the kernel asks for, and the place of a thread in a dispatch of groups.
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck --check-prefixes=CHECK,SKL %s
// RUN: cmc -march=PVC -verify-each -S %s -o - | FileCheck --check-prefixes=CHECK,PVC %s
// RUN: for t in SKL ICLLP TGLLP DG2 PVC; do cmc -march=$t -verify-each %s -o %t.isa || exit 1; done
#include <cm/cm.h>

// CHECK-LABEL: .kernel "surfaces"
// SKL: .input [[S:V[0-9]+]] offset=32 size=12
// SKL: .input {{V[0-9]+}} offset=44 size=4
// PVC: .input [[S:V[0-9]+]] offset=64 size=12
// SKL: mov (M1, 1) [[LAST:V[0-9]+]](0,0)<1> [[S]](0,2)<0;1,0>
// SKL: movs (M1, 1) [[T:T[0-9]+]](0) [[LAST]]_ud(0,0)<0;1,0>
// SKL-NEXT: oword_st (2) [[T]] 0:ud
extern "C" _GENX_MAIN_ void surfaces(vector<SurfaceIndex, 3> s, int n) {
  vector<int, 8> a, b;
  read(s(0), 0, a);
  read(s(1), 32, b);
  write(s(2), 0, a + b * n);
}

// CHECK-LABEL: .function "prints_BB_0"
// SKL: movs (M1, 1) [[T:T[0-9]+]](0) 2:ud
// SKL: dword_atomic.add (M1, 1) [[T]]
// PVC: lsc_atomic_iadd.ugm (M1, 1) {{V[0-9]+.*}}:d32 bti(0x2)
extern "C" _GENX_MAIN_ void prints(int n) { printf("%d\n", n); }

// Floats are written as they are, so that targets without double print them.
// CHECK-LABEL: .function "printsFloats_BB_0"
// CHECK-NOT: :df
extern "C" _GENX_MAIN_ void printsFloats(float f, vector<half, 8> h) { printf("%f %g\n", f, h); }

// CHECK-LABEL: .function "towardsZero_BB_0"
// CHECK: or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0xb0:ud
_GENX_FLOAT_CONTROL_(CM_RTZ | CM_DENORM_F_ALLOW)
extern "C" _GENX_MAIN_ void towardsZero(SurfaceIndex s) {
  vector<float, 8> a;
  read(s, 0, a);
  write(s, 0, a * a);
}

// CHECK-LABEL: .function "asUsual_BB_0"
// CHECK-NOT: %cr0
// SKL: %thread_x
// PVC: %group_id_x
// SKL: %thread_y
// PVC: %group_id_y
extern "C" _GENX_MAIN_ void asUsual(SurfaceIndex s) {
  write(s, 0, vector<int, 4>(get_thread_origin_x() + 1000 * get_thread_origin_y()));
}

// CHECK-LABEL: .function "inGroups_BB_0"
// CHECK-NOT: %thread_x
// CHECK: mov (M1, 1) [[ID:V[0-9]+]]_ud(0,0)<1> %group_id_x(0,0)<0;1,0>
// CHECK: mul (M1, 1) [[BASE:V[0-9]+]](0,0)<1> [[ID]](0,0)<0;1,0> [[SIZE:V[0-9]+]](0,0)<0;1,0>
// CHECK: add (M1, 1) {{V[0-9]+}}(0,0)<1> [[BASE]](0,0)<0;1,0> [[LOCAL:V[0-9]+]](0,0)<0;1,0>
extern "C" _GENX_MAIN_ void inGroups(SurfaceIndex s) {
  cm_barrier();
  write(s, 0, vector<int, 4>(get_thread_origin_x()));
}
