#include <cm/cm.h>

// A thread makes 16 x 16 sums: each the sum of all pixels above and to the left, its own among them. What lies beyond
// its block comes from the sums of the threads before it, so the space has the dependency pattern CM_WAVEFRONT.
extern "C" _GENX_MAIN_ void integral(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 16;
  matrix<uchar, 16, 16> pixels;
  read(in, x, y, pixels);
  matrix<ushort, 16, 16> part = pixels;

  // Inside the block, before the neighbours are done: along the rows, doubling the distance, then down the columns. 256
  // pixels of at most 255 fit a ushort.
  part.select<16, 1, 15, 1>(0, 1) += part.select<16, 1, 15, 1>(0, 0);
  part.select<16, 1, 14, 1>(0, 2) += part.select<16, 1, 14, 1>(0, 0);
  part.select<16, 1, 12, 1>(0, 4) += part.select<16, 1, 12, 1>(0, 0);
  part.select<16, 1, 8, 1>(0, 8) += part.select<16, 1, 8, 1>(0, 0);
#pragma unroll
  for (int i = 1; i < 16; i++)
    part.row(i) += part.row(i - 1);

  // From here on the blocks above and to the left are needed.
  cm_wait();
  matrix<uint, 16, 16> sums;
  vector<uint, 16> above = 0;
  matrix<uint, 16, 1> left = 0;
  matrix<uint, 1, 1> corner = 0;
  if (y) {
    matrix<uint, 1, 16> row;
    read(out, x * 4, y - 1, row);
    above = row;
  }
  if (x) {
    matrix<uint, 8, 1> half;
    read(out, x * 4 - 4, y, half);
    left.select<8, 1, 1, 1>(0, 0) = half;
    read(out, x * 4 - 4, y + 8, half);
    left.select<8, 1, 1, 1>(8, 0) = half;
    if (y)
      read(out, x * 4 - 4, y - 1, corner);
  }
#pragma unroll
  for (int i = 0; i < 16; i++)
    sums.row(i) = part.row(i) + (above + (left(i, 0) - corner(0, 0)));
#pragma unroll
  for (int i = 0; i < 16; i += 4)
    write(out, x * 4, y + i, sums.select<4, 1, 16, 1>(i, 0));
  cm_fence();
  cm_signal();
}
