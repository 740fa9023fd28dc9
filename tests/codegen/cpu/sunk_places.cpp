// Bytes that choose elements are loaded where they choose: 64 of them would not stay in registers.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: head -c 256 /dev/urandom > %t.in
// RUN: for cpu in x86-64 haswell native; do cmrun %s histogram --threads 1x1 --cpu $cpu --arg buffer:in=%t.in --arg buffer:zero=1024,out=%t.$cpu || exit 1; done
// RUN: cmrun %s histogram --threads 1x1 --device check --arg buffer:in=%t.in --arg buffer:zero=1024,out=%t.check
// RUN: for cpu in x86-64 haswell native; do cmp %t.check %t.$cpu || exit 1; done
#include <cm/cm.h>

// CHECK: movzbl 40([[P:%[a-z0-9]+]]), %[[R:[a-z]+]]
// CHECK-NEXT: incl {{[0-9]+}}(%rsp,%r{{.*}},4)
// CHECK-NEXT: movzbl 41([[P]]), %
// CHECK-NEXT: incl {{[0-9]+}}(%rsp,%r{{.*}},4)
extern "C" _GENX_MAIN_ void histogram(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 256> h = 0;
  for (int b = 0; b < 4; b++) {
    vector<uchar, 64> p;
    read(in, b * 64, p);
    for (int i = 0; i < 64; i++)
      h(p(i)) += 1;
  }
  for (int i = 0; i < 8; i++)
    write(out, i * 128, h.select<32, 1>(i * 32));
}
