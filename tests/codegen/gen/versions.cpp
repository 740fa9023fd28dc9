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

// Nor where a row is changed by another one, both known at run time.
// CHECK-LABEL: .kernel "rows"
// CHECK: BB_1:
// CHECK-NOT: mov (M1, 16)
// CHECK: oword_st
extern "C" _GENX_MAIN_ void rows(SurfaceIndex io) {
  matrix<float, 8, 32> m;
#pragma unroll
  for (int row = 0; row < 8; ++row)
    read(io, row * 128, m.select<1, 1, 32, 1>(row, 0));
  for (int k = 0; k < 8; ++k)
    for (int j = k + 1; j < 8; ++j)
      m.row(j) -= m.row(k) * m(k, k);
#pragma unroll
  for (int row = 0; row < 8; ++row)
    write(io, row * 128, m.select<1, 1, 32, 1>(row, 0));
}

// Rows of 96 bytes may lie across one another as far as their offsets tell: what changes one is read before.
// CHECK-LABEL: .kernel "odd_rows"
// CHECK: BB_1:
// CHECK: mov (M1, 8) {{V[0-9]+}}(0,0)<1> (-)r[
// CHECK-NOT: mov (M1, 16) {{V[0-9]+}}_ud(
// CHECK: oword_st
extern "C" _GENX_MAIN_ void odd_rows(SurfaceIndex io) {
  matrix<float, 8, 24> m;
  auto all = m.format<float>();
#pragma unroll
  for (int i = 0; i < 192; i += 32)
    read(io, i * 4, all.select<32, 1>(i));
  for (int k = 0; k < 8; ++k)
    for (int j = k + 1; j < 8; ++j)
      m.row(j) -= m.row(k) * m(k, k);
#pragma unroll
  for (int i = 0; i < 192; i += 32)
    write(io, i * 4, all.select<32, 1>(i));
}
