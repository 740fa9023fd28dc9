// Many systolic products share functions, by pairs and squares of matrices: they are what they are in place.
// RUN: python3 -c "import random; random.seed(7); open('%t.in', 'wb').write(random.randbytes(8192))"
// RUN: for cpu in haswell skylake-avx512 native; do cmrun %s products --threads 1x1 --cpu $cpu --arg buffer:in=%t.in --arg buffer:zero=32768,out=%t.$cpu || exit 1; done
// RUN: cmrun %s products --threads 1x1 --device check --arg buffer:in=%t.in --arg buffer:zero=32768,out=%t.check
// RUN: for cpu in haswell skylake-avx512 native; do cmp %t.check %t.$cpu || exit 1; done
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck --check-prefix=HALF %s
// RUN: cmc %s -S -march=cpu -mcpu=cooperlake -o - | FileCheck --check-prefix=TWOS %s
// RUN: cmc %s -S -march=cpu -mcpu=x86-64 -DONE -o - | FileCheck --check-prefix=NONE %s
#include <cm/cm.h>

// Sums of columns of half a register go in pairs of rows, of a whole one by elements from memory.
// CHECK-LABEL: pocm.systolic.f16.8x8.2x2:
// CHECK-COUNT-256: vfmadd{{.*}}zmm
// CHECK: retq
// CHECK-LABEL: pocm.systolic.f16.8x8.2x1:
// CHECK-COUNT-128: vfmadd{{.*}}zmm
// CHECK: retq
// CHECK-LABEL: pocm.systolic.f16.8x8.1x1:
// CHECK: vmovsldup
// CHECK-COUNT-64: vfmadd{{.*}}zmm
// CHECK: retq
// HALF-LABEL: pocm.systolic.f16.8x8.1x1:
// HALF-COUNT-128: vfmadd{{.*}}ymm
// HALF: retq
// HALF-NOT: pocm.systolic.f16.8x8.2x2
// HALF: callq pocm.systolic.f16.8x16.1x1
// Products of two bfloat16 are added at a time where the CPU does.
// TWOS-LABEL: pocm.systolic.bf16.8x8.2x2:
// TWOS-COUNT-128: vdpbf16ps{{.*}}zmm
// TWOS-NOT: vdpbf16ps
// TWOS: retq
// NONE-NOT: pocm.systolic

template <typename T, int N> void store(SurfaceIndex out, unsigned &at, vector<T, N> sums) {
#pragma unroll
  for (int i = 0; i < N; i += 8)
    write(out, at + i * 4, vector<T, 8>(sums.template select<8, 1>(i)));
  at += N * 4;
}

/// Products by two matrices A and two B of `Lanes` columns: of a square, of pairs, alone, and of parts of a matrix that
/// are scaled in between.
template <CmPrecisionType P, int Rows, int Lanes>
void products(SurfaceIndex in, SurfaceIndex out, unsigned &at, unsigned from) {
  vector<int, Rows * 8> a[2];
  vector<int, 8 * Lanes> b[2];
#pragma unroll
  for (int m = 0; m < 2; ++m) {
    vector<int, 64> some;
#pragma unroll
    for (int i = 0; i < 64; i += 32) {
      vector<int, 32> part;
      read(DWALIGNED(in), from + m * 256 + i * 4, part);
      some.select<32, 1>(i) = part;
    }
    some = (some & 0xbfffbfff) | (P == CM_PRECISION_BF ? 0x20002000 : 0); // no NaNs, products of normal floats
    a[m] = some.select<Rows * 8, 1>(0);
#pragma unroll
    for (int i = 0; i < 8 * Lanes; i += 32) {
      vector<int, 32> more;
      read(DWALIGNED(in), from + 1024 + m * 512 + i * 4, more);
      b[m].template select<32, 1>(i) = (more & 0xbfffbfff) | (P == CM_PRECISION_BF ? 0x20002000 : 0);
    }
  }
  using Sums = vector<float, Rows * Lanes>;
  Sums s[4];
#pragma unroll
  for (int n = 0; n < 4; ++n)
    s[n] = n * 0.25f;
#pragma unroll
  for (int n = 0; n < 4; ++n) // a square
    s[n] = cm_dpas<P, P, 8, Rows, float>(s[n], b[n % 2], a[n / 2]);
  Sums more = cm_dpas<P, P, 8, Rows, float>(s[0], b[1], a[0]); // the same B
  Sums last = cm_dpas<P, P, 8, Rows, float>(s[1], b[1], a[1]);
  last = cm_dpas<P, P, 8, Rows, float>(last, b[0], a[0]); // alone: it waits for the one before
  matrix<float, 2, Rows * Lanes> parts;
  parts.row(0) = more - last;
  parts.row(1) = last + s[2];
#pragma unroll
  for (int n = 0; n < 2; ++n) { // the same A
    parts.row(n).template select<Lanes, 1>(0) *= s[3](n);
    parts.row(n) = cm_dpas<P, P, 8, Rows, float>(parts.row(n), b[n], a[1]);
  }
  store<float, Rows * Lanes>(out, at, more);
  store<float, Rows * Lanes>(out, at, last);
  store<float, Rows * Lanes>(out, at, s[3]);
  store<float, Rows * Lanes>(out, at, parts.row(0));
  store<float, Rows * Lanes>(out, at, parts.row(1));
}

/// Enough of them.
template <CmPrecisionType P, int Rows, int Lanes>
void several(SurfaceIndex in, SurfaceIndex out, unsigned &at, unsigned from) {
#pragma unroll
  for (int round = 0; round < 3; ++round)
    products<P, Rows, Lanes>(in, out, at, from + round * 128);
}

extern "C" _GENX_MAIN_ void products(SurfaceIndex in, SurfaceIndex out) {
  unsigned at = 0;
  several<CM_PRECISION_HF, 8, 8>(in, out, at, 0);
#ifndef ONE
  several<CM_PRECISION_BF, 8, 8>(in, out, at, 512);
  several<CM_PRECISION_HF, 8, 16>(in, out, at, 1024);
  several<CM_PRECISION_BF, 4, 16>(in, out, at, 1536);
  several<CM_PRECISION_HF, 4, 8>(in, out, at, 2048);
  several<CM_PRECISION_HF, 7, 8>(in, out, at, 2560);
  several<CM_PRECISION_BF, 1, 8>(in, out, at, 3072);
#endif
}
