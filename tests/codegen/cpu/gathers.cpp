// Lanes are compared with the end of their surface in 32 bits, and go to memory in one instruction.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=znver4 -o - | FileCheck %s --check-prefix=ZEN
#include <cm/cm.h>

// CHECK-LABEL: # kernel gather
// CHECK-NOT: vgatherq
// CHECK: vpcmpltud {{.*}}zmm
// CHECK-NOT: vgatherq
// CHECK: vgatherdps {{.*}}zmm
// CHECK-NOT: vgather
// CHECK: retq
extern "C" _GENX_MAIN_ void gather(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> at;
  vector<float, 16> v;
  read(in, get_thread_origin_x() * 64, at);
  read(in, 0, at, v);
  write(out, get_thread_origin_x() * 64, v);
}

// CHECK-LABEL: # kernel scatter
// CHECK: vscatterdps {{.*}}zmm
// CHECK-NOT: vscatter
// CHECK: retq
extern "C" _GENX_MAIN_ void scatter(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> at;
  vector<float, 16> v;
  read(in, get_thread_origin_x() * 64, at);
  read(in, get_thread_origin_y() * 64, v);
  write(out, 0, at, v);
}

// Where gathers are slow, elements at constant distances are loaded from one address.
// ZEN-LABEL: # kernel strided
// ZEN: kortestw
// ZEN-NOT: vpextr
// ZEN-NOT: vmovq
// ZEN: vpinsrd $1, 32([[AT:%[a-z0-9]+,%[a-z0-9]+]]),
// ZEN-NOT: vpextr
// ZEN: vpinsrd $3, 224([[AT]]),
// ZEN: retq
extern "C" _GENX_MAIN_ void strided(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> at, v;
#pragma unroll
  for (int k = 0; k < 16; ++k)
    at(k) = get_thread_origin_x() * 128 + k * 8;
  read(in, 0, at, v);
  write(out, get_thread_origin_x() * 64, v);
}
