// Surfaces are looked up in front of loops, also where an iteration may not read them; and the address of a block needs no
// choice where it is inside.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -disable-pass=cpu-hoist-views -o - | FileCheck %s --check-prefix=WITHOUT
#include <cm/cm.h>

// Sizes are loaded from views before the first vector is.
// CHECK-LABEL: # kernel sometimes
// CHECK: movq 32(
// CHECK: vptestmd
// CHECK-NOT: cmov
// CHECK-NOT: movq 32(
// CHECK-NOT: vpbroadcastd
// CHECK: vgatherdps {{.*}}zmm
// CHECK-NOT: movq 32(
// CHECK: retq
//
// WITHOUT: vptestmd
// WITHOUT: movq 32(
// WITHOUT: vpbroadcastd
// WITHOUT: vgatherdps
extern "C" _GENX_MAIN_ void sometimes(SurfaceIndex in, SurfaceIndex table, SurfaceIndex out, int n) {
  vector<float, 16> sum = 0;
  for (int i = 0; i < n; i++) {
    vector<uint, 16> at;
    vector<float, 16> v;
    read(in, i * 64, at);
    if ((at != 0).any()) {
      read(table, 0, at, v);
      sum += v;
    }
  }
  write(out, 0, sum);
}
