// A column of a matrix in many registers is put together two registers at a time, not one after the other.
// RUN: cmc -march=cpu -mcpu=skylake-avx512 -S -emit-llvm -stop-after=cpu-split-vectors %s -o %t
// RUN: FileCheck --check-prefix=PAIRS %s < %t
// RUN: FileCheck --check-prefix=BLENDS %s < %t
#include <cm/cm.h>

// PAIRS-COUNT-8: shufflevector <8 x i32> %{{[0-9]+}}, <8 x i32> %{{[0-9]+}}, <16 x i32>
// PAIRS-NOT: shufflevector <8 x i32>
// BLENDS-COUNT-7: shufflevector <16 x i32> %{{[0-9]+}}, <16 x i32> %{{[0-9]+}}, <16 x i32>
// BLENDS-NOT: shufflevector <16 x i32>
extern "C" _GENX_MAIN_ void column(svmptr_t in, svmptr_t out) {
  matrix<int, 16, 8> m;
  cm_svm_block_read(in, m.format<int>());
  cm_svm_block_write(out, vector<int, 16>(m.column(3)));
}
