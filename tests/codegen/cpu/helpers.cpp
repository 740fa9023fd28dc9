// Helpers are part of the kernel that calls them: an atomic is an instruction for each lane, pixels are read by a
// function with the instructions of the kernel's CPU. Those of blocks that leave their surface are called by address.
// RUN: cmc %s -S -march=cpu -mcpu=haswell -emit-llvm -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck %s --check-prefix=HASWELL
// RUN: cmc %s -S -march=cpu -mcpu=x86-64 -o - | FileCheck %s --check-prefix=BASE
#include <cm/cm.h>

// CHECK-LABEL: ; kernel count
// CHECK-NOT: @pocm_atomic
// CHECK: atomicrmw add ptr
// CHECK-NOT: @pocm_atomic
extern "C" _GENX_MAIN_ void count(SurfaceIndex data) {
  vector<uint, 8> at = 3;
  write_atomic<ATOMIC_ADD>(data, at, 2u);
}

// In shared local memory, which one host thread works on, it needs none.
// CHECK-LABEL: ; kernel local
// CHECK-NOT: atomicrmw
// CHECK: pocm_atomic_alone.exit:
// CHECK-NOT: atomicrmw
extern "C" _GENX_MAIN_ void local(SurfaceIndex data) {
  cm_slm_init(64);
  uint slm = cm_slm_alloc(64);
  vector<ushort, 8> at;
  vector<uint, 8> by = 2, before;
  read(data, 0, at);
  cm_slm_atomic(slm, ATOMIC_ADD, at, before, by);
  write(data, 0, before);
}

// CHECK-LABEL: ; kernel pixels
// CHECK: declare {{.*}}@pocm_media_write(
// CHECK: call {{.*}}@pocm_typed_read(
// CHECK: call {{.*}}@pocm_media_write(
// CHECK: define internal {{.*}}@pocm_typed_read({{.*}}[[ATTRIBUTES:#[0-9]+]]
// CHECK: attributes [[ATTRIBUTES]] = {{.*}}"target-cpu"="haswell"
// HASWELL-LABEL: pocm_typed_read:
// HASWELL: vcvtph2ps
// BASE-LABEL: pocm_typed_read:
// BASE: __extendhfsf2
extern "C" _GENX_MAIN_ void pixels(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> at = 0;
  vector<float, 8> red;
  read_typed(in, CM_R_ENABLE, red, at, at);
  write(out, 0, 0, red);
}
