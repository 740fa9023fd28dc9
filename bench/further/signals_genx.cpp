// Transforms in registers: Fourier, cosine, Haar.
#include <cm/cm.h>

template <int Apart> _GENX_ inline void interleave(vector_ref<float, 64> to, vector<float, 32> even, vector<float, 32> odd) {
#pragma unroll
  for (int j = 0; j < 32 / Apart; ++j) {
    to.select<Apart, 1>(2 * j * Apart) = even.select<Apart, 1>(j * Apart);
    to.select<Apart, 1>(2 * j * Apart + Apart) = odd.select<Apart, 1>(j * Apart);
  }
}

/// One step of Stockham's algorithm; `factors` has 32 real and 32 imaginary parts.
template <int Apart>
_GENX_ inline void step(SurfaceIndex factors, int number, vector_ref<float, 64> re, vector_ref<float, 64> im) {
  vector<float, 32> wr, wi;
  read(factors, number * 256, wr);
  read(factors, number * 256 + 128, wi);
  vector<float, 32> ar = re.select<32, 1>(0), br = re.select<32, 1>(32);
  vector<float, 32> ai = im.select<32, 1>(0), bi = im.select<32, 1>(32);
  vector<float, 32> dr = ar - br, di = ai - bi;
  interleave<Apart>(re, ar + br, dr * wr - di * wi);
  interleave<Apart>(im, ai + bi, dr * wi + di * wr);
}

/// 64 complex numbers a thread: 64 real parts, then 64 imaginary ones.
extern "C" _GENX_MAIN_ void fft64(SurfaceIndex in, SurfaceIndex factors, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 512;
  vector<float, 64> re, im;
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    read(in, at + part * 128, re.select<32, 1>(part * 32));
    read(in, at + 256 + part * 128, im.select<32, 1>(part * 32));
  }
  step<1>(factors, 0, re, im), step<2>(factors, 1, re, im), step<4>(factors, 2, re, im);
  step<8>(factors, 3, re, im), step<16>(factors, 4, re, im), step<32>(factors, 5, re, im);
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    write(out, at + part * 128, re.select<32, 1>(part * 32));
    write(out, at + 256 + part * 128, im.select<32, 1>(part * 32));
  }
}

/// The cosine transform of a block of 8 x 8 words: C X C'. `factors` has C and then C', 64 floats each.
extern "C" _GENX_MAIN_ void dct(SurfaceIndex in, SurfaceIndex factors, SurfaceIndex out) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 8;
  matrix<short, 8, 8> words;
  read(in, x, y, words);
  matrix<float, 8, 8> c, t, pixels = words, half = 0, whole = 0;
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    read(factors, part * 128, c.select<4, 1, 8, 1>(part * 4, 0).format<float>());
    read(factors, 256 + part * 128, t.select<4, 1, 8, 1>(part * 4, 0).format<float>());
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      half.row(i) += c(i, k) * pixels.row(k);
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      whole.row(i) += half(i, k) * t.row(k);
  write(out, x, y, matrix<short, 8, 8>(cm_rnde<float>(whole)));
}

/// A level of the Haar transform of 16 x 16 words: means above and left, differences below and right.
extern "C" _GENX_MAIN_ void haar(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 16;
  matrix<short, 16, 16> p, rows, result;
#pragma unroll
  for (int part = 0; part < 16; part += 8)
    read(in, x, y + part, p.select<8, 1, 16, 1>(part, 0));
  rows.select<16, 1, 8, 1>(0, 0) = (p.select<16, 1, 8, 2>(0, 0) + p.select<16, 1, 8, 2>(0, 1)) >> 1;
  rows.select<16, 1, 8, 1>(0, 8) = p.select<16, 1, 8, 2>(0, 0) - p.select<16, 1, 8, 2>(0, 1);
  result.select<8, 1, 16, 1>(0, 0) = (rows.select<8, 2, 16, 1>(0, 0) + rows.select<8, 2, 16, 1>(1, 0)) >> 1;
  result.select<8, 1, 16, 1>(8, 0) = rows.select<8, 2, 16, 1>(0, 0) - rows.select<8, 2, 16, 1>(1, 0);
#pragma unroll
  for (int part = 0; part < 16; part += 8)
    write(out, x, y + part, result.select<8, 1, 16, 1>(part, 0));
}
