// A matrix whose rows are changed one after the other is changed in place: neither the elements that are read behind a
// write of others, nor a loop that makes up its next value row by row, take a copy of the whole.
// RUN: cmc -march=SKL -S %s -o - | FileCheck %s
// RUN: cmc -march=SKL -S -disable-pass=gen-versions %s -o - | FileCheck --check-prefix=WITHOUT %s
#include <cm/cm.h>

// CHECK-LABEL: .kernel "factors"
// CHECK-NOT: mov (M1, 16)
// CHECK: oword_st
// WITHOUT-LABEL: .kernel "factors"
// WITHOUT: mov (M1, 16) [[COPY:V[0-9]+]]_ud(0,0)<1> [[OLD:V[0-9]+]]_ud(0,0)<1;1,0>
// WITHOUT-NEXT: mov (M1, 16) [[COPY]]_ud(2,0)<1> [[OLD]]_ud(2,0)<1;1,0>
extern "C" _GENX_MAIN_ void factors(SurfaceIndex io, float by) {
  vector<float, 32> v;
  read(io, 0, v);
  vector<float, 8> first = v.select<8, 1>(0);
#pragma unroll
  for (int i = 1; i < 4; ++i) {
    float factor = v(i * 8) * by;
    v.select<8, 1>(i * 8) -= factor * first;
    v(i * 8) = factor;
  }
  write(io, 0, v);
}

// CHECK-LABEL: .kernel "sums"
// CHECK: BB_3:
// CHECK-NOT: mov (M1, 16)
// CHECK: jmp
// WITHOUT-LABEL: .kernel "sums"
// WITHOUT: BB_3:
// WITHOUT: mov (M1, 16)
// WITHOUT: jmp
extern "C" _GENX_MAIN_ void sums(SurfaceIndex in, SurfaceIndex out, int count) {
  matrix<int, 4, 16> m = 0;
  for (int i = 0; i < count; ++i) {
    matrix<int, 4, 16> next;
    vector<int, 16> x;
    read(in, i * 64, x);
#pragma unroll
    for (int row = 0; row < 4; ++row)
      next.row(row) = m.row(row) + x * row;
    m = next;
  }
#pragma unroll
  for (int row = 0; row < 4; ++row)
    write(out, row * 64, vector<int, 16>(m.row(row)));
}

// Nor is there one where a loop of constant trip count is followed by what it has made.
// CHECK-LABEL: .kernel "passes"
// CHECK: BB_1:
// CHECK-NOT: mov (M1, 16)
// CHECK: oword_st
extern "C" _GENX_MAIN_ void passes(SurfaceIndex io) {
  matrix<uint, 8, 32> m;
  vector<uint, 32> x;
  read(io, 0, x);
#pragma unroll
  for (int row = 0; row < 8; ++row)
    read(io, 128 + row * 128, m.select<1, 1, 32, 1>(row, 0));
  for (int k = 0; k < 9; ++k) {
#pragma unroll
    for (int row = 0; row < 8; ++row)
      m.row(row) += x;
  }
#pragma unroll
  for (int row = 0; row < 8; ++row)
    write(io, 128 + row * 128, m.select<1, 1, 32, 1>(row, 0));
}
