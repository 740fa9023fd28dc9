// Elementary functions are the C library's on whole registers (codegen/cpu/VectorMath.cpp); what is no register is done
// lane by lane. Of some a function asks for lanes that would take long, and goes on to the library's where there are none.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o %t.s && FileCheck --check-prefixes=CHECK,WIDE %s < %t.s && FileCheck --check-prefix=ASKS %s -DNAME=exp2 -DCALL=_ZGVeN16v_exp2f < %t.s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o %t.s && FileCheck --check-prefixes=CHECK,MIDDLE %s < %t.s && FileCheck --check-prefix=ASKS %s -DNAME=pow -DCALL=_ZGVdN8vv_powf < %t.s
// RUN: cmc %s -S -march=cpu -mcpu=x86-64 -o %t.s && FileCheck --check-prefixes=CHECK,NARROW %s < %t.s && FileCheck --check-prefix=ASKS %s -DNAME=exp2 -DCALL=_ZGVbN4v_exp2f < %t.s
// REQUIRES: x86
#include <cm/cm.h>
// ASKS: pocm.[[NAME]].{{[0-9]+}}:
// ASKS: j{{n?e}}{{.*}}[[CALL]]
// ASKS: call{{.*}}[[CALL]]
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf) {
  vector<float, 16> x;
  read(buf, 0, x);
  // CHECK-LABEL: pocm_walk:
  // WIDE-COUNT-1: call{{.*}}pocm.exp2.16
  // MIDDLE-COUNT-2: call{{.*}}pocm.exp2.8
  // NARROW-COUNT-4: call{{.*}}pocm.exp2.4
  write(buf, 0, cm_exp(x));
  vector<half, 16> h;
  read(buf, 64, h);
  // WIDE-COUNT-1: call{{.*}}pocm.pow.16
  // MIDDLE-COUNT-2: call{{.*}}pocm.pow.8
  // NARROW-COUNT-4: call{{.*}}pocm.pow.4
  write(buf, 64, cm_pow(h, h));
  // WIDE-COUNT-1: call{{.*}}_ZGVeN16v_cosf
  // MIDDLE-COUNT-2: call{{.*}}_ZGVdN8v_cosf
  // NARROW-COUNT-4: call{{.*}}_ZGVbN4v_cosf
  write(buf, 128, cm_cos(x));
  // CHECK-NOT: _ZGV
  // CHECK: call{{.*}}sinf
  vector<float, 2> two;
  read(buf, 24, vector<uint, 2>(0, 1), two);
  write(buf, 24, vector<uint, 2>(0, 1), cm_sin(two));
}
