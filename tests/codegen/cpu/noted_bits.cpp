// Programs are kept without a note of which `or` is a sum, and with logical shifts of numbers that LLVM has found not to
// be negative. Both are seen again, by how far the loop counts; then the blocks of four rows share a check.
// RUN: cmc %s -S -emit-llvm -march=cpu -stop-after=cpu-noted-bits -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck %s --check-prefix=CODE
#include <cm/cm.h>

// CHECK-LABEL: @rows.thread
// CHECK: or disjoint i32
// CHECK-NOT: = or i32
// CHECK-NOT: = lshr exact
// CHECK: ret void
// CODE-LABEL: # kernel rows
// CODE: leaq -3136(
// CODE-NEXT: cmpq
// CODE-NEXT: j
// CODE: retq
extern "C" _GENX_MAIN_ void rows(SurfaceIndex in, SurfaceIndex out) {
  uint y = get_thread_origin_x() * 4;
  for (int x = 4; x < 240; x += 16) {
    vector<float, 16> sum = 0;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      vector<float, 16> left, right;
      read(in, ((y + r) * 256 + x - 4) * 4, left);
      read(in, ((y + r) * 256 + x + 12) * 4, right);
      sum += left * right;
    }
    write(out, (y * 256 + x) * 4, sum);
  }
}
