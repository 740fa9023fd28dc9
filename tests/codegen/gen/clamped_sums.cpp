// Sums with SAT are exact; where the elements have no larger sum than one instruction has, they take no more of them.
// RUN: for t in SKL ICLLP PVC; do cmc -march=$t -verify-each -S %s -o - | FileCheck %s || exit 1; done
#include <cm/cm.h>

// CHECK-LABEL: .function "down_BB_0"
// CHECK: max (M1, 16) [[M:V[0-9]+]]_ud(0,0)<1> {{V[0-9]+}}_ud(0,0)<1;1,0> 16:
// CHECK-NEXT: add (M1, 16) {{V[0-9]+}}(0,0)<1> [[M]](0,0)<1;1,0> -16:
// CHECK-NEXT: {{oword_st|mov|lsc_store}}
extern "C" _GENX_MAIN_ void down(SurfaceIndex s) {
  vector<uint, 16> v;
  read(s, 0, v);
  vector<uint, 16> w = cm_add<uint>(v, -16, SAT);
  write(s, 0, w);
}

// CHECK-LABEL: .function "sums_BB_0"
// CHECK: add.sat (M1, 16) {{V[0-9]+_ud\(0,0\)<1> V[0-9]+_ud\(0,0\)<1;1,0> V[0-9]+_ud}}
// CHECK: max (M1, 16) [[M:V[0-9]+]](0,0)<1> {{V[0-9]+}}(0,0)<1;1,0> -2147483632:d
// CHECK-NEXT: add (M1, 16) {{V[0-9]+}}(0,0)<1> [[M]](0,0)<1;1,0> -16:d
// CHECK-NOT: :q
// CHECK: ret
extern "C" _GENX_MAIN_ void sums(SurfaceIndex s) {
  vector<uint, 16> v, u;
  vector<int, 16> i;
  read(s, 0, v);
  read(s, 64, u);
  read(s, 128, i);
  vector<uint, 16> w = cm_add<uint>(v, u, SAT);
  vector<int, 16> x = cm_add<int>(i, -16, SAT);
  write(s, 0, w);
  write(s, 64, x);
}
