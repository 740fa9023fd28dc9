// Systolic products of integers are products of words that are added in pairs: 128 for 8 rows of 32 elements.
// RUN: cmc %s -S -march=cpu -mcpu=icelake-server -o - | FileCheck --check-prefix=VNNI %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck --check-prefix=PAIRS %s
// RUN: head -c 256 /dev/zero | tr '\000' '\200' > %t.a && head -c 256 /dev/zero | tr '\000' '\377' > %t.b
// RUN: for cpu in x86-64 haswell native; do cmrun %s product --threads 1x1 --cpu $cpu --arg buffer:in=%t.a --arg buffer:in=%t.b --arg buffer:zero=256,out=%t && od -An -td4 -v -w16 %t || exit 1; done | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>

// 32 products of -128 and 255.
// RESULT-COUNT-48: {{^ *}}-1044480 -1044480 -1044480 -1044480
// VNNI-LABEL: # kernel product
// VNNI-NOT: vpmulld
// VNNI-COUNT-128: {{vpdpwssd|vpmaddwd}}
// VNNI-NOT: vpmulld
// PAIRS-LABEL: # kernel product
// PAIRS-NOT: vpmulld
// PAIRS-COUNT-128: vpmaddwd
// PAIRS-NOT: vpmulld
extern "C" _GENX_MAIN_ void product(SurfaceIndex left, SurfaceIndex right, SurfaceIndex out) {
  vector<int, 64> a, b, c = 0;
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    read(left, part * 128, a.select<32, 1>(part * 32));
    read(right, part * 128, b.select<32, 1>(part * 32));
  }
  vector<int, 64> sums = cm_dpas<CM_PRECISION_U8, CM_PRECISION_S8, 8, 8>(c, b, a);
  write(out, 0, sums.select<32, 1>(0));
  write(out, 128, sums.select<32, 1>(32));
}
