// Rows that are read after others have changed come from where those are, as LLVM would take them from before.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -Rcm -emit-llvm -o - 2>&1 | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -emit-llvm -stop-after=cpu-in-place -o - | FileCheck %s --check-prefix=ONE
#include <cm/cm.h>

// The matrix is in memory once: a row is read and written for each that changes, and nothing is copied.
// CHECK: latest_reads.cpp:[[#@LINE+18]]: remark: an object of 2048 bytes, elements of which are {{.*}} at run time, lives in memory: a thread pays
// CHECK-LABEL: ; kernel paths
// CHECK: alloca [2112 x i8]
// CHECK: alloca [2112 x i8]
// CHECK-NOT: alloca [2112 x i8]
// ONE-LABEL: @paths.thread
// ONE: {{^}}for.body
// ONE-NOT: <1024 x i16>
// ONE: br i1 %
extern "C" _GENX_MAIN_ void paths(SurfaceIndex in, SurfaceIndex out) {
  matrix<ushort, 32, 32> m;
#pragma unroll
  for (int i = 0; i < 32; i += 2)
    read(in, i * 64, m.select<2, 1, 32, 1>(i, 0));
  for (int k = 0; k < 32; ++k) {
    vector<ushort, 32> by = m.row(k);
#pragma unroll
    for (int i = 0; i < 32; ++i)
      m.row(i) = cm_min<ushort>(m.row(i), by + m(i, k));
  }
#pragma unroll
  for (int i = 0; i < 32; i += 2)
    write(out, i * 64, m.select<2, 1, 32, 1>(i, 0));
}
