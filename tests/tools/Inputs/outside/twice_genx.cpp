#include <cm/cm.h>

extern "C" _GENX_MAIN_ void twice(SurfaceIndex data) {
  vector<int, 8> v;
  read(data, get_thread_origin_x() * 32, v);
  write(data, get_thread_origin_x() * 32, v * 2);
}
