// Blocks that are read at constant distances are bounded together, and an element of one that all lanes take comes
// from memory.
// RUN: cmc -S -emit-llvm -march=cpu -mcpu=skylake-avx512 -stop-after=cpu-buffers %s -o - | FileCheck %s
// RUN: cmc -S -march=cpu -mcpu=skylake-avx512 %s -o - | FileCheck --check-prefix=CODE %s
// RUN: cmrun %s written --threads 1x1 --arg buffer:zero=256,out=%t.out && od -An -td4 -v %t.out | FileCheck --check-prefix=WRITTEN %s
// RUN: cmrun %s written --threads 1x1 --arg buffer:zero=28,out=%t.end && od -An -td4 -v %t.end | FileCheck --check-prefix=END %s
// RUN: cmrun %s together --threads 1x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:100
#include <cm/cm.h>

// Offsets in bytes reach 2 GB.
// CHECK-LABEL: define {{.*}}together
// CHECK: smin.i64(i64 %{{[0-9]+}}, i64 2147483648)
// CHECK-COUNT-1: icmp ult i64
// CHECK: call void @pocm_buffer_read
// CHECK: call void @pocm_buffer_read
// CHECK-NOT: icmp ult i64
// CHECK: br label
// CODE: vfmadd231ps {{[0-9]+}}(%r{{[a-z0-9]+}}){1to16}, %zmm
extern "C" _GENX_MAIN_ void together(SurfaceIndex in, SurfaceIndex out, int at) {
  vector<float, 16> a, b, sum = 0;
  read(in, at * 16, a);
  read(in, at * 16 + 48, b);
#pragma unroll
  for (int i = 0; i < 12; i++)
    sum += b(i) * a;
  write(out, 0, sum);
}

// Offsets of multiples of a block, to which LLVM adds constants behind the division by 16: bounded together, too, and
// what is divided and multiplied again is neither.
// CHECK-LABEL: define {{.*}}multiples
// CHECK: [[AT:%.*]] = sext i32 {{.*}} to i64
// CHECK-NOT: shl i64
// CHECK: icmp ult i64
// CHECK-NOT: icmp ult i64 %
// CHECK: call void @pocm_buffer_write
extern "C" _GENX_MAIN_ void multiples(SurfaceIndex in, SurfaceIndex out, int block) {
  vector<uint, 64> a;
  read(in, block * 256, a.select<32, 1>(0));
  read(in, block * 256 + 128, a.select<32, 1>(32));
  write(out, 0, vector<uint, 32>(a.select<32, 1>(0) + a.select<32, 1>(32)));
}

// Of threads, whose places are never negative: LLVM divides them as numbers without a sign, at owords and at dwords.
// CHECK-LABEL: define {{.*}}threads
// CHECK: smin.i64(i64 %{{[0-9]+}}, i64 2147483648)
// CHECK-COUNT-1: icmp ult i64
// CHECK-COUNT-4: call void @pocm_buffer_read
// CHECK-NOT: icmp ult i64
// CHECK: br label
extern "C" _GENX_MAIN_ void threads(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 256 + 512;
  vector<float, 16> here, before, behind, left;
  read(in, at, here);
  read(DWALIGNED(in), at - 4, left);
  read(in, at - 256, before);
  read(in, at + 256, behind);
  write(out, at, vector<float, 16>(here + left + before + behind));
}

// What is read behind a write is not what was read before, at the end of a buffer, either.
// END: {{^ *}}7 7 7 7
// END-NEXT: {{^ *}}7 7 7{{ *$}}
// WRITTEN: {{^ *}}7 7 7 7
// WRITTEN-NEXT: {{^ *}}7 7 7 7
// WRITTEN-NEXT: {{^ *}}5 5 5 5
extern "C" _GENX_MAIN_ void written(SurfaceIndex data) {
  vector<int, 4> a, b, c, d;
  read(data, 0, a);
  read(data, 16, b);
  write(data, 0, vector<int, 4>(a + 7));
  read(data, 0, c);
  read(data, 16, d);
  write(data, 16, vector<int, 4>(c + d));
  read(data, 16, d);
  write(data, 32, vector<int, 4>(d - 2));
}
