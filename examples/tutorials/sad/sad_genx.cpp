#include <cm/cm.h>

// Where has each 16 x 16 block of a picture come from? First kernel: the sum of absolute differences with the earlier
// picture at one displacement for all blocks; thread (x, y) is a block, SetKernelArg gives the displacement.
extern "C" _GENX_MAIN_ void differences(SurfaceIndex now, SurfaceIndex before, SurfaceIndex sums, int dx, int dy,
                                        int candidate, int candidates, int blocks) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  matrix<uchar, 16, 16> a, b;
  read(now, x * 16, y * 16, a);
  read(before, x * 16 + dx, y * 16 + dy, b);
  vector<ushort, 256> pairs = cm_sad2<ushort>(a, b);
  vector<uint, 1> at = (y * blocks + x) * candidates + candidate, sum = cm_sum<uint>(pairs);
  write(sums, 0, at, sum);
}

// Second kernel: the best of the 16 candidates of each block.
extern "C" _GENX_MAIN_ void best(SurfaceIndex sums, SurfaceIndex chosen, int blocks) {
  uint block = get_thread_origin_y() * blocks + get_thread_origin_x();
  vector<uint, 16> v, number;
  read(sums, block * 64, v);
  for (int i = 0; i < 16; i++)
    number(i) = i;
  uint least = cm_reduced_min<uint>(v);
  number.merge(99, v != least);
  vector<uint, 1> at = block, which = cm_reduced_min<uint>(number);
  write(chosen, 0, at, which);
}
