// Lanes are compared with the end of their surface in 32 bits, and go to memory in one instruction.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
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
