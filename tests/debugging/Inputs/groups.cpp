// Threads that wait for each other, with a matrix.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void meet(SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  vector<int, 4> v = me + 1, w;
  cm_slm_block_write(0, me * 16, v);
  cm_barrier();
  cm_slm_block_read(0, me * 16, w);
  matrix<int, 2, 4> m = 5;
  m.row(0) = w;
  write(out, (cm_group_id(0) * 4 + me) * 32, m.select_all());
}
