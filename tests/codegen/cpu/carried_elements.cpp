// The element that a loop has chosen is carried along with its place: one load an iteration, and no branch.
// RUN: cmc %s -S -march=cpu -mcpu=haswell -emit-llvm -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck --check-prefix=CODE %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -emit-llvm -disable-pass=cpu-carried-elements -o - | FileCheck --check-prefix=BOTH %s
// RUN: for cpu in x86-64 haswell native; do cmrun %s sort --threads 1x1 --cpu $cpu --arg buffer:zero=128,out=%t.$cpu --arg int:11 || exit 1; done
// RUN: cmrun %s sort --threads 1x1 --device check --arg buffer:zero=128,out=%t.check --arg int:11
// RUN: for cpu in x86-64 haswell native; do cmp %t.check %t.$cpu || exit 1; done
// RUN: od -An -td4 -v -w64 %t.native | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>

// CHECK: for.body9.i:
// CHECK: %[[NOW:[0-9]+]] = phi i32 [ %{{.*}}, %for.body5.i ], [ %[[NEXT:[0-9]+]], %for.body9.i ]
// CHECK: %[[ONE:[0-9]+]] = load i32
// CHECK-NOT: load i32
// CHECK: %[[NEXT]] = call i32 @llvm.smin.i32(i32 %[[ONE]], i32 %[[NOW]])
// CHECK: br i1
// CODE: cmov
// CODE: jb
// BOTH: phi i32
// BOTH: load i32
// BOTH: load i32
// BOTH: icmp slt i32
// RESULT: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// RESULT: 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
extern "C" _GENX_MAIN_ void sort(SurfaceIndex out, int factor) {
  vector<int, 32> v;
  for (int i = 0; i < 32; ++i)
    v(i) = i * factor & 31;
  for (int i = 0; i < 31; ++i) {
    int least = i;
    for (int j = i + 1; j < 32; ++j)
      if (v(j) < v(least))
        least = j;
    const int first = v(i);
    v(i) = v(least);
    v(least) = first;
  }
  write(out, 0, v.select<16, 1>(0));
  write(out, 64, v.select<16, 1>(16));
}
