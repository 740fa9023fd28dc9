// The finalizer gives no reason when it is told to give up rather than spill.
// RUN: not cmc %s -march=SKL -Qxcm_jit_option=-abortonspill -o %t.isa 2>&1 | FileCheck %s
// CHECK: the finalizer refuses kernel 'many' for {{.*}}: its values do not fit into the registers, and -abortonspill is given
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void many(SurfaceIndex s) {
  matrix<float, 100, 8> m, n;
#pragma unroll
  for (int i = 0; i < 100; i += 4) {
    read(s, i * 32, m.select<4, 1, 8, 1>(i, 0).format<float>());
    read(s, 3200 + i * 32, n.select<4, 1, 8, 1>(i, 0).format<float>());
  }
  m += n;
  m *= n;
#pragma unroll
  for (int i = 0; i < 100; i += 4) {
    write(s, i * 32, m.select<4, 1, 8, 1>(i, 0).format<float>());
    write(s, 3200 + i * 32, n.select<4, 1, 8, 1>(96 - i, 0).format<float>());
  }
}
