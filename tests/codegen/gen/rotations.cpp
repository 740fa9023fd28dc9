// Rotations of dwords are one instruction where there is one, unless the finalizer might move a narrower operand into it.
// RUN: cmc -march=TGLLP -S %s -o - | FileCheck %s
// RUN: cmc -march=SKL -S %s -o - | FileCheck --check-prefix=SKL %s
// RUN: cmc -march=TGLLP -S -emit-llvm -stop-after=gen-finish %s -o - | FileCheck --check-prefix=IR %s
#include <cm/cm.h>

// CHECK-LABEL: .kernel "turned"
// CHECK: rol (M1, 16) V{{[0-9]+}}_ud(0,0)<1> V{{[0-9]+}}_ud(0,0)<1;1,0> 7:ud
// CHECK: rol (M1, 16) V{{[0-9]+}}_ud(0,0)<1> V{{[0-9]+}}_ud(0,0)<1;1,0> 19:ud
// CHECK-NOT: shl
// SKL-LABEL: .kernel "turned"
// SKL-NOT: rol
// SKL: shl
// IR-LABEL: @turned(
// IR: call <16 x i32> @cm.rol.v16i32(<16 x i32> {{.*}}, <16 x i32> splat (i32 7))
extern "C" _GENX_MAIN_ void turned(SurfaceIndex io) {
  vector<uint, 16> v;
  read(io, 0, v);
  v = (v << 7) | (v >> 25);
  v += 3;
  v = (v >> 13) | (v << 19);
  write(io, 0, v);
}

// CHECK-LABEL: .kernel "widened"
// CHECK-NOT: rol
// CHECK: shl
// SKL-LABEL: .kernel "widened"
extern "C" _GENX_MAIN_ void widened(SurfaceIndex io) {
  vector<ushort, 16> narrow;
  read(io, 0, narrow);
  vector<uint, 16> v = narrow;
  v = (v << 7) | (v >> 25);
  write(io, 0, v);
}
