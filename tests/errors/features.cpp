// A function that the target lacks is an error that names the feature and the target, once for each call.
// RUN: not cmc -march=SKL %s -o %t.isa 2>&1 | FileCheck -DTARGET=SKL --check-prefixes=CHECK,SKL %s
// RUN: not cmc -march=DG2 %s -o %t.isa 2>&1 | FileCheck -DTARGET=DG2 --check-prefixes=CHECK,DG2 --implicit-check-not="needs CM_HAS_D" %s
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s, int x) {
  vector<uint, 8> u = x;
  vector<int, 8> a = x;
  vector<float, 8> f = x;
  // SKL: features.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_dp4a needs CM_HAS_DP4A, which target [[TARGET]] does not have
  a = cm_dp4a<int>(a, a, a);
  // SKL: features.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_bfn needs CM_HAS_BFN, which target [[TARGET]] does not have
  u = cm_bfn<~BFN_X & BFN_Y>(u, u, u);
  // SKL: features.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_rol needs CM_HAS_BIT_ROTATE, which target [[TARGET]] does not have
  u = cm_rol<uint>(u, 3);
  // CHECK: features.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_tanh needs CM_HAS_TANH, which target [[TARGET]] does not have
  f = cm_tanh(f);
  // CHECK: features.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_tf32_cvt needs CM_HAS_TF32, which target [[TARGET]] does not have
  u = cm_tf32_cvt<uint>(f);
  // SKL: 5 errors generated
  // DG2: 2 errors generated
  write(s, 0, a);
}
