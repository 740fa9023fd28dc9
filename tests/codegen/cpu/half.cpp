// Half on CPUs: denormal numbers are flushed by their bits, sixteen and more at a time, what is flushed is not flushed
// again, and nothing is where the kernel keeps them.
// REQUIRES: x86
// RUN: cmc %s -S -march=cpu -mcpu=x86-64-v4 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=x86-64-v3 -o - | FileCheck --check-prefix=AVX2 %s
#include <cm/cm.h>

// CHECK-LABEL: # kernel sums
// CHECK-COUNT-4: vptestnmw
// CHECK-NOT: vptestnmw
// AVX2-LABEL: # kernel sums
// AVX2: vpcmpeqw
// AVX2-LABEL: # kernel kept
// AVX2-NOT: vpcmpeqw
extern "C" _GENX_MAIN_ void sums(SurfaceIndex out, vector<half, 16> a, vector<half, 16> b) {
  vector<half, 16> s = a + b;
  s = s * b;
  write(out, 0, s);
}

// CHECK-LABEL: # kernel kept
// CHECK-NOT: vptestnmw
extern "C" _GENX_MAIN_ _GENX_FLOAT_CONTROL_(CM_DENORM_HF_ALLOW) void kept(SurfaceIndex out, vector<half, 16> a, vector<half, 16> b) {
  vector<half, 16> s = a + b;
  s = s * b;
  write(out, 0, s);
}
