// The last element of a running sum fills the next register without a way through a scalar one.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: # kernel running
// CHECK: vpermd {{.*}}zmm
// CHECK-NOT: vpextr
// CHECK: retq
extern "C" _GENX_MAIN_ void running(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 1024, carry = 0;
  for (int i = 0; i < 1024; i += 64) {
    vector<uint, 16> v;
    read(in, at + i, v);
    v.select<8, 1>(8) += v.select<8, 1>(0);
    v += carry;
    carry = v(15);
    write(out, at + i, v);
  }
}
