#include <cm/cm.h>

extern "C" _GENX_MAIN_ void increment(SurfaceIndex data, int amount) {
  vector<int, 32> v;
  read(data, get_thread_origin_x() * 128, v);
  write(data, get_thread_origin_x() * 128, v + amount);
}

// Each pixel is the one to its left plus the one above.
extern "C" _GENX_MAIN_ void paths(SurfaceIndex image) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  cm_wait();
  matrix<uint, 1, 1> left = 0, above = 0, sum = 1;
  if (x)
    read(image, (x - 1) * 4, y, left);
  if (y)
    read(image, x * 4, y - 1, above);
  if (x && y)
    sum = left + above;
  write(image, x * 4, y, sum);
}

extern "C" _GENX_MAIN_ void reverse(SurfaceIndex out) {
  cm_slm_init(1024);
  vector<uint, 1> me = cm_linear_local_id(), value = cm_linear_group_id() * 100 + cm_linear_local_id();
  cm_slm_write(0, me, value);
  cm_barrier();
  cm_slm_read(0, cm_linear_local_size() - 1 - me, value);
  vector<uint, 1> where = cm_linear_global_id();
  write(out, 0, where, value);
}
