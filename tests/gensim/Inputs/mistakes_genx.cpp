// Two threads write the same dword of a buffer, and one of them writes beyond its end.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void mistakes(SurfaceIndex out) {
  vector<int, 4> v = 7;
  write(out, 0, v);
  vector<uint, 8> offsets = {0, 1, 2, 3, 4, 5, 6, 7};
  vector<int, 8> values = get_thread_origin_x();
  write(out, get_thread_origin_x() * 12, offsets, values);
}
