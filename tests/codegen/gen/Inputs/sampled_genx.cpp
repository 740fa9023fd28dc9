#include <cm/cm.h>
extern "C" _GENX_MAIN_ void sampled(SurfaceIndex in, SamplerIndex near, SamplerIndex far, SurfaceIndex out, float x) {
  matrix<float, 4, 16> a, b;
  vector<float, 16> u = x, v = x;
  sample16(a, CM_ABGR_ENABLE, in, near, u, v);
  sample16(b, CM_ABGR_ENABLE, in, far, u, v);
  a += b;
  write(out, 0, a.row(0).format<uint>());
}
