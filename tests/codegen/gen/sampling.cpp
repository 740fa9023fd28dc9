// Texel offsets are an operand of the message, as a number or from a register; a value to compare with comes before the
// coordinates; 32 places take two messages.
// RUN: cmc -march=TGLLP -S %s -o - | FileCheck %s
// RUN: for target in SKL ICLLP TGLLP; do cmc -march=$target %s -o %t.isa || exit 1; done
#include <cm/cm.h>

// CHECK: sample_lz.R (M1, 16) 0x1e0:uw S7 T6 [[TO:V[0-9]+]].0 [[U:V[0-9]+]].0 [[V:V[0-9]+]].0
// CHECK: sample_lz.R (M1, 16) V{{[0-9]+}}_uw(0,1)<0;1,0> S7 T6 V{{[0-9]+}}.0 [[U]].0 [[V]].0
// CHECK: sample_c_lz.R (M1, 16) 0x0:uw S7 T6 V{{[0-9]+}}.0 [[REFERENCE:V[0-9]+]].0 [[U]].0 [[V]].0
// CHECK-COUNT-2: sample_lz.R (M1, 16) 0x0:uw
// CHECK-NOT: sample
extern "C" _GENX_MAIN_ void sampled(SurfaceIndex in, SamplerIndex s, SurfaceIndex out, vector<float, 16> u,
                                    vector<float, 16> v, ushort offsets) {
  vector<float, 16> r;
  cm_3d_sample<CM_3D_SAMPLE_LZ, CM_R_ENABLE>(r, 0x1E0, s, in, u, v);
  write(out, 0, r);
  cm_3d_sample<CM_3D_SAMPLE_LZ, CM_R_ENABLE>(r, offsets, s, in, u, v);
  write(out, 64, r);
  cm_3d_sample<CM_3D_SAMPLE_C, CM_R_ENABLE>(r, 0, s, in, 0.5f, u, v);
  write(out, 128, r);
  matrix<ushort, 1, 32> grid;
  sample32(grid, CM_R_ENABLE, in, s, 0.125f, 0.125f, 0.25f, 0.25f);
  write(out, 192, grid.format<uint>());
}
