// More vectors at once than there are registers: -DROWS=30 takes scratch memory, -DROWS=31 -DALL takes more than that can
// give.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void spilling(SurfaceIndex in, SurfaceIndex out) {
  matrix<float, ROWS, 32> m;
  for (int i = 0; i < ROWS; ++i)
    read(in, i * 128, m.row(i));
  matrix<float, 4, 32> s = 0;
#ifdef ALL
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
#pragma unroll
    for (int j = 0; j < ROWS; ++j)
      s.row(0) += m.row(i) * m.row(j);
#else
  for (int k = 0; k < 9; ++k) {
    matrix<float, 4, 32> t;
    for (int r = 0; r < 4; ++r)
      read(in, 4096 + k * 512 + 128 * r, t.row(r));
#pragma unroll
    for (int i = 0; i < 7; ++i)
      s += m.select<4, 1, 32, 1>(4 * i, 0) * t;
    m.row(k) += t.row(1);
  }
#endif
  for (int j = 0; j < 4; ++j)
    write(out, j * 128, s.row(j));
  for (int i = 0; i < ROWS; ++i)
    write(out, 1024 + i * 128, m.row(i));
}
