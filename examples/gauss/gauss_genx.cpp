#include <cm/cm.h>

extern "C" _GENX_MAIN_ void plain(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 12, 44> block;
  read(in, x - 6, y - 2, block.select<4, 1, 44, 1>(0, 0));
  read(in, x - 6, y + 2, block.select<4, 1, 44, 1>(4, 0));
  read(in, x - 6, y + 6, block.select<4, 1, 44, 1>(8, 0));
  const int weights[5] = {1, 4, 6, 4, 1};
  matrix<ushort, 8, 32> sum = 128;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      sum += block.select<8, 1, 32, 1>(i, 3 * j) * (weights[i] * weights[j]);
  matrix<uchar, 8, 32> result = sum >> 8;
  write(out, x, y, result);
}
extern "C" _GENX_MAIN_ void gauss(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 12, 44> block;
  read(in, x - 6, y - 2, block.select<4, 1, 44, 1>(0, 0));
  read(in, x - 6, y + 2, block.select<4, 1, 44, 1>(4, 0));
  read(in, x - 6, y + 6, block.select<4, 1, 44, 1>(8, 0));

  matrix<ushort, 12, 32> rows = block.select<12, 1, 32, 1>(0, 6) * 6;
  rows += (block.select<12, 1, 32, 1>(0, 3) + block.select<12, 1, 32, 1>(0, 9)) * 4;
  rows += block.select<12, 1, 32, 1>(0, 0) + block.select<12, 1, 32, 1>(0, 12);

  matrix<ushort, 8, 32> sum = rows.select<8, 1, 32, 1>(2, 0) * 6;
  sum += (rows.select<8, 1, 32, 1>(1, 0) + rows.select<8, 1, 32, 1>(3, 0)) * 4;
  sum += rows.select<8, 1, 32, 1>(0, 0) + rows.select<8, 1, 32, 1>(4, 0);

  matrix<uchar, 8, 32> result = (sum + 128) >> 8;
  write(out, x, y, result);
}
