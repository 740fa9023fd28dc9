// Loops that go over elements in memory take several at a time: as many as are known at run time, from the last to the
// first, from a place that depends on a number which keeps it inside. Loops over threads stay as they are.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -emit-llvm -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -emit-llvm -disable-pass=cpu-vector-loops -o - | FileCheck --check-prefix=SINGLE %s
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmrun %s loops --threads 3x2 --cpu $cpu --arg buffer:zero=4096,out=%t.$cpu --arg int:7 || exit 1; done
// RUN: cmrun %s loops --threads 3x2 --device check --arg buffer:zero=4096,out=%t.check --arg int:7
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmp %t.check %t.$cpu || exit 1; done
#include <cm/cm.h>

// CHECK-LABEL: @pocm_walk
// CHECK: = call <{{[0-9]+}} x i16> @llvm.umax.v{{[0-9]+}}i16(
// SINGLE-LABEL: @pocm_walk
// SINGLE-NOT: umax.v
// SINGLE: call i16 @llvm.umax.i16(
// SINGLE-NOT: umax.v
extern "C" _GENX_MAIN_ void loops(SurfaceIndex out, int n) {
  const uint thread = get_thread_origin_y() * 3 + get_thread_origin_x();
  ushort d[256];
  uint a[256];
  for (int i = 0; i < 256; ++i) {
    d[i] = 0;
    a[i] = (i + thread) * 2654435761u >> 7;
  }
  for (int k = 0; k < 16; ++k) {
    const int w = (a[k] & 31) + 1;
    for (int c = 255; c >= w; --c) {
      const ushort more = d[c - w] + (a[k] >> 8 & 255);
      if (more > d[c])
        d[c] = more;
    }
  }
  for (int lag = 0; lag < n; ++lag) {
    uint sum = 0;
    for (int i = 0; i + lag < 256; ++i)
      sum += a[i] * a[i + lag];
    d[lag] ^= sum;
  }
  vector<ushort, 64> some;
  for (int i = 0; i < 64; ++i)
    some(i) = d[i * 4 + (i & 3)];
  write(out, thread * 128, some);
}
