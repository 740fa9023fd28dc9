// Immediates of several numbers: eight words without signs and with them, four floats; bytes are set as dwords.
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck %s
#include <cm/cm.h>

// CHECK: mov (M1, 16) [[B:V[0-9]+]]_ud(0,0)<1> 117901063:ud
// CHECK: mov (M1, 8) [[W:V[0-9]+]](0,0)<1> 0x62951413:uv
// CHECK-NEXT: mul (M1, 8) {{V[0-9]+}}(0,0)<1> {{.*}} [[W]]_uw(0,0)<1;1,0>
// CHECK: mov (M1, 8) [[S:V[0-9]+]](0,0)<1> 0x627b14f3:v
// CHECK: mov (M1, 4) [[F:V[0-9]+]](0,0)<1> 0x007fc230:vf
extern "C" _GENX_MAIN_ void immediates(SurfaceIndex out, short n) {
  vector<short, 8> w = {3, 1, 4, 1, 5, 9, 2, 6};
  vector<short, 8> s = {3, -1, 4, 1, -5, 7, 2, 6};
  vector<float, 4> f = {1.0f, -2.25f, 31.0f, 0.0f};
  vector<uchar, 64> b = 7;
  b(n) = 0;
  write(out, 0, w * n);
  write(out, 16, s * n);
  write(out, 32, f * float(n));
  write(out, 64, b);
}
