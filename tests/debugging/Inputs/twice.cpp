// A kernel to stop in.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void twice(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x();
  vector<int, 16> v;
  read(in, x * 64, v);
  v += v;
  write(out, x * 64, v);
}
