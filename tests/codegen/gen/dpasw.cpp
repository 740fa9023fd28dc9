// Two threads that share a source of a systolic product: each gives half of it, the execution units of a pair put the
// halves together. The cpu device's threads exchange them.
// RUN: cmc -march=DG2 -S %s -o - | FileCheck %s
// RUN: cmc -march=DG2 -mdump_asm %s -o %t.isa
// RUN: not cmc -march=PVC %s -o %t.isa 2>&1 | FileCheck --check-prefix=PVC %s
#include <cm/cm.h>

// CHECK: dpasw.bf.bf.8.8 (M1, 8) V{{[0-9]+}}.0 V{{[0-9]+}}.0 V{{[0-9]+}}{{.*}}.0 V{{[0-9]+}}{{.*}}(0,0)
// PVC: cm_dpasw needs CM_HAS_DPASW, which target PVC does not have
extern "C" _GENX_MAIN_ void product(SurfaceIndex in, SurfaceIndex out) {
  vector<float, 64> c;
  vector<uint, 64> b;
  vector<uint, 32> half_of_a;
  read(in, 0, c.select<32, 1>(0));
  read(in, 128, c.select<32, 1>(32));
  read(in, 256, b.select<32, 1>(0));
  read(in, 384, b.select<32, 1>(32));
  read(in, 512, half_of_a);
  c = cm_dpasw<CM_PRECISION_BF, CM_PRECISION_BF, 8, 8>(c, b, half_of_a);
  write(out, 0, c.select<32, 1>(0));
  write(out, 128, c.select<32, 1>(32));
}
