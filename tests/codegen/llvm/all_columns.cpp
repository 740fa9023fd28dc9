// All columns of a matrix share what they are put together of: 3 times 8 shuffles for 8 of them, not 8 times 7.
// RUN: cmc -march=cpu -mcpu=skylake-avx512 -S -emit-llvm -stop-after=cpu-optimize %s -o - | FileCheck %s
// RUN: for cpu in x86-64 haswell skylake-avx512; do cmrun %s columns --threads 1x1 --cpu $cpu --arg buffer:zero=512,out=%t && od -An -td4 -v -w64 %t || exit 1; done | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// CHECK-LABEL: @pocm_walk(
// CHECK-COUNT-24: shufflevector <16 x i32> %{{[0-9]+}}, <16 x i32> %{{[0-9]+}}, <16 x i32>
// CHECK-NOT: shufflevector
// CHECK: ; kernel columns
extern "C" _GENX_MAIN_ void shared(svmptr_t in, svmptr_t out) {
  matrix<int, 16, 8> m;
  cm_svm_block_read(in, m.format<int>());
#pragma unroll
  for (int i = 0; i < 8; ++i)
    cm_svm_block_write(out + i * 64, vector<int, 16>(m.column(i)));
}

// Rows from the second on.
// RESULT-COUNT-3: {{^ *}}16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136
extern "C" _GENX_MAIN_ void columns(SurfaceIndex out) {
  vector<int, 192> numbers;
  cmtl::cm_vector_assign<int, 192>(numbers, 0, 1);
  matrix<int, 24, 8> m = numbers;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    write(out, i * 64, vector<int, 16>(m.select<16, 1, 1, 1>(2, i).format<int>()));
}

// Registers of several rows, columns shorter than a register: 4 + 4 shuffles of two registers for all 8 columns.
// RUN: cmrun %s words --threads 1x1 --arg buffer:zero=256,out=%t && od -An -td2 -v -w32 %t | FileCheck --check-prefix=WORDS %s
// RUN: cmc -march=cpu -mcpu=skylake-avx512 -S -emit-llvm -stop-after=cpu-optimize %s -o - | FileCheck --check-prefix=FEW %s
// WORDS: {{^ *}}0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120
// WORDS-NEXT: {{^ *}}1 9 17 25 33 41 49 57 65 73 81 89 97 105 113 121
// WORDS: {{^ *}}7 15 23 31 39 47 55 63 71 79 87 95 103 111 119 127
// FEW-LABEL: ; kernel sums
// FEW-COUNT-8: shufflevector <32 x i16> %{{[0-9]+}}, <32 x i16> %{{[0-9]+}}, <32 x i32>
// FEW-NOT: shufflevector <32 x i16> %{{[0-9]+}}, <32 x i16> %
extern "C" _GENX_MAIN_ void words(SurfaceIndex out) {
  vector<short, 128> numbers;
  cmtl::cm_vector_assign<short, 128>(numbers, 0, 1);
  matrix<short, 16, 8> m = numbers;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    write(out, i * 32, vector<short, 16>(m.column(i)));
}
extern "C" _GENX_MAIN_ void sums(SurfaceIndex in, SurfaceIndex out) {
  matrix<short, 4, 32> m;
  read(in, 0, 0, m);
  m += 1;
  vector<short, 16> sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    matrix<short, 4, 4> eighth = m.select<4, 1, 4, 8>(0, i);
    sum = sum * 3 + eighth.format<short>();
  }
  write(out, 0, sum);
}
