// Several results that take no predicate, under a condition: `goto` turns the other channels off, and everything that is
// not meant for those that are on is done for all of them. With one such result a predicate is cheaper.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cmc -march=SKL -S %s -o - | FileCheck %s
// RUN: cmc -march=SKL -disable-pass=gen-goto -verify-each -S %s -o - | FileCheck --check-prefix=JUMPS %s
// JUMPS-NOT: goto
// JUMPS-NOT: _NM
// JUMPS: (!P{{[0-9]+}}.any) jmp
// RUN: for target in SKL ICLLP TGLLP DG2 PVC; do cmc -march=$target -mdump_asm %s -o k.isa || exit 1; grep -q 'join (16|M0)' several.asm || exit 1; done
#include <cm/cm.h>

// CHECK-LABEL: .kernel "several"
// CHECK: cmp.gt (M1, 16) [[P:P[0-9]+]]
// CHECK-NEXT: (![[P]]) goto (M1, 16) [[AFTER:BB_[0-9]+]]
// CHECK: max (M1_NM, 16) [[Y:V[0-9]+]](0,0)<1>
// CHECK-NEXT: mul (M1, 16) [[Z:V[0-9]+]](0,0)<1> [[Y]]
// CHECK-NEXT: add (M1, 16) V{{[0-9]+}}(0,0)<1> V{{[0-9]+}}(0,0)<1;1,0> 3:w
// CHECK-NEXT: add (M1_NM, 16) [[S:V[0-9]+]](0,0)<1>
// CHECK-NEXT: min (M1, 16) V{{[0-9]+}}(0,0)<1> [[S]]
// CHECK-NOT: jmp
// CHECK: [[AFTER]]:
extern "C" _GENX_MAIN_ void several(SurfaceIndex s, int limit) {
  vector<int, 16> x, z;
  vector<uchar, 16> b;
  read(s, 0, x);
  read(s, 64, z);
  read(s, 128, b);
  SIMD_IF_BEGIN(x > limit) {
    vector<int, 16> y = cm_max<int>(x, z);
    z = y * x;
    b = b + 3;
    x = cm_min<int>(y + z, 1000);
  }
  SIMD_IF_END;
  write(s, 0, x);
  write(s, 64, z);
  write(s, 128, b);
}

// CHECK-LABEL: .kernel "one"
// CHECK-NOT: goto
// CHECK-NOT: _NM
// CHECK: ret
extern "C" _GENX_MAIN_ void one(SurfaceIndex s, int limit) {
  vector<int, 16> x, z;
  read(s, 0, x);
  read(s, 64, z);
  SIMD_IF_BEGIN(x > limit) {
    x += z;
    z = x * z;
    x += 7;
  }
  SIMD_IF_END;
  write(s, 0, x);
  write(s, 64, z);
}

// Where something has to be copied when no channel is on, the block is gone around by a jump: what takes no predicate is
// computed beside what it is kept in, as what it is.
// CHECK-LABEL: .kernel "around"
// CHECK: .decl [[U:V[0-9]+]] v_type=G type=ud num_elts=16
// CHECK: cmp.gt (M1, 16) [[P:P[0-9]+]]
// CHECK-NOT: goto
// CHECK: mov.sat (M1, 16) [[U]](0,0)<1>
// CHECK-NEXT: ([[P]]) mov (M1, 16) V{{[0-9]+}}(0,0)<1> [[U]](0,0)<1;1,0>
// CHECK: ret
extern "C" _GENX_MAIN_ void around(SurfaceIndex s, int limit) {
  vector<int, 16> x, z, keep;
  vector<float, 16> f;
  vector<uint, 16> u;
  read(s, 0, x);
  read(s, 64, z);
  read(s, 128, f);
  read(s, 192, u);
  keep = z;
  SIMD_IF_BEGIN(x > limit) {
    z = z * x;
    u = f;
    keep = cm_min<int>(z, 7);
  }
  SIMD_IF_END;
  write(s, 0, z);
  write(s, 64, u);
  write(s, 128, keep);
}
