// Kernels with mistakes, for check.test.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void past(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x();
  vector<int, 16> v;
  read(in, x * 64, v);
  write(out, x * 64, v);
}

extern "C" _GENX_MAIN_ void race(SurfaceIndex out) {
  vector<int, 16> v = get_thread_origin_x();
  write(out, get_thread_origin_x() * 32, v);
}

extern "C" _GENX_MAIN_ void both(SurfaceIndex out, int n) {
  vector<int, 16> v = 0;
  v[n] = 1;
  write(out, n, v);
}

_GENX_MAIN_ void stuck(SurfaceIndex out) {
  cm_slm_init(64);
  if (cm_local_id(0) < 3)
    cm_barrier();
}
