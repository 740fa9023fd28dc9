// Elementary functions are the C library's on whole registers (codegen/cpu/VectorMath.cpp); what is no register is done
// lane by lane.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck --check-prefixes=CHECK,WIDE %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck --check-prefixes=CHECK,MIDDLE %s
// RUN: cmc %s -S -march=cpu -mcpu=x86-64 -o - | FileCheck --check-prefixes=CHECK,NARROW %s
// REQUIRES: x86
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf) {
  vector<float, 16> x;
  read(buf, 0, x);
  // WIDE-COUNT-1: call{{.*}}_ZGVeN16v_exp2f
  // MIDDLE-COUNT-2: call{{.*}}_ZGVdN8v_exp2f
  // NARROW-COUNT-4: call{{.*}}_ZGVbN4v_exp2f
  write(buf, 0, cm_exp(x));
  vector<half, 16> h;
  read(buf, 64, h);
  // WIDE-COUNT-1: call{{.*}}_ZGVeN16vv_powf
  // MIDDLE-COUNT-2: call{{.*}}_ZGVdN8vv_powf
  // NARROW-COUNT-4: call{{.*}}_ZGVbN4vv_powf
  write(buf, 64, cm_pow(h, h));
  // CHECK-NOT: _ZGV
  // CHECK: call{{.*}}sinf
  vector<float, 2> two;
  read(buf, 24, vector<uint, 2>(0, 1), two);
  write(buf, 24, vector<uint, 2>(0, 1), cm_sin(two));
}
