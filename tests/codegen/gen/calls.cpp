// Functions marked never to be inlined become subroutines: parameters, results and what is passed by reference are
// variables, which what is given shares where no call comes in between.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cmc -march=SKL -S %s -o - | FileCheck %s --check-prefixes=CHECK,SKL
// RUN: cmc -march=ICLLP -S %s -o - | FileCheck %s --check-prefixes=CHECK,HALVES
// RUN: cmc -march=SKL -S -disable-pass=subroutines %s -o - | FileCheck %s --check-prefix=INLINED
// RUN: for target in SKL ICLLP TGLLP DG2 PVC; do cmc -march=$target -mdump_asm %s -o k.isa || exit 1; test $(grep -c ' call ' shared.asm) = 2 || exit 1; grep -q ' ret ' shared.asm || exit 1; done
#include <cm/cm.h>

CM_NOINLINE _GENX_ vector<int, 16> scaled(vector<int, 16> v, int n) { return v * n; }
_GENX_STACKCALL_ void raise(vector_ref<int, 8> v, const int by) { v += by; }
CM_NOINLINE _GENX_ int once(int a) { return a * a + 5; }
CM_NOINLINE _GENX_ long long wide(long long a) { return a * 3 + 1; }
CM_NOINLINE _GENX_ int looked_up(int i) {
  int table[800];
  for (int k = 0; k < 800; ++k)
    table[k] = k * i;
  return table[i & 511];
}
vector<int, 8> kept;
CM_NOINLINE _GENX_ void keeps(vector<int, 8> v) { kept += v; }
CM_NOINLINE _GENX_ void through(int &a) { a += 3; }

// What the first call is given is still wanted and is copied; what the second is given is not.
// CHECK-LABEL: .kernel "shared"
// CHECK: oword_ld (4) T6 0:ud [[X:V[0-9]+]]_ud.0
// CHECK: mov (M1, 16) [[V:V[0-9]+]]_ud(0,0)<1> [[X]]_ud(0,0)<1;1,0>
// CHECK-NEXT: mov (M1, 1) [[N:V[0-9]+]](0,0)<1> 7:d
// CHECK-NEXT: call (M1, 16) [[SCALED:SUB_1_[A-Za-z0-9_]+]]
// CHECK-NEXT: add (M1, 16) [[V]](0,0)<1> [[R:V[0-9]+]](0,0)<1;1,0> [[X]](0,0)<1;1,0>
// CHECK-NEXT: mov (M1, 1) [[N]]_ud(0,0)<1>
// CHECK-NEXT: call (M1, 16) [[SCALED]]
// CHECK-NEXT: oword_st (4) T7 0:ud [[R]]_ud.0
// CHECK: ret (M1, 1)
// CHECK-NEXT: .function "[[SCALED]]"
// CHECK-NEXT: mul (M1, 16) [[R]](0,0)<1> [[V]](0,0)<1;1,0> [[N]](0,0)<0;1,0>
// CHECK-NEXT: ret (M1, 16)
// INLINED-LABEL: .kernel "shared"
// INLINED-NOT: call
extern "C" _GENX_MAIN_ void shared(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> x;
  read(in, 0, x);
  write(out, 0, scaled(scaled(x, 7) + x, n));
}

// Regions come back changed.
// CHECK-LABEL: .kernel "regions"
// CHECK: mov (M1, 8) [[V:V[0-9]+]](0,0)<1> [[X:V[0-9]+]](0,1)<2;1,0>
// CHECK: call (M1, 16) [[RAISE:SUB_1_[A-Za-z0-9_]+]]
// CHECK-NEXT: mov (M1, 8) [[X]](0,1)<2> [[R:V[0-9]+]](0,0)<1;1,0>
// CHECK: call (M1, 16) [[RAISE]]
// CHECK: .function "[[RAISE]]"
// CHECK-NEXT: add (M1, 8) [[R]](0,0)<1> [[V]](0,0)<1;1,0> V{{[0-9]+}}(0,0)<0;1,0>
extern "C" _GENX_MAIN_ void regions(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> x;
  read(in, 0, x);
  raise(x.select<8, 2>(1), n);
  raise(x.select<8, 1>(4), 5);
  write(out, 0, x);
}

// 64 bits are two halves on some targets: inlined there.
// CHECK-LABEL: .kernel "wides"
// SKL: call (M1, 16) SUB_1_
// HALVES-NOT: call
// CHECK: ret (M1, 1)
extern "C" _GENX_MAIN_ void wides(SurfaceIndex out, long long n) {
  vector<long long, 2> r = wide(wide(n));
  write(out, 0, r);
}

// Called once, with an array, a variable of the file, a plain reference: inlined everywhere.
// CHECK-LABEL: .kernel "inlined"
// CHECK-NOT: call
// CHECK: ret (M1, 1)
extern "C" _GENX_MAIN_ void inlined(SurfaceIndex out, int n) {
  vector<int, 8> r = once(n);
  kept = 0;
  keeps(r);
  keeps(r + n);
  r += looked_up(n) + looked_up(n + 1);
  through(n);
  through(n);
  write(out, 0, vector<int, 8>(r + kept + n));
}
