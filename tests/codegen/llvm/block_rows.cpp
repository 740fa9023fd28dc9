// Blocks in rows that a number at run time is apart are bounded by the first and the last, and found by multiples of
// that; where one is outside, or not at a whole oword, all are read one by one.
// RUN: cmc -S -emit-llvm -march=cpu -mcpu=skylake-avx512 -stop-after=cpu-buffers %s -o - | FileCheck %s
// RUN: cmc -S -march=cpu -mcpu=skylake-avx512 %s -o - | FileCheck --check-prefix=CODE %s
#include <cm/cm.h>

// CHECK-LABEL: define {{.*}}rows
// CHECK: icmp ult i64
// CHECK: icmp ult i64
// CHECK: and i64 {{.*}}, 15
// CHECK-NOT: icmp ult
// CHECK-COUNT-8: call void @pocm_buffer_read
// CHECK-NOT: call void @pocm_buffer_read
// CHECK: ret void
// CODE-LABEL: # kernel rows
// CODE: (%r{{[a-z0-9]+}},%r{{[a-z0-9]+}},2)
// CODE: (%r{{[a-z0-9]+}},%r{{[a-z0-9]+}},4)
extern "C" _GENX_MAIN_ void rows(SurfaceIndex in, SurfaceIndex out, int at, int width) {
  matrix<float, 8, 16> m;
#pragma unroll
  for (int r = 0; r < 8; r++)
    read(in, at + r * width, m.row(r));
  vector<float, 16> sum = 0;
#pragma unroll
  for (int r = 0; r < 8; r++)
    sum = sum * 0.5f + m.row(r);
  write(out, 0, sum);
}

// Multiples of an oword need no question for the rest; each row may have several blocks, of which one here is read by
// nobody and two are, and rows may go backward.
// CHECK-LABEL: define {{.*}}halves
// CHECK-COUNT-2: icmp ult i64
// CHECK-NOT: and i64
// CHECK-NOT: icmp ult
// CHECK-COUNT-4: call void @pocm_buffer_read
// CHECK-NOT: call void @pocm_buffer_read
// CHECK: ret void
extern "C" _GENX_MAIN_ void halves(SurfaceIndex in, SurfaceIndex out, int at, int width) {
  matrix<int, 3, 64> m;
#pragma unroll
  for (int r = 0; r < 3; r++) {
    read(in, at * 16 - r * width * 16, m.select<1, 1, 32, 1>(r, 0));
    read(in, at * 16 - r * width * 16 + 128, m.select<1, 1, 32, 1>(r, 32));
  }
  write(out, 0, vector<int, 32>(m.row(0).select<32, 1>(0) + m.row(1).select<32, 1>(16) + m.row(2).select<32, 1>(32)));
}

// Two rows are two checks in any case; numbers of different parts are no rows.
// CHECK-LABEL: define {{.*}}apart
// CHECK-COUNT-3: icmp ult i64
extern "C" _GENX_MAIN_ void apart(SurfaceIndex in, SurfaceIndex out, int at, int width, int other) {
  vector<int, 16> a, b, c;
  read(in, at, a);
  read(in, at + width, b);
  read(in, at + other, c);
  write(out, 0, vector<int, 16>(a + b * 3 + c * 5));
}
