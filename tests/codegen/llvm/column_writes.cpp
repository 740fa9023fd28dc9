// A matrix that is written column by column shares what its rows are put together of: 4 times 16 shuffles for 16 rows,
// where each element would be inserted. So is one that is written element by element.
// RUN: cmc -march=cpu -mcpu=skylake-avx512 -S -emit-llvm -stop-after=cpu-optimize %s -o - | FileCheck %s
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmrun %s turned --threads 1x1 --cpu $cpu --arg buffer:zero=2048,out=%t.$cpu || exit 1; done
// RUN: cmrun %s turned --threads 1x1 --device check --arg buffer:zero=2048,out=%t.check
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmp %t.check %t.$cpu || exit 1; done
// RUN: od -An -td4 -v -w64 -N 192 %t.native | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// CHECK-LABEL: @pocm_walk(
// CHECK-COUNT-64: shufflevector <16 x i32> %{{[0-9]+}}, <16 x i32> %{{[0-9]+}}, <16 x i32>
// CHECK-NOT: shufflevector
// CHECK: icmp
extern "C" _GENX_MAIN_ void columns(svmptr_t in, svmptr_t out) {
  matrix<int, 16, 16> m, turned;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    cm_svm_block_read(in + i * 64, m.row(i));
#pragma unroll
  for (int i = 0; i < 16; ++i)
    turned.column(i) = m.row(i);
#pragma unroll
  for (int i = 0; i < 16; ++i)
    cm_svm_block_write(out + i * 64, vector<int, 16>(turned.row(i)));
}

// Columns that change places inside their rows: each row is permuted by one instruction, and read once.
// CHECK-LABEL: define i32 @pocm_walk(
// CHECK-COUNT-8: shufflevector <16 x i8> %{{[0-9]+}}, <16 x i8> poison, <16 x i32> <i32 15, i32 14,
// CHECK-NOT: shufflevector
// CHECK: icmp
extern "C" _GENX_MAIN_ void mirrored(SurfaceIndex in [[type("image2d_t")]], SurfaceIndex out [[type("image2d_t")]]) {
  matrix<uchar, 8, 16> p, r;
  read(in, 0, 0, p);
#pragma unroll
  for (int i = 0; i < 16; ++i)
    r.column(i) = p.column(15 - i);
  write(out, 0, 0, r);
}

// RESULT: {{^ *}}0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240
// RESULT-NEXT: {{^ *}}1 17 33 49
extern "C" _GENX_MAIN_ void turned(SurfaceIndex out) {
  vector<int, 256> numbers;
  cmtl::cm_vector_assign<int, 256>(numbers, 0, 1);
  matrix<int, 16, 16> m = numbers, by;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      by(j, i) = m(i, j);
#pragma unroll
  for (int i = 0; i < 16; ++i)
    write(out, i * 64, vector<int, 16>(by.row(i)));
  // Columns from the last one on, words, and one that is written over afterwards.
  vector<ushort, 128> words = numbers.select<128, 2>(0);
  matrix<ushort, 16, 8> w = words, back = 0;
#pragma unroll
  for (int i = 7; i >= 0; --i)
    back.column(i) = w.column(7 - i) + i;
  back.column(3) = 7;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    write(out, 1024 + i * 16, vector<ushort, 8>(back.row(i)));
}
