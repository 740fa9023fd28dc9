// C = A * B of floats, whose sizes are multiples of 16: a thread computes a block of 16 by 16. Surfaces have rows of
// floats; `depth` is the number of A's columns.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void sgemm(SurfaceIndex a, SurfaceIndex b, SurfaceIndex c, int depth) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 16;
  matrix<float, 16, 16> sum = 0;
  for (int k = 0; k < depth; k += 8) {
    matrix<float, 16, 8> left;
    matrix<float, 8, 16> right;
    read(a, k * 4, y, left.select<8, 1, 8, 1>(0, 0));
    read(a, k * 4, y + 8, left.select<8, 1, 8, 1>(8, 0));
    read(b, x * 4, k, right.select<4, 1, 16, 1>(0, 0));
    read(b, x * 4, k + 4, right.select<4, 1, 16, 1>(4, 0));
#pragma unroll
    for (int n = 0; n < 8; ++n)
#pragma unroll
      for (int r = 0; r < 16; ++r)
        sum.row(r) += left(r, n) * right.row(n);
  }
#pragma unroll
  for (int r = 0; r < 16; r += 4)
    write(c, x * 4, y + r, sum.select<4, 1, 16, 1>(r, 0));
}
