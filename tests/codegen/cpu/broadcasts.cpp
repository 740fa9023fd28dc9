// Elements of a computed vector that fill registers come from memory, in the instruction that multiplies by them.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: head -c 64 %s > %t.in && for cpu in x86-64 haswell native; do cmrun %s product --threads 1x1 --cpu $cpu --arg buffer:in=%t.in --arg buffer:zero=64,out=%t.$cpu || exit 1; done
// RUN: cmp %t.x86-64 %t.haswell && cmp %t.x86-64 %t.native
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -print-changed -o %t.s 2>&1 | FileCheck --check-prefix=CHANGED %s
// CHANGED: ; after cpu-broadcasts
#include <cm/cm.h>

// CHECK-LABEL: # kernel product
// CHECK-NOT: vpermd
// CHECK-COUNT-6: vpmulld {{.*}}{1to16}
extern "C" _GENX_MAIN_ void product(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> w;
  read(in, 0, w);
  vector<int, 8> v = w.select<8, 1>(0) * w.select<8, 1>(8) + vector<int, 8>(w.select<8, 1>(4) >> 3);
  vector<int, 16> sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++)
    sum += v(k) * (w ^ k);
  write(out, 0, sum);
}
