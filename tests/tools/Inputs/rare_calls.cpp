// Registers are saved in a loop, around a call that only threads make whose blocks leave the buffer.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(SurfaceIndex in, SurfaceIndex out, int step) {
  uint at = get_thread_origin_x() * 128;
  vector<float, 32> a, b, sum = 0;
  read(in, at, a);
  for (int i = 0; i < 64; ++i) {
    read(in, i * step, b);
    sum += cm_abs<float>(a - b) * b;
    a += sum;
  }
  write(out, at, sum + a);
}
