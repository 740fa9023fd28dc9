// __global variables of the program lie where the runtime says: an input of its own, before the kernel's.
// RUN: cmc -march=ICLLP %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,OLD %s
// RUN: cmc -march=DG2 %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,LSC %s
// RUN: cmc -march=ICLLP,PVC %s -o %t.isa
// RUN: not cmc -march=PVC -binary-format=ze %s -o %t.bin 2>&1 | FileCheck --check-prefix=ZE %s
// ZE: kernel 'k' cannot be compiled for PVC: a __global variable of the program in a Level Zero program{{.*}} is not supported there
#include <cm/cm.h>

__global int counts[4];
__global int total;

// CHECK: .input [[AT:V[0-9]+]] offset=32 size=8
// CHECK-NEXT: .input T6 offset=40 size=4
// OLD: svm_gather
// LSC: lsc_load.ugm (M1, 1) {{V[0-9]+}}{{.*}}:d32x1t flat[{{V[0-9]+}}{{.*}}]:a64
// LSC: lsc_store.ugm (M1, 1) flat[{{V[0-9]+}}{{.*}}]:a64 {{V[0-9]+}}{{.*}}:d32x1t
extern "C" _GENX_MAIN_ void k(SurfaceIndex out, int which) {
  counts[which] += 1;
  total += which;
  vector<int, 4> v = total;
  write(out, 0, v);
}
