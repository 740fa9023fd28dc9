#include <cm/cm.h>

extern "C" _GENX_MAIN_ void place(SurfaceIndex out) {
  vector<ushort, 2> v;
  v(0) = get_thread_origin_x();
  v(1) = get_thread_origin_y();
  write(out, get_thread_origin_x() * 4, get_thread_origin_y(), v);
}
