#include <cm/cm.h>

// Adds to every element: 16 such kernels follow each other in one task.
extern "C" _GENX_MAIN_ void increment(SurfaceIndex data, int amount) {
  uint at = get_thread_origin_x() * 128;
  vector<int, 32> v;
  read(data, at, v);
  v += amount;
  write(data, at, v);
}
