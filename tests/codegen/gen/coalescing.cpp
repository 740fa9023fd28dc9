// A vector that is changed element after element, and one that a loop carries, are one variable; what somebody still
// wants to read as it was is copied.
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck %s
// RUN: cmc -march=SKL -verify-each -disable-pass=gen-coalescing -S %s -o - | FileCheck --check-prefix=APART %s
#include <cm/cm.h>

// CHECK-LABEL: .function "changed_BB_0"
// CHECK-NEXT: oword_ld (4) T6 0:ud [[X:V[0-9]+]]_ud.0
// CHECK-NEXT: add (M1, 8) [[X]](0,0)<2> [[X]](0,0)<2;1,0> 5:d
// CHECK-NEXT: mul (M1, 4) [[X]](0,0)<1> [[X]](0,0)<1;1,0> 3:d
// CHECK-NEXT: oword_st (4) T6 0:ud [[X]]_ud.0
// APART-LABEL: .function "changed_BB_0"
// APART-NEXT: oword_ld (4) T6 0:ud [[X:V[0-9]+]]_ud.0
// APART-NEXT: mov (M1, 16) [[Y:V[0-9]+]]_ud(0,0)<1> [[X]]_ud(0,0)<1;1,0>
// APART-NEXT: add (M1, 8) [[Y]](0,0)<2> [[X]](0,0)<2;1,0> 5:d
// APART-NEXT: mov (M1, 16) [[Z:V[0-9]+]]_ud(0,0)<1> [[Y]]_ud(0,0)<1;1,0>
// APART-NEXT: mul (M1, 4) [[Z]](0,0)<1> [[Y]](0,0)<1;1,0> 3:d
// APART-NEXT: oword_st (4) T6 0:ud [[Z]]_ud.0
extern "C" _GENX_MAIN_ void changed(SurfaceIndex s) {
  vector<int, 16> x;
  read(s, 0, x);
  x.select<8, 2>(0) += 5;
  x.select<4, 1>(0) *= 3;
  write(s, 0, x);
}

// CHECK-LABEL: .function "carried_BB_0"
// CHECK: oword_ld (4) T6 0:ud [[X:V[0-9]+]]_ud.0
// CHECK: xor (M1, 16) [[T:V[0-9]+]](0,0)<1> [[X]](0,0)<1;1,0> [[I:V[0-9]+]](0,0)<0;1,0>
// CHECK-NEXT: add (M1, 16) [[X]](0,0)<1> [[T]](0,0)<1;1,0> [[X]](0,0)<1;1,0>
// CHECK-NEXT: add (M1, 1) [[I]](0,0)<1> [[I]](0,0)<0;1,0> 1:d
// CHECK-NEXT: cmp.lt (M1, 1) [[P:P[0-9]+]] [[I]](0,0)<0;1,0>
// CHECK-NEXT: ([[P]]) jmp (M1, 1) BB_
// CHECK: oword_st (4) T6 0:ud [[X]]_ud.0
// APART-LABEL: .function "carried_BB_0"
// APART: add (M1, 16) [[NEW:V[0-9]+]](0,0)<1>
// APART: jmp (M1, 1) BB_{{[0-9]+$}}
// APART-NEXT: BB_{{[0-9]+}}:
// APART-NEXT: mov (M1, 16) {{.*}}
// APART: BB_{{[0-9]+}}:
// APART-NEXT: mov (M1, 16) [[OUT:V[0-9]+]]_ud(0,0)<1> [[NEW]]_ud(0,0)<1;1,0>
// APART: oword_st (4) T6 0:ud [[OUT]]_ud.0
extern "C" _GENX_MAIN_ void carried(SurfaceIndex s, int n) {
  vector<int, 16> x;
  read(s, 0, x);
  for (int i = 0; i < n; ++i)
    x = (x ^ i) + x;
  write(s, 0, x);
}

// CHECK-LABEL: .function "kept_BB_0"
// CHECK-NEXT: oword_ld (4) T6 0:ud [[X:V[0-9]+]]_ud.0
// CHECK-NEXT: mov (M1, 16) [[Y:V[0-9]+]]_ud(0,0)<1> [[X]]_ud(0,0)<1;1,0>
// CHECK-NEXT: add (M1, 8) [[Y]](0,0)<2> [[X]](0,0)<2;1,0> 5:d
// CHECK-NEXT: oword_st (4) T6 4:ud [[X]]_ud.0
// CHECK-NEXT: oword_st (4) T6 0:ud [[Y]]_ud.0
extern "C" _GENX_MAIN_ void kept(SurfaceIndex s) {
  vector<int, 16> x;
  read(s, 0, x);
  vector<int, 16> y = x;
  y.select<8, 2>(0) += 5;
  write(s, 64, x);
  write(s, 0, y);
}
