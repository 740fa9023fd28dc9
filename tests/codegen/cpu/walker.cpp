// The walker holds the loop over threads; a kernel that does nothing leaves nothing of it.
// RUN: cmc %s -S -march=cpu -emit-llvm -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: ; kernel empty
// CHECK: define i32 @pocm_walk(ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 %{{.*}})
// CHECK-NOT: load
// CHECK: ret i32 0
extern "C" _GENX_MAIN_ void empty() {}

// A block inside its surface is written where it lies, over the edge by a helper of the device.
// CHECK-LABEL: ; kernel fill
// CHECK: store <16 x i8>
// CHECK: call void @pocm_media_write(
extern "C" _GENX_MAIN_ void fill(SurfaceIndex out, uchar value) {
  vector<uchar, 16> v = value;
  write(out, get_thread_origin_x() * 16, get_thread_origin_y(), v);
}
