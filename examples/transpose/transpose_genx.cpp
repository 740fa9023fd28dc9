// Transposition of a matrix of 32-bit elements: a thread turns a block of 16 x 16 in registers.
#include <cm/cm.h>

// Elements of the lower and of the upper half, in turn: an element's number is rotated by a bit. Four times this
// exchanges the four bits of the row and the four bits of the column.
_GENX_ inline vector<uint, 256> interleave(vector<uint, 256> v) {
  vector<uint, 256> r;
  r.select<128, 2>(0) = v.select<128, 1>(0);
  r.select<128, 2>(1) = v.select<128, 1>(128);
  return r;
}

extern "C" _GENX_MAIN_ void transpose(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 16;
  matrix<uint, 16, 16> block;
#pragma unroll
  for (int i = 0; i < 16; i += 4) // a message has 256 bytes
    read(in, x * 4, y + i, block.select<4, 1, 16, 1>(i, 0));
  block = interleave(interleave(interleave(interleave(block.format<uint>()))));
#pragma unroll
  for (int i = 0; i < 16; i += 4)
    write(out, y * 4, x + i, block.select<4, 1, 16, 1>(i, 0));
}
