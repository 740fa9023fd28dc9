// A 3x3 box filter over packed RGB bytes, four ways. A thread reads an 8x32 byte block and writes 6x24 bytes
// of the result: the neighbour to the right of a colour byte is three bytes on. Reads beyond the image's edge
// repeat its outermost pixel.

#include <cm/cm.h>

// The paper's Algorithm 2: nine shifted 6x24 views of the block, summed in float.
extern "C" _GENX_MAIN_ void linear(SurfaceIndex inBuf, SurfaceIndex outBuf) {
  matrix<uchar, 8, 32> in;
  matrix<uchar, 6, 24> out;
  matrix<float, 6, 24> m;

  int x = get_thread_origin_x() * 24;
  int y = get_thread_origin_y() * 6;

  read(inBuf, x - 3, y - 1, in);

  m = in.select<6, 1, 24, 1>(1, 3);
  m += in.select<6, 1, 24, 1>(0, 0);
  m += in.select<6, 1, 24, 1>(0, 3);
  m += in.select<6, 1, 24, 1>(0, 6);
  m += in.select<6, 1, 24, 1>(1, 0);
  m += in.select<6, 1, 24, 1>(1, 6);
  m += in.select<6, 1, 24, 1>(2, 0);
  m += in.select<6, 1, 24, 1>(2, 3);
  m += in.select<6, 1, 24, 1>(2, 6);
  out = m * 0.1111f;

  write(outBuf, x, y, out);
}

// Two 1-D convolutions over the whole block at once: along the rows, then down the columns; sums in short.
extern "C" _GENX_MAIN_ void linear1d2(SurfaceIndex inBuf, SurfaceIndex outBuf) {
  matrix<uchar, 8, 32> in;
  matrix<short, 8, 24> across;
  matrix<short, 6, 24> sum;
  matrix<uchar, 6, 24> out;

  int x = get_thread_origin_x() * 24;
  int y = get_thread_origin_y() * 6;

  read(inBuf, x - 3, y - 1, in);

  across = in.select<8, 1, 24, 1>(0, 0);
  across += in.select<8, 1, 24, 1>(0, 3);
  across += in.select<8, 1, 24, 1>(0, 6);

  sum = across.select<6, 1, 24, 1>(0, 0);
  sum += across.select<6, 1, 24, 1>(1, 0);
  sum += across.select<6, 1, 24, 1>(2, 0);
  out = sum * 0.111f;

  write(outBuf, x, y, out);
}

// A window of three rows slides down the block: rows are read, summed and written one at a time.
extern "C" _GENX_MAIN_ void linearslide(SurfaceIndex inBuf, SurfaceIndex outBuf) {
  matrix<uchar, 3, 32> in;
  vector<short, 24> sum;
  vector<uchar, 24> out;

  int x = get_thread_origin_x() * 24;
  int y = get_thread_origin_y() * 6;

  read(inBuf, x - 3, y - 1, in.row(0));
  read(inBuf, x - 3, y, in.row(1));

#pragma unroll
  for (int i = 0; i < 6; i++) {
    read(inBuf, x - 3, y + i + 1, in.row((i + 2) % 3));

    sum = in.row(i % 3).select<24, 1>(0);
    sum += in.row(i % 3).select<24, 1>(3);
    sum += in.row(i % 3).select<24, 1>(6);
#pragma unroll
    for (int j = 1; j < 3; j++) {
      sum += in.row((i + j) % 3).select<24, 1>(0);
      sum += in.row((i + j) % 3).select<24, 1>(3);
      sum += in.row((i + j) % 3).select<24, 1>(6);
    }
    out = sum * 0.111f;

    write(outBuf, x, y + i, out);
  }
}

// The block is read and written whole; only the row sums in between slide through a window of three.
extern "C" _GENX_MAIN_ void linearslide2(SurfaceIndex inBuf, SurfaceIndex outBuf) {
  matrix<uchar, 8, 32> in;
  matrix<short, 3, 24> across;
  vector<short, 24> sum;
  matrix<uchar, 6, 24> out;

  int x = get_thread_origin_x() * 24;
  int y = get_thread_origin_y() * 6;

  read(inBuf, x - 3, y - 1, in);

#pragma unroll
  for (int i = 0; i < 2; i++) {
    across.row(i) = in.row(i).select<24, 1>(0);
    across.row(i) += in.row(i).select<24, 1>(3);
    across.row(i) += in.row(i).select<24, 1>(6);
  }
#pragma unroll
  for (int i = 0; i < 6; i++) {
    across.row((i + 2) % 3) = in.row(i + 2).select<24, 1>(0);
    across.row((i + 2) % 3) += in.row(i + 2).select<24, 1>(3);
    across.row((i + 2) % 3) += in.row(i + 2).select<24, 1>(6);

    sum = across.row(0);
    sum += across.row(1);
    sum += across.row(2);
    out.row(i) = sum * 0.111f;
  }

  write(outBuf, x, y, out);
}
