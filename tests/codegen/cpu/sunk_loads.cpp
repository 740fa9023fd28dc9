// What is read of one surface is loaded behind the check of the other one, where it is taken: nothing of it waits on the
// stack while sums fill the registers.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -disable-pass=cpu-sunk-loads -o - | FileCheck --check-prefix=WITHOUT %s
#include <cm/cm.h>

// CHECK-LABEL: # kernel product
// CHECK-NOT: {{vbroadcastss.*\(%rsp\)}}
// CHECK-COUNT-96: vfmadd231ps
// WITHOUT-LABEL: # kernel product
// WITHOUT: {{vbroadcastss.*\(%rsp\)}}
extern "C" _GENX_MAIN_ void product(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out, int depth) {
  matrix<float, 12, 32> sum = 0;
  for (int k = 0; k < depth; k += 4) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      vector<float, 32> row;
      vector<float, 16> column;
      read(right, (k + i) * 128, row);
      read(left, (k + i) * 48, column);
#pragma unroll
      for (int r = 0; r < 12; r++)
        sum.row(r) += column(r) * row;
    }
  }
#pragma unroll
  for (int r = 0; r < 12; r++)
    write(out, r * 128, sum.row(r));
}
