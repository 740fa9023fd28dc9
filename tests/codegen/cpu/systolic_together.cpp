// Products that take the same rows are added together if all their sums stay in registers, four products of 8 rows with
// AVX-512; of more, as many as half of the registers have room for.
// RUN: cmc %s -S -march=cpu -mcpu=icelake-server -D PRODUCTS=5 -D ROWS=8 -D LANES=16 -stop-after=cpu-dpas -o - | FileCheck --check-prefix=WIDE %s
// RUN: cmc %s -S -march=cpu -mcpu=icelake-server -D PRODUCTS=4 -D ROWS=8 -D LANES=16 -stop-after=cpu-dpas -o - | FileCheck --check-prefix=ALL %s
// RUN: cmc %s -S -march=cpu -mcpu=alderlake -D PRODUCTS=5 -D ROWS=4 -D LANES=8 -stop-after=cpu-dpas -o - | FileCheck --check-prefix=NARROW %s
// RUN: cmc %s -S -march=cpu -mcpu=alderlake -D PRODUCTS=5 -D ROWS=8 -D LANES=16 -stop-after=cpu-dpas -o - | FileCheck --check-prefix=SINGLY %s
// RUN: head -c 8192 /dev/urandom > %t.a && head -c 8192 /dev/urandom > %t.b
// RUN: for cpu in haswell native; do cmrun %s products -D PRODUCTS=5 -D ROWS=8 -D LANES=16 --threads 1x1 --cpu $cpu --arg buffer:in=%t.a --arg buffer:in=%t.b --arg buffer:zero=2560,out=%t.$cpu || exit 1; done
// RUN: cmp %t.haswell %t.native
#include <cm/cm.h>

// ALL-LABEL: define internal void @products.thread(
// ALL-COUNT-256: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(
// ALL-NOT: vpdpbusd
// ALL: wrregion{{.*}}<128 x i32> {{.*}}, <16 x i32>
// ALL-NOT: vpdpbusd
// ALL: {{^}}}

// WIDE-LABEL: define internal void @products.thread(
// WIDE-COUNT-128: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(
// WIDE-NOT: vpdpbusd
// WIDE: wrregion{{.*}}<128 x i32> {{.*}}, <16 x i32>
// WIDE-COUNT-128: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(
// WIDE-NOT: vpdpbusd
// WIDE: wrregion{{.*}}<128 x i32> {{.*}}, <16 x i32>
// WIDE-COUNT-64: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(
// WIDE-NOT: vpdpbusd
// WIDE: wrregion{{.*}}<128 x i32> {{.*}}, <16 x i32>
// WIDE-NOT: vpdpbusd
// WIDE: {{^}}}

// NARROW-LABEL: define internal void @products.thread(
// NARROW-COUNT-64: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(
// NARROW-NOT: vpdpbusd
// NARROW: wrregion{{.*}}<32 x i32> {{.*}}, <8 x i32>
// NARROW-COUNT-64: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(
// NARROW-NOT: vpdpbusd
// NARROW: wrregion{{.*}}<32 x i32> {{.*}}, <8 x i32>
// NARROW-COUNT-32: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(
// NARROW-NOT: vpdpbusd
// NARROW: wrregion{{.*}}<32 x i32> {{.*}}, <8 x i32>
// NARROW-NOT: vpdpbusd
// NARROW: {{^}}}

// More than fits is one product at a time.
// SINGLY-LABEL: define internal void @products.thread(
// SINGLY-COUNT-128: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(
// SINGLY-NOT: vpdpbusd
// SINGLY: wrregion{{.*}}<128 x i32> {{.*}}, <16 x i32>
// SINGLY-COUNT-128: call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(
// SINGLY-NOT: vpdpbusd
// SINGLY: wrregion{{.*}}<128 x i32> {{.*}}, <16 x i32>
extern "C" _GENX_MAIN_ void products(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  const int Sums = ROWS * LANES;
  vector<int, ROWS * 8> a;
  matrix<int, PRODUCTS, 8 * LANES> b;
  matrix<int, PRODUCTS, Sums> c = 0;
#pragma unroll
  for (int i = 0; i < ROWS * 8; i += 32)
    read(left, i * 4, a.select<32, 1>(i));
#pragma unroll
  for (int p = 0; p < PRODUCTS; p++)
#pragma unroll
    for (int i = 0; i < 8 * LANES; i += 32)
      read(right, (p * 8 * LANES + i) * 4, b.row(p).select<32, 1>(i));
#pragma unroll
  for (int p = 0; p < PRODUCTS; p++)
    c.row(p) = cm_dpas<CM_PRECISION_U8, CM_PRECISION_S8, 8, ROWS>(vector<int, Sums>(c.row(p)), vector<int, 8 * LANES>(b.row(p)), a);
#pragma unroll
  for (int p = 0; p < PRODUCTS; p++)
#pragma unroll
    for (int i = 0; i < Sums; i += 32)
      write(out, (p * Sums + i) * 4, c.row(p).select<32, 1>(i));
}
