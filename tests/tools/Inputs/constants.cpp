#include <cm/cm.h>

extern "C" _GENX_MAIN_ void constants(SurfaceIndex out) {
  vector<int, 4> v;
  v(0) = cm_spec_constant<int, 1, 5>();
  v(1) = cm_spec_constant<int, 2>();
  float f = cm_spec_constant<float, 3>();
  v(2) = f != 0 ? int(f * 10) : -1;
  v(3) = cm_spec_constant<unsigned short, 4, 2>();
  write(out, 0, v);
}
