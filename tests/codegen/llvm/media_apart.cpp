// Elements of a media block that lie apart are taken from whole rows: one load for even and odd ones.
// RUN: cmc -march=cpu -mcpu=skylake-avx512 %s -S -emit-llvm -stop-after=cpu-optimize -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: @pocm_walk
// CHECK: %[[ROW:.*]] = load <64 x i8>
// CHECK-NOT: load <64 x i8>
// CHECK-DAG: shufflevector <64 x i8> %[[ROW]], <64 x i8> poison, <32 x i32> <i32 0, i32 2, i32 4,
// CHECK-DAG: shufflevector <64 x i8> %[[ROW]], <64 x i8> poison, <32 x i32> <i32 1, i32 3, i32 5,
extern "C" _GENX_MAIN_ void apart(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 1, 64> m;
  read(in, get_thread_origin_x() * 64, get_thread_origin_y(), m);
  vector<uchar, 32> even = m.select<1, 1, 32, 2>(0, 0), odd = m.select<1, 1, 32, 2>(0, 1);
  write(out, 0, vector<uchar, 32>(even ^ odd));
}
