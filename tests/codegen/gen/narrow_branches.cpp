// Branches on any of two or four channels ask for those, and nothing of what lies above them in the flag register; masks
// of such control flow that live in numbers are legal on all targets, whichever way they are used.
// RUN: for t in SKL ICLLP TGLLP DG2 PVC; do cmc -march=$t -verify-each %s -o %t.isa || exit 1; done
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: .function "four_BB_0"
// CHECK: cmp.gt (M1, 4) [[P:P[0-9]+]] [[V:V[0-9]+]](0,0)<1;1,0> 1:d
// CHECK-NEXT: (![[P]].any) jmp (M1, 1) BB_
// CHECK: ([[P]]) add (M1, 4) [[V]](0,0)<1>
extern "C" _GENX_MAIN_ void four(SurfaceIndex s) {
  vector<int, 4> v;
  read(s, 0, v);
  SIMD_IF_BEGIN(v > 1) { v = v * v + cm_sum<int>(v); }
  SIMD_IF_END;
  write(s, 0, v);
}

// A mask that is kept for later is a number, of the lower bits alone.
// CHECK-LABEL: .function "placed_BB_0"
// CHECK: cmp.gt (M1, 4) [[P:P[0-9]+]]
// CHECK-NEXT: mov (M1, 1) [[M:V[0-9]+]]_ub(0,0)<1> [[P]]
// CHECK-NEXT: and (M1, 1) [[M]]_ub(0,0)<1> [[M]]_ub(0,0)<0;1,0> 15:uw
// CHECK: (![[P]].any) jmp (M1, 1) BB_
extern "C" _GENX_MAIN_ void placed(SurfaceIndex s, int n) {
  vector<int, 4> v;
  read(s, 0, v);
  vector<int, 32> w;
  read(s, 128, w);
  SIMD_IF_BEGIN(v > 1) { w.select<4, 1>(n) = v; }
  SIMD_ELSEIF(v < -7) {
    w.select<4, 1>(n + 1) += 5;
    v = w.select<4, 1>(n);
  }
  SIMD_ELSE { w.select<4, 2>(n) = 3; }
  SIMD_IF_END;
  write(s, 0, v);
  write(s, 128, w);
}

// Two channels of a predicate of eight are no operand of an instruction of two.
// CHECK-LABEL: .function "two_BB_0"
extern "C" _GENX_MAIN_ void two(SurfaceIndex s, int n) {
  vector<int, 4> v;
  read(s, 0, v);
  vector<int, 2> x = v.select<2, 1>(0);
  vector<int, 32> w;
  read(s, 128, w);
  SIMD_IF_BEGIN(x > 1) { x = 6; }
  SIMD_ELSE {
    if ((x < n).any())
      x += 4;
    x = w.select<2, 1>(n);
  }
  SIMD_IF_END;
  v.select<2, 1>(0) = x;
  write(s, 0, v);
}
