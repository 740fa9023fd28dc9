#include <cm/cm.h>

// 64 elements a thread, of which it computes two operations each, `times` times.
extern "C" _GENX_MAIN_ void work(SurfaceIndex in, SurfaceIndex out, int times) {
  uint at = get_thread_origin_y() * 16 + get_thread_origin_x();
  vector<ushort, 64> given;
  read(in, at * 128, given);
  vector<int, 64> v = given;
  for (int i = 0; i < times; ++i)
    v = v * 3 + i;
  write(out, at * 256, v.select<32, 1>(0));
  write(out, at * 256 + 128, v.select<32, 1>(32));
}

extern "C" _GENX_MAIN_ void shared(SurfaceIndex out, int times) {
  cm_slm_init(256);
  uint slm = cm_slm_alloc(256), me = cm_local_id(0);
  vector<float, 16> v = float(me);
  cm_slm_block_write(slm, me * 64, v);
  cm_barrier();
  cm_slm_block_read(slm, (me ^ 1) * 64, v);
  for (int i = 0; i < times; ++i)
    v = cm_sin(v);
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// A sum and a product of each element; conversions are none.
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex io) {
  matrix<uchar, 8, 16> in, out;
  read(io, 0, 0, in);
  matrix<float, 8, 16> m = in;
  m += in;
  out = m * 0.1111f;
  write(io, 0, 0, out);
}
