// Totals of bytes and of their distances are made of sums of eight; those that wrap before they are widened are not.
// RUN: cmc %s -S -march=cpu -mcpu=haswell -emit-llvm -stop-after=cpu-second-elements -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -emit-llvm -stop-after=cpu-second-elements -disable-pass=cpu-byte-sums -o - | FileCheck %s --check-prefix=WITHOUT
#include <cm/cm.h>

// WITHOUT-NOT: call {{.*}}psad

// CHECK-LABEL: @distances.thread
// CHECK-COUNT-2: call <4 x i64> @llvm.x86.avx2.psad.bw
// CHECK-NOT: call {{.*}}psad
extern "C" _GENX_MAIN_ void distances(SurfaceIndex in, SurfaceIndex out) {
  vector<uchar, 64> a, b;
  read(in, 0, a);
  read(in, 64, b);
  write(out, 0, vector<uint, 4>(cm_sum<uint>(cm_sad2<ushort>(a, b))));
}

// Rows are as they come from memory, and the sums of all are one.
// CHECK-LABEL: @rows.thread
// CHECK-COUNT-8: call <2 x i64> @llvm.x86.sse2.psad.bw
// CHECK-NOT: call {{.*}}psad
extern "C" _GENX_MAIN_ void rows(SurfaceIndex now, SurfaceIndex before, SurfaceIndex out) {
  matrix<uchar, 8, 16> a, b;
  read(now, 0, 0, a);
  read(before, 1, 1, b);
  vector<ushort, 16> s = cm_sad2<ushort>(a.row(0), b.row(0));
#pragma unroll
  for (int r = 1; r < 8; ++r)
    s = cm_sada2<ushort>(a.row(r), b.row(r), s);
  write(out, 0, vector<uint, 4>(cm_sum<uint>(s)));
}

// CHECK-LABEL: @wrapping.thread
// CHECK-NOT: call {{.*}}psad
// CHECK: and <32 x i16>
// CHECK: lshr <32 x i16>
extern "C" _GENX_MAIN_ void wrapping(SurfaceIndex in, SurfaceIndex out) {
  vector<uchar, 64> a, b;
  read(in, 0, a);
  read(in, 64, b);
  vector<ushort, 64> s = 65200;
  s = cm_sada2<ushort>(a, b, s);
  write(out, 0, vector<uint, 4>(cm_sum<uint>(s)));
}
