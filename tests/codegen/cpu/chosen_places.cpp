// Places that conditions and loops keep inside of a vector have no limit (Intervals.h): a heap's, an insertion sort's, and
// those that are counted from another end. What is written before it is read has a value, which no freeze has to choose.
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-known-places -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-decisions -o - | FileCheck --check-prefix=DECIDED %s
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-invariants -o - | FileCheck --check-prefix=LIMITED %s
// RUN: head -c 4096 /dev/urandom > %t.in
// RUN: for kernel in insertion backwards; do for cpu in x86-64 haswell native; do cmrun %s $kernel --threads 8x1 --cpu $cpu --arg buffer:in=%t.in --arg buffer:zero=1024,out=%t.$kernel.$cpu || exit 1; done; done
// RUN: for kernel in insertion backwards; do cmrun %s $kernel --threads 8x1 --device check --arg buffer:in=%t.in --arg buffer:zero=1024,out=%t.$kernel.check; done
// RUN: for kernel in insertion backwards; do for cpu in x86-64 haswell native; do cmp %t.$kernel.check %t.$kernel.$cpu || exit 1; done; done
#include <cm/cm.h>

_GENX_ inline void readAll(SurfaceIndex in, int at, vector_ref<int, 32> v) {
  vector<int, 16> half;
  read(in, at, half);
  v.select<16, 1>(0) = half;
  read(in, at + 64, half);
  v.select<16, 1>(16) = half;
}
_GENX_ inline void writeAll(SurfaceIndex out, int at, vector_ref<int, 32> v) {
  write(out, at, v.select<16, 1>(0));
  write(out, at + 64, v.select<16, 1>(16));
}

// CHECK-LABEL: define {{.*}} @pocm_walk
// CHECK-NOT: and i32 %{{.*}}, 31
// DECIDED-LABEL: @insertion(
// DECIDED-NOT: freeze
// DECIDED: ret void
// LIMITED: and i32 %{{.*}}, 31
extern "C" _GENX_MAIN_ void insertion(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 32> v;
  readAll(in, get_thread_origin_x() * 128, v);
  for (int i = 1; i < 32; ++i) {
    const int x = v(i);
    int j = i - 1;
    while (j >= 0 && v(j) > x) {
      v(j + 1) = v(j);
      --j;
    }
    v(j + 1) = x;
  }
  writeAll(out, get_thread_origin_x() * 128, v);
}

extern "C" _GENX_MAIN_ void backwards(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 32> v, r;
  readAll(in, get_thread_origin_x() * 128, v);
  r = v;
  for (int i = 1; i < 32; ++i)
    r(i) = v(i) / (r(i - 1) | 1) + r(i - 1);
  for (int i = 30; i >= 0; --i)
    r(i) -= 3 * r(i + 1);
  writeAll(out, get_thread_origin_x() * 128, r);
}
