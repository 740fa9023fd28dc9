// Systolic products of integers of 4 bits, with others and with bytes, are products of bytes where the CPU adds four.
// RUN: cmc %s -S -march=cpu -mcpu=icelake-server -o - | FileCheck %s
// RUN: python3 -c "import random; random.seed(3); open('%t.in', 'wb').write(random.randbytes(2048))"
// RUN: for cpu in x86-64 haswell %if avx_vnni %{alderlake%} native; do cmrun %s products --threads 1x1 --cpu $cpu --arg buffer:in=%t.in --arg buffer:zero=8192,out=%t.$cpu || exit 1; done
// RUN: cmrun %s products --threads 1x1 --device check --arg buffer:in=%t.in --arg buffer:zero=8192,out=%t.check
// RUN: for cpu in x86-64 haswell %if avx_vnni %{alderlake%} native; do cmp %t.check %t.$cpu || exit 1; done
#include <cm/cm.h>

/// Rows of eight sums of K products; two products by one A.
template <CmPrecisionType OfB, CmPrecisionType OfA, int Rows, int DwordsOfA, int DwordsOfB>
_GENX_ inline void multiply(SurfaceIndex in, SurfaceIndex out, unsigned &at) {
  vector<int, 64> a, b[2];
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    read(in, part * 128, a.select<32, 1>(part * 32));
    read(in, 256 + part * 128, b[0].select<32, 1>(part * 32));
    read(in, 512 + part * 128, b[1].select<32, 1>(part * 32));
  }
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    vector<int, Rows * 8> sums = n - 1;
    sums = cm_dpas<OfB, OfA, 8, Rows, int>(sums, b[n].template select<DwordsOfB, 1>(0),
                                           a.template select<Rows * DwordsOfA, 1>(0));
#pragma unroll
    for (int i = 0; i < Rows * 8; i += 8)
      write(out, at + i * 4, vector<int, 8>(sums.template select<8, 1>(i)));
    at += Rows * 32;
  }
}

#define PRODUCT(name, OfB, OfA, Rows, DwordsOfA, DwordsOfB)                                                            \
  extern "C" _GENX_MAIN_ void name(SurfaceIndex in, SurfaceIndex out) {                                                \
    unsigned at = 0;                                                                                                   \
    multiply<CM_PRECISION_##OfB, CM_PRECISION_##OfA, Rows, DwordsOfA, DwordsOfB>(in, out, at);                         \
  }
// Elements of different signs: 2 of 8 rows of 16 dwords, or of 8.
// CHECK-LABEL: # kernel mixed
// CHECK-COUNT-256: vpdpbusd
// CHECK-NOT: vpdpbusd
// CHECK-LABEL: # kernel bytes_by
// CHECK-COUNT-128: vpdpbusd
// CHECK-NOT: vpdpbusd
// CHECK-LABEL: # kernel by_bytes
// CHECK-COUNT-64: vpdpbusd
// CHECK-NOT: vpdpbusd
// CHECK-LABEL: # kernel products
PRODUCT(mixed, U4, S4, 8, 8, 64)
PRODUCT(bytes_by, U4, S8, 8, 8, 32)
PRODUCT(by_bytes, S8, U4, 4, 4, 64)

extern "C" _GENX_MAIN_ void products(SurfaceIndex in, SurfaceIndex out) {
  unsigned at = 0;
  multiply<CM_PRECISION_S4, CM_PRECISION_S4, 8, 8, 64>(in, out, at);
  multiply<CM_PRECISION_U4, CM_PRECISION_U4, 8, 8, 64>(in, out, at);
  multiply<CM_PRECISION_S4, CM_PRECISION_U4, 3, 8, 64>(in, out, at);
  multiply<CM_PRECISION_U4, CM_PRECISION_S4, 1, 8, 64>(in, out, at);
  multiply<CM_PRECISION_S4, CM_PRECISION_S8, 8, 8, 32>(in, out, at);
  multiply<CM_PRECISION_U4, CM_PRECISION_S8, 8, 8, 32>(in, out, at);
  multiply<CM_PRECISION_U4, CM_PRECISION_U8, 5, 8, 32>(in, out, at);
  multiply<CM_PRECISION_S8, CM_PRECISION_S4, 8, 4, 64>(in, out, at);
  multiply<CM_PRECISION_S8, CM_PRECISION_U4, 8, 4, 64>(in, out, at);
  multiply<CM_PRECISION_U8, CM_PRECISION_U4, 2, 4, 64>(in, out, at);
}
