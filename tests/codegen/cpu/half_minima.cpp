// Minima and maxima of halves are taken in float, one after the other, and elements of one vector are flushed together.
// RUN: cmc -march=cpu -mcpu=skylake-avx512 %s -S -o - | FileCheck %s
// RUN: cmc -march=cpu -mcpu=skylake-avx512 %s -S -emit-llvm -stop-after=cpu-flush-halves -o - \
// RUN:   | FileCheck %s --check-prefix=FLUSH
#include <cm/cm.h>

// CHECK-LABEL: # kernel limits
// CHECK: vmaxps
// CHECK-NOT: vcvtph2ps
// CHECK: vminps
// CHECK-NOT: kunpck
// CHECK: vcvtps2ph
extern "C" _GENX_MAIN_ void limits(SurfaceIndex in, SurfaceIndex out) {
  vector<half, 16> v;
  read(in, 0, v);
  v = cm_min<half>(cm_max<half>(v, half(0)), half(6));
  write(out, 0, v);
}

// FLUSH-LABEL: @scales
// FLUSH: %[[V:.*]] = call <16 x half> @llvm.genx.oword.ld
// FLUSH-NEXT: %[[F:.*]] = call <16 x half> @cm.flush.v16f16(<16 x half> %[[V]])
// FLUSH-DAG: shufflevector <16 x half> %[[F]], <16 x half> poison, <32 x i32> <i32 3, i32 3,
// FLUSH-DAG: shufflevector <16 x half> %[[F]], <16 x half> poison, <32 x i32> <i32 11, i32 11,
// FLUSH-NOT: @cm.flush.v16f16
// FLUSH: ret void
extern "C" _GENX_MAIN_ void scales(SurfaceIndex in, SurfaceIndex out) {
  vector<half, 16> s;
  vector<half, 32> v;
  read(in, 0, s);
  read(in, 64, v);
  v = v * s(3) + s(11);
  write(out, 0, v);
}

// What may be a NaN keeps its bits: halves are chosen as they are.
// CHECK-LABEL: # kernel chosen
// CHECK: vcmp{{.*}}ps
// CHECK-NOT: vcvtps2ph
// CHECK: ret
extern "C" _GENX_MAIN_ _GENX_FLOAT_CONTROL_(CM_DENORM_HF_ALLOW) void chosen(SurfaceIndex in, SurfaceIndex out) {
  vector<half, 16> a, b;
  read(in, 0, a);
  read(in, 32, b);
  b.merge(a, a < b);
  write(out, 0, b);
}
