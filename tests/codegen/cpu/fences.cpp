// A fence in front of a thread's end does not wait for the stores: who comes behind sees them. Others do.
// RUN: cmc %s -S -march=cpu -mcpu=haswell -emit-llvm -stop-after=cpu-barriers -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: define {{.*}} @last.thread(
// CHECK-NOT: fence seq_cst
// CHECK: fence release
// CHECK: ret void
extern "C" _GENX_MAIN_ void last(SurfaceIndex out) {
  vector<uint, 8> v = get_thread_origin_x();
  write(out, 0, v);
  if (v(0) > 3)
    cm_fence();
  cm_signal();
}

// CHECK-LABEL: define {{.*}} @between.thread(
// CHECK: fence seq_cst
// CHECK: ret void
extern "C" _GENX_MAIN_ void between(SurfaceIndex flags, SurfaceIndex out) {
  vector<uint, 8> v = get_thread_origin_x(), other;
  write(flags, 0, v);
  cm_fence();
  read(flags, 32, other);
  write(out, 0, other);
}

// What comes in the next round is behind the fence as well.
// CHECK-LABEL: define {{.*}} @rounds.thread(
// CHECK-NOT: fence release
// CHECK: fence seq_cst
// CHECK: ret void
extern "C" _GENX_MAIN_ void rounds(SurfaceIndex out, int n) {
  vector<uint, 8> v;
  for (int i = 0; i < n; i++) {
    read(out, i * 32, v);
    write(out, i * 32 + 32, v);
    cm_fence();
  }
}
