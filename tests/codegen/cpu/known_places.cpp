// Where a counter stays inside of a vector, an element that an iteration leaves is in a register for the next one; two
// elements that are exchanged under a condition are changed in place.
// RUN: cmc %s -S -march=cpu -emit-llvm -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -emit-llvm -disable-pass=cpu-known-places -o - | FileCheck --check-prefix=LIMITED %s
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmrun %s sort --threads 1x1 --cpu $cpu --arg buffer:zero=64,out=%t.$cpu --arg int:7 || exit 1; done
// RUN: cmrun %s sort --threads 1x1 --device check --arg buffer:zero=64,out=%t.check --arg int:7
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmp %t.check %t.$cpu || exit 1; done
// RUN: od -An -td4 -v -w32 %t.native | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>

// CHECK: add i32 %j.
// CHECK: [[NEXT:%[0-9]+]] = load i32
// CHECK-NEXT: call i32 @llvm.smin.i32(i32 {{.*}}, i32 [[NEXT]])
// CHECK-NEXT: store i32
// CHECK-NEXT: call i32 @llvm.smax.i32(i32 {{.*}}, i32 [[NEXT]])
// CHECK-NEXT: store i32
// LIMITED: and i32 %{{.*}}, 15
// LIMITED: load i32
// LIMITED: load i32
// LIMITED: call i32 @llvm.smin.i32(
// LIMITED-NEXT: store i32
// LIMITED-NEXT: load i32
// RESULT: 0 1 2 3 4 5 6 7
// RESULT: 8 9 10 11 12 13 14 15
extern "C" _GENX_MAIN_ void sort(SurfaceIndex out, int factor) {
  vector<int, 16> v;
  for (int i = 0; i < 16; ++i)
    v(i) = i * factor & 15;
  for (int i = 0; i < 15; ++i)
    for (int j = 0; j < 15 - i; ++j)
      if (v(j) > v(j + 1)) {
        const int first = v(j);
        v(j) = v(j + 1);
        v(j + 1) = first;
      }
  write(out, 0, v);
}
