// Kernels on pixels: median, Sobel, bilateral filter, half the size, NV12 to RGBA. Surfaces are 2D, sizes in bytes.
#include <cm/cm.h>

/// Pixels (x - 1, y - 1) to (x + 30, y + 8) for a block of 8 x 28 bytes.
_GENX_ inline matrix<uchar, 10, 32> around(SurfaceIndex in, int x, int y) {
  matrix<uchar, 10, 32> pixels;
  read(in, x - 1, y - 1, pixels.select<8, 1, 32, 1>(0, 0));
  read(in, x - 1, y + 7, pixels.select<2, 1, 32, 1>(8, 0));
  return pixels;
}

using Block = matrix<uchar, 8, 28>;

_GENX_ inline void order(matrix_ref<uchar, 8, 28> a, matrix_ref<uchar, 8, 28> b) {
  Block least = cm_min<uchar>(a, b);
  b = cm_max<uchar>(a, b);
  a = least;
}

/// The median of 3 x 3 pixels, by a network of 19 exchanges.
extern "C" _GENX_MAIN_ void median(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 28, y = get_thread_origin_y() * 8;
  matrix<uchar, 10, 32> pixels = around(in, x, y);
  Block p0 = pixels.select<8, 1, 28, 1>(0, 0), p1 = pixels.select<8, 1, 28, 1>(0, 1);
  Block p2 = pixels.select<8, 1, 28, 1>(0, 2), p3 = pixels.select<8, 1, 28, 1>(1, 0);
  Block p4 = pixels.select<8, 1, 28, 1>(1, 1), p5 = pixels.select<8, 1, 28, 1>(1, 2);
  Block p6 = pixels.select<8, 1, 28, 1>(2, 0), p7 = pixels.select<8, 1, 28, 1>(2, 1);
  Block p8 = pixels.select<8, 1, 28, 1>(2, 2);
  order(p1, p2), order(p4, p5), order(p7, p8), order(p0, p1), order(p3, p4), order(p6, p7);
  order(p1, p2), order(p4, p5), order(p7, p8), order(p0, p3), order(p5, p8), order(p4, p7);
  order(p3, p6), order(p1, p4), order(p2, p5), order(p4, p7), order(p4, p2), order(p6, p4), order(p4, p2);
  write(out, x, y, p4);
}

/// |gx| + |gy| of Sobel's operator, at most 255.
extern "C" _GENX_MAIN_ void sobel(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 28, y = get_thread_origin_y() * 8;
  matrix<short, 10, 32> p = around(in, x, y);
  matrix<short, 8, 32> down = p.select<8, 1, 32, 1>(0, 0) + p.select<8, 1, 32, 1>(1, 0) * 2 + p.select<8, 1, 32, 1>(2, 0);
  matrix<short, 8, 32> across = p.select<8, 1, 32, 1>(2, 0) - p.select<8, 1, 32, 1>(0, 0);
  matrix<short, 8, 28> gx = down.select<8, 1, 28, 1>(0, 2) - down.select<8, 1, 28, 1>(0, 0);
  matrix<short, 8, 28> gy = across.select<8, 1, 28, 1>(0, 0) + across.select<8, 1, 28, 1>(0, 1) * 2 + across.select<8, 1, 28, 1>(0, 2);
  write(out, x, y, matrix<uchar, 8, 28>(cm_abs<short>(gx) + cm_abs<short>(gy), SAT));
}

/// 3 x 3 neighbours weighed by distance and by how much they differ: 2^(-d^2 / 512).
extern "C" _GENX_MAIN_ void bilateral(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 28, y = get_thread_origin_y() * 8;
  matrix<uchar, 10, 32> pixels = around(in, x, y);
#pragma unroll
  for (int half = 0; half < 8; half += 4) {
    matrix<float, 4, 28> middle = pixels.select<4, 1, 28, 1>(half + 1, 1), sum = 0, weights = 0;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        const float distance = 1.0f / (1 + (i != 1) + (j != 1));
        matrix<float, 4, 28> p = pixels.select<4, 1, 28, 1>(half + i, j), d = p - middle;
        matrix<float, 4, 28> weight = cm_exp(d * d * (-1.0f / 512)) * distance;
        sum += p * weight;
        weights += weight;
      }
    matrix<uchar, 4, 28> result = sum * cm_inv(weights) + 0.5f;
    write(out, x, y + half, result);
  }
}

/// Means of 2 x 2 pixels of four bytes.
extern "C" _GENX_MAIN_ void smaller(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 8, 32> p;
  read(in, x, y, p);
  matrix<ushort, 4, 32> pairs = p.select<4, 2, 32, 1>(0, 0) + p.select<4, 2, 32, 1>(1, 0);
  matrix<uchar, 4, 16> means;
#pragma unroll
  for (int channel = 0; channel < 4; ++channel) {
    matrix<ushort, 4, 8> c = pairs.select<4, 1, 8, 4>(0, channel);
    means.select<4, 1, 4, 4>(0, channel) = (c.select<4, 1, 4, 2>(0, 0) + c.select<4, 1, 4, 2>(0, 1) + 2) >> 2;
  }
  write(out, x / 2, y / 2, means);
}

/// 16 x 4 pixels of NV12, whose planes are two surfaces, to RGBA.
extern "C" _GENX_MAIN_ void nv12(SurfaceIndex luma, SurfaceIndex chroma, SurfaceIndex out) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 4;
  matrix<uchar, 4, 16> light;
  matrix<uchar, 2, 16> colour;
  read(luma, x, y, light);
  read(chroma, x, y / 2, colour);
  matrix<int, 4, 16> c = (matrix<int, 4, 16>(light) - 16) * 298 + 128, u, v;
#pragma unroll
  for (int row = 0; row < 4; ++row) {
    u.row(row) = colour.row(row / 2).replicate<8, 2, 2, 0>(0) - 128;
    v.row(row) = colour.row(row / 2).replicate<8, 2, 2, 0>(1) - 128;
  }
  matrix<uchar, 4, 64> rgba = 255;
  rgba.select<4, 1, 16, 4>(0, 0) = matrix<uchar, 4, 16>((c + v * 409) >> 8, SAT);
  rgba.select<4, 1, 16, 4>(0, 1) = matrix<uchar, 4, 16>((c - u * 100 - v * 208) >> 8, SAT);
  rgba.select<4, 1, 16, 4>(0, 2) = matrix<uchar, 4, 16>((c + u * 516) >> 8, SAT);
  write(out, x * 4, y, rgba);
}
