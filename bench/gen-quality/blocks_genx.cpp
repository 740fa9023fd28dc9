// Kernels that live in registers: a block of a matrix product, a transpose of 16x16 floats, lookups in a table,
// pixels to grey.
#include <cm/cm.h>

/// C += A x B for a block of 8 x 32 floats; k in steps of 8. Surfaces are 2D, sizes in bytes.
extern "C" _GENX_MAIN_ void sgemm(SurfaceIndex a, SurfaceIndex b, SurfaceIndex c, int depth) {
  int row = cm_local_id(0) * 8 + cm_group_id(0) * 8, column = cm_group_id(1) * 32;
  matrix<float, 8, 32> sum = 0;
  for (int k = 0; k < depth; k += 8) {
    matrix<float, 8, 8> left;
    read(a, k * 4, row, left);
    matrix<float, 8, 32> right;
#pragma unroll
    for (int part = 0; part < 4; ++part)
      read(b, (column + part * 8) * 4, k, right.select<8, 1, 8, 1>(0, part * 8));
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int i = 0; i < 8; ++i)
        sum.row(i) += left(i, j) * right.row(j);
  }
#pragma unroll
  for (int part = 0; part < 4; ++part)
    write(c, (column + part * 8) * 4, row, sum.select<8, 1, 8, 1>(0, part * 8));
}

/// A 16 x 16 block of floats: columns within four rows, then the rows of four.
extern "C" _GENX_MAIN_ void transpose(SurfaceIndex in, SurfaceIndex out) {
  vector<float, 256> m, t;
#pragma unroll
  for (int part = 0; part < 8; ++part)
    read(in, part * 128, m.select<32, 1>(part * 32));
#pragma unroll
  for (int rows = 0; rows < 4; ++rows)
    t.select<64, 1>(64 * rows) = m.replicate<16, 1, 4, 16>(64 * rows);
#pragma unroll
  for (int column = 0; column < 16; ++column)
    m.select<16, 1>(16 * column) = t.replicate<4, 64, 4, 1>(4 * column);
#pragma unroll
  for (int part = 0; part < 8; ++part)
    write(out, part * 128, m.select<32, 1>(part * 32));
}

/// Sixteen lookups in a table in registers, then sums of their squares.
extern "C" _GENX_MAIN_ void lookups(SurfaceIndex in, SurfaceIndex out) {
  vector<ushort, 64> table;
  vector<ushort, 16> at;
  read(in, 0, table);
  read(in, 128, at);
  at &= 63;
  vector<ushort, 16> found = table.iselect(at);
  vector<uint, 16> squares = vector<uint, 16>(found) * found;
  vector<uint, 4> sums;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sums(i) = cm_sum<uint>(squares.select<4, 4>(i));
  write(out, 0, sums);
}

/// Pixels of four bytes to grey, with saturation.
extern "C" _GENX_MAIN_ void grey(SurfaceIndex in, SurfaceIndex out) {
  int x = cm_local_id(0) * 32, y = cm_group_id(0) * 8;
  matrix<uchar, 8, 32> pixels;
  read(in, x, y, pixels);
  matrix<ushort, 8, 8> light = pixels.select<8, 1, 8, 4>(0, 0) * 29 + pixels.select<8, 1, 8, 4>(0, 1) * 150 +
                               pixels.select<8, 1, 8, 4>(0, 2) * 77;
  matrix<uchar, 8, 8> g = matrix<uchar, 8, 8>(light >> 8, SAT);
#pragma unroll
  for (int channel = 0; channel < 3; ++channel)
    pixels.select<8, 1, 8, 4>(0, channel) = g;
  write(out, x, y, pixels);
}
