// Kernels for thread groups.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void reverse(SurfaceIndex out) {
  cm_slm_init(64);
  vector<uint, 1> me = cm_local_id(0), value = cm_group_id(0) * 100 + cm_local_id(0);
  cm_slm_write(0, me, value);
  cm_barrier();
  cm_slm_read(0, 7 - me, value);
  write(out, cm_linear_global_id(), value(0));
}

extern "C" _GENX_MAIN_ void stuck() {
  if (cm_linear_local_id() == 5)
    cm_barrier();
}

extern "C" _GENX_MAIN_ void sampled(SurfaceIndex in, SamplerIndex how, SurfaceIndex out) {
  matrix<float, 1, 16> m;
  sample16(m, CM_R_ENABLE, in, how, vector<float, 16>(0.5f), vector<float, 16>(2.5f));
  write(out, 0, m);
}
