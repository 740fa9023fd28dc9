// Systolic products of bytes add four products at a time where the CPU does, words of a dword in pairs elsewhere: 64 or 128
// operations for 8 rows of 32 elements. Signs that the CPU's instruction does not take cost one more for each row,
// whatever the number of columns.
// RUN: cmc %s -S -march=cpu -mcpu=icelake-server -o - | FileCheck --check-prefix=VNNI %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck --check-prefix=PAIRS %s
// RUN: cmc %s -S -march=cpu -mcpu=cooperlake -o - | FileCheck --check-prefix=TWOS %s
// RUN: head -c 256 /dev/zero | tr '\000' '\200' > %t.a && head -c 256 /dev/zero | tr '\000' '\377' > %t.b
// RUN: for cpu in x86-64 haswell native; do for k in product product_ss product_us product_uu; do cmrun %s $k --threads 1x1 --cpu $cpu --arg buffer:in=%t.a --arg buffer:in=%t.b --arg buffer:zero=256,out=%t && od -An -td4 -v -w16 %t || exit 1; done; done | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>

// 32 products of -128 and 255, of -128 and -1, of 128 and -1, of 128 and 255.
// RESULT-COUNT-16: {{^ *}}-1044480 -1044480 -1044480 -1044480
// RESULT-COUNT-16: {{^ *}}4096 4096 4096 4096
// RESULT-COUNT-16: {{^ *}}-4096 -4096 -4096 -4096
// RESULT-COUNT-16: {{^ *}}1044480 1044480 1044480 1044480
// RESULT-COUNT-16: {{^ *}}-1044480 -1044480 -1044480 -1044480
// RESULT-COUNT-16: {{^ *}}4096 4096 4096 4096
// RESULT-COUNT-16: {{^ *}}-4096 -4096 -4096 -4096
// RESULT-COUNT-16: {{^ *}}1044480 1044480 1044480 1044480
// RESULT-COUNT-16: {{^ *}}-1044480 -1044480 -1044480 -1044480
// RESULT-COUNT-16: {{^ *}}4096 4096 4096 4096
// RESULT-COUNT-16: {{^ *}}-4096 -4096 -4096 -4096
// RESULT-COUNT-16: {{^ *}}1044480 1044480 1044480 1044480
template <CmPrecisionType OfB, CmPrecisionType OfA>
_GENX_ inline void multiply(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  vector<int, 64> a, b, c = 0;
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    read(left, part * 128, a.select<32, 1>(part * 32));
    read(right, part * 128, b.select<32, 1>(part * 32));
  }
  vector<int, 64> sums = cm_dpas<OfB, OfA, 8, 8>(c, b, a);
  write(out, 0, sums.select<32, 1>(0));
  write(out, 128, sums.select<32, 1>(32));
}

// VNNI-LABEL: # kernel product
// VNNI-COUNT-64: vpdpbusd
// VNNI-NOT: vpdpbusd
// PAIRS-LABEL: # kernel product
// PAIRS-NOT: vpmulld
// PAIRS-COUNT-128: vpmaddwd
// PAIRS-NOT: vpmulld
extern "C" _GENX_MAIN_ void product(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  multiply<CM_PRECISION_U8, CM_PRECISION_S8>(left, right, out);
}
// VNNI-LABEL: # kernel product_ss
// VNNI-COUNT-72: vpdpbusd
// VNNI-NOT: vpdpbusd
extern "C" _GENX_MAIN_ void product_ss(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  multiply<CM_PRECISION_S8, CM_PRECISION_S8>(left, right, out);
}
// VNNI-LABEL: # kernel product_us
// VNNI-COUNT-64: vpdpbusd
// VNNI-NOT: vpdpbusd
extern "C" _GENX_MAIN_ void product_us(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  multiply<CM_PRECISION_S8, CM_PRECISION_U8>(left, right, out);
}
// VNNI-LABEL: # kernel product_uu
// VNNI-COUNT-72: vpdpbusd
// VNNI-NOT: vpdpbusd
extern "C" _GENX_MAIN_ void product_uu(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  multiply<CM_PRECISION_U8, CM_PRECISION_U8>(left, right, out);
}

// Those of two bfloat16 are added at a time where the CPU does, and where denormal floats count as 0.
// TWOS-LABEL: # kernel product_bf
// TWOS-COUNT-64: vdpbf16ps
// TWOS-NOT: vdpbf16ps
// TWOS-LABEL: # kernel product_bf_kept
// TWOS-NOT: vdpbf16ps
// TWOS-COUNT-128: vfmadd
_GENX_ inline void multiply_bf(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  vector<int, 64> a;
  vector<int, 128> b;
#pragma unroll
  for (int i = 0; i < 64; i += 32)
    read(left, i * 4, a.select<32, 1>(i));
#pragma unroll
  for (int i = 0; i < 128; i += 32)
    read(right, i * 4, b.select<32, 1>(i));
  vector<float, 128> c = 0, sums = cm_dpas<CM_PRECISION_BF, CM_PRECISION_BF, 8, 8>(c, b, a);
#pragma unroll
  for (int i = 0; i < 128; i += 32)
    write(out, i * 4, sums.select<32, 1>(i));
}
extern "C" _GENX_MAIN_ void product_bf(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  multiply_bf(left, right, out);
}
extern "C" _GENX_MAIN_ _GENX_FLOAT_CONTROL_(CM_DENORM_F_ALLOW) void product_bf_kept(SurfaceIndex left, SurfaceIndex right,
                                                                                   SurfaceIndex out) {
  multiply_bf(left, right, out);
}
