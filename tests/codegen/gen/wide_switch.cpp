// A choice by an integer of 64 bits, on every target.
// RUN: for t in SKL ICLLP TGLLP DG2 PVC; do cmc -march=$t -verify-each %s -o %t.isa || exit 1; done
// RUN: cmc -march=TGLLP -verify-each -S %s -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: .function "chosen_BB_0"
// CHECK: jmp
// CHECK: ret
extern "C" _GENX_MAIN_ void chosen(SurfaceIndex s, int n) {
  vector<long long, 4> v;
  read(s, 0, v);
  int r = 1;
  switch (v(0)) {
  case 1:
    r = 5;
    break;
  case 2:
    r = n;
    break;
  case 3:
    r = 9;
    break;
  case 0x100000000ll:
    r = n * n;
    break;
  case -7:
    r = 3;
    break;
  }
  vector<int, 4> w = r;
  write(s, 32, w);
}
