// A launch of a few seconds.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void slow(SurfaceIndex out, int rounds) {
  vector<uint, 16> v = get_thread_origin_x();
  for (int i = 0; i < rounds; ++i)
    v = v * 1664525 + 1013904223;
  write(out, 0, v);
}
