#include <cm/cm.h>

// A thread makes 32 x 8 sums: each the sum of all pixels above and to the left, its own among them. What lies beyond
// its block comes from the sums of the threads before it, so the space has the dependency pattern CM_WAVEFRONT.
extern "C" _GENX_MAIN_ void integral(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 8, 32> pixels;
  read(in, x, y, pixels);

  // Along the rows, doubling the distance, before the neighbours are done: 32 pixels of at most 255 fit a ushort.
  matrix<ushort, 8, 32> part = pixels;
  part.select<8, 1, 31, 1>(0, 1) += part.select<8, 1, 31, 1>(0, 0);
  part.select<8, 1, 30, 1>(0, 2) += part.select<8, 1, 30, 1>(0, 0);
  part.select<8, 1, 28, 1>(0, 4) += part.select<8, 1, 28, 1>(0, 0);
  part.select<8, 1, 24, 1>(0, 8) += part.select<8, 1, 24, 1>(0, 0);
  part.select<8, 1, 16, 1>(0, 16) += part.select<8, 1, 16, 1>(0, 0);

  // From here on the blocks above and to the left are needed.
  cm_wait();
  vector<uint, 32> above = 0;
  matrix<uint, 8, 1> left = 0; // what each row has more to its left than the row above the block
  if (y) {
    matrix<uint, 1, 16> half; // a row of a message has 64
    read(out, x * 4, y - 1, half);
    above.select<16, 1>(0) = half;
    read(out, x * 4 + 64, y - 1, half);
    above.select<16, 1>(16) = half;
  }
  if (x) {
    read(out, x * 4 - 4, y, left);
    if (y) {
      matrix<uint, 1, 1> corner;
      read(out, x * 4 - 4, y - 1, corner);
      left -= corner(0, 0);
    }
  }
  // Down the columns.
#pragma unroll
  for (int i = 0; i < 8; i += 4) {
    matrix<uint, 4, 32> sums;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      above += part.row(i + k);
      sums.row(k) = above + left(i + k, 0);
    }
    write(out, x * 4, y + i, sums.select<4, 1, 16, 1>(0, 0));
    write(out, x * 4 + 64, y + i, sums.select<4, 1, 16, 1>(0, 16));
  }
  cm_fence();
  cm_signal();
}
