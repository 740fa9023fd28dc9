// Columns that are written beside each other go into whole registers, two permutes a column, not into rows of four; a
// matrix whose rows are taken afterwards stays in rows.
// RUN: cmc -march=cpu -mcpu=skylake-avx512 -S -emit-llvm -stop-after=cpu-split-vectors %s -o - | FileCheck %s
// RUN: cmc -march=cpu -mcpu=skylake-avx512 -S -emit-llvm -stop-after=cpu-split-vectors -D ROWS %s -o - | FileCheck --check-prefix=ROWS %s
#include <cm/cm.h>

// CHECK-LABEL: ; kernel columns
// CHECK-NOT: <4 x float>
// CHECK-COUNT-6: shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <16 x i32>
// CHECK-NOT: <4 x float>
// CHECK: ret
// ROWS-LABEL: ; kernel columns
// ROWS-NOT: <16 x float>
// ROWS: ret
extern "C" _GENX_MAIN_ void columns(svmptr_t in, svmptr_t out) {
  matrix<float, 8, 4> m;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    vector<float, 8> v;
    cm_svm_block_read(in + i * 32, v);
    m.column(i) = v;
  }
#ifdef ROWS
  vector<float, 4> sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++)
    sum = sum * 0.5f + m.row(i);
  cm_svm_block_write(out, sum);
#else
  cm_svm_block_write(out, m.format<float>());
#endif
}
