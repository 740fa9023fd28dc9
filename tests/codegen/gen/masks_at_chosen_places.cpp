// A comparison whose mask goes to a place that is known at run time writes it aside: vISA has no such destination.
// RUN: for t in SKL ICLLP TGLLP DG2 PVC; do cmc -march=$t %s -o %t.isa || exit 1; done
// RUN: cmc -march=DG2 -S %s -o - | FileCheck %s
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void k(SurfaceIndex data [[type("buffer_t")]], int at) {
  matrix<int, 8, 8> m = 0;
  vector<int, 8> v, w;
  read(data, 0, v);
  read(data, 32, w);
  // CHECK: cmp.gt (M1, 8) [[MASK:V[0-9]+]](0,0)<1>
  // CHECK-NEXT: addr_add
  // CHECK-NEXT: mov (M1, 8) r[A{{[0-9]+}}(0),0]<1>:d [[MASK]](0,0)<1;1,0>
  m.row(at) = -vector<int, 8>(v > w);
  write(data, 64, m.select<4, 1, 8, 1>(0, 0));
  write(data, 192, m.select<4, 1, 8, 1>(4, 0));
}
