// Results that depend on the order of threads, and that do not.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void own(SurfaceIndex out) {
  vector<int, 4> v = get_thread_origin_x();
  write(out, get_thread_origin_x() * 16, v);
}

extern "C" _GENX_MAIN_ void last(SurfaceIndex out) {
  vector<int, 4> v = 0;
  v[0] = get_thread_origin_x();
  write(out, 0, v);
}
