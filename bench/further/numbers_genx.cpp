// Kernels of numbers: Mandelbrot's set, option prices, LU, a step of k-means, softmax, a product of bytes, heat, pi.
#include <cm/cm.h>
#include <cm/cmtl.h>

/// How many steps the 16 points at (x, y), ... take to leave the circle, `limit` at most.
extern "C" _GENX_MAIN_ void mandelbrot(SurfaceIndex out, float x0, float y0, float step, int limit) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y();
  vector<int, 16> lane, steps = 0;
  cmtl::cm_vector_assign<int, 16>(lane, 0, 1);
  vector<float, 16> cr = x0 + (lane + x) * step, zr = 0, zi = 0;
  float ci = y0 + y * step;
  for (int i = 0; i < limit; ++i) {
    vector<float, 16> rr = zr * zr, ii = zi * zi;
    vector<ushort, 16> inside = rr + ii <= 4.0f;
    if (!inside.any())
      break;
    steps.merge(steps + 1, inside);
    zi = zr * zi * 2.0f + ci;
    zr = rr - ii + cr;
  }
  write(out, x * 4, y, steps);
}

_GENX_ inline vector<float, 16> cumulative(vector<float, 16> x) {
  vector<float, 16> k = cm_inv(1.0f + 0.2316419f * cm_abs<float>(x));
  vector<float, 16> sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  vector<float, 16> tail = 0.39894228f * cm_exp(x * x * (-0.5f * 1.44269504f)) * sum;
  vector<float, 16> result = tail;
  result.merge(1.0f - tail, x >= 0.0f);
  return result;
}

/// Prices of 16 calls and puts: Black and Scholes, with a rate of 2 % and a volatility of 30 %.
extern "C" _GENX_MAIN_ void options(SurfaceIndex stock, SurfaceIndex strike, SurfaceIndex years, SurfaceIndex call, SurfaceIndex put) {
  uint at = get_thread_origin_x() * 64;
  vector<float, 16> s, k, t;
  read(stock, at, s);
  read(strike, at, k);
  read(years, at, t);
  vector<float, 16> root = cm_sqrt(t);
  vector<float, 16> d1 = (cm_log(s * cm_inv(k)) * 0.69314718f + 0.065f * t) * cm_inv(0.3f * root), d2 = d1 - 0.3f * root;
  vector<float, 16> n1 = cumulative(d1), n2 = cumulative(d2), discounted = k * cm_exp(t * (-0.02f * 1.44269504f));
  write(call, at, vector<float, 16>(s * n1 - discounted * n2));
  write(put, at, vector<float, 16>(discounted * (1.0f - n2) - s * (1.0f - n1)));
}

/// A matrix of 16 x 16 floats becomes L below its diagonal and U above, without pivots.
extern "C" _GENX_MAIN_ void lu(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 1024;
  matrix<float, 16, 16> m;
#pragma unroll
  for (int part = 0; part < 8; ++part)
    read(in, at + part * 128, m.select<2, 1, 16, 1>(part * 2, 0).format<float>());
  vector<ushort, 16> lane;
  cmtl::cm_vector_assign<ushort, 16>(lane, 0, 1);
#pragma unroll
  for (int k = 0; k < 15; ++k) {
    float inverse = 1.0f / m(k, k);
    vector<float, 16> right = m.row(k);
    right.merge(0.0f, lane <= k);
#pragma unroll
    for (int i = k + 1; i < 16; ++i) {
      float factor = m(i, k) * inverse;
      m.row(i) -= factor * right;
      m(i, k) = factor;
    }
  }
#pragma unroll
  for (int part = 0; part < 8; ++part)
    write(out, at + part * 128, m.select<2, 1, 16, 1>(part * 2, 0).format<float>());
}

/// Sums of the points nearest to each of 12 centres, lane by lane in registers, over 256 points a thread.
extern "C" _GENX_MAIN_ void centres(SurfaceIndex xs, SurfaceIndex ys, SurfaceIndex places, SurfaceIndex sums) {
  uint thread = get_thread_origin_x();
  vector<float, 16> cx, cy;
  read(places, 0, cx);
  read(places, 64, cy);
  matrix<float, 12, 16> sx = 0, sy = 0;
  matrix<short, 12, 16> count = 0;
  for (uint i = 0; i < 16; ++i) {
    vector<float, 16> x, y;
    read(xs, thread * 1024 + i * 64, x);
    read(ys, thread * 1024 + i * 64, y);
    vector<float, 16> least = 1e30f;
    vector<short, 16> nearest = 0;
#pragma unroll
    for (int c = 0; c < 12; ++c) {
      vector<float, 16> dx = x - cx(c), dy = y - cy(c), d = dx * dx + dy * dy;
      vector<ushort, 16> nearer = d < least;
      least.merge(d, nearer);
      nearest.merge(c, nearer);
    }
#pragma unroll
    for (int c = 0; c < 12; ++c) {
      vector<ushort, 16> here = nearest == c;
      sx.row(c).merge(sx.row(c) + x, here);
      sy.row(c).merge(sy.row(c) + y, here);
      count.row(c).merge(count.row(c) + 1, here);
    }
  }
  vector<float, 48> result = 0;
#pragma unroll
  for (int c = 0; c < 12; ++c) {
    result(c) = cm_sum<float>(sx.row(c));
    result(16 + c) = cm_sum<float>(sy.row(c));
    result(32 + c) = cm_sum<short>(count.row(c));
  }
  write(sums, thread * 192, result.select<32, 1>(0));
  write(sums, thread * 192 + 128, result.select<16, 1>(32));
}

/// Softmax of a row of 256 floats.
extern "C" _GENX_MAIN_ void softmax(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 1024;
  vector<float, 256> v;
#pragma unroll
  for (int part = 0; part < 8; ++part)
    read(in, at + part * 128, v.select<32, 1>(part * 32));
  v = cm_exp((v - cm_reduced_max<float>(v)) * 1.44269504f);
  v *= 1.0f / cm_sum<float>(v);
#pragma unroll
  for (int part = 0; part < 8; ++part)
    write(out, at + part * 128, v.select<32, 1>(part * 32));
}

/// 16 rows of a matrix of bytes with a vector of bytes; rows of `width` bytes.
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex weights, SurfaceIndex in, SurfaceIndex out, int width) {
  int row = get_thread_origin_x() * 16;
  matrix<int, 16, 16> sums = 0;
  for (int k = 0; k < width; k += 16) {
    matrix<char, 16, 16> w;
    vector<char, 16> x;
    read(weights, k, row, w);
    read(in, k, x);
#pragma unroll
    for (int i = 0; i < 16; ++i)
      sums.row(i) += w.row(i) * x;
  }
  vector<int, 16> result;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    result(i) = cm_sum<int>(sums.row(i));
  write(out, row * 4, result);
}

/// A step of heat in a block of 4 x 8 floats.
extern "C" _GENX_MAIN_ void heat(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 4;
  matrix<float, 6, 10> p;
  read(in, x - 4, y - 1, p.select<4, 1, 10, 1>(0, 0));
  read(in, x - 4, y + 3, p.select<2, 1, 10, 1>(4, 0));
  matrix<float, 4, 8> middle = p.select<4, 1, 8, 1>(1, 1);
  matrix<float, 4, 8> around = p.select<4, 1, 8, 1>(0, 1) + p.select<4, 1, 8, 1>(2, 1) + p.select<4, 1, 8, 1>(1, 0) + p.select<4, 1, 8, 1>(1, 2);
  write(out, x, y, matrix<float, 4, 8>(middle + 0.2f * (around - 4.0f * middle)));
}

/// How many of 16 x `steps` random points of a thread lie in a quarter of a circle.
extern "C" _GENX_MAIN_ void quarter(SurfaceIndex out, int steps) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> lane, hits = 0;
  cmtl::cm_vector_assign<uint, 16>(lane, 0, 1);
  vector<uint, 16> state = (lane + thread * 16 + 1) * 2654435769u;
  for (int i = 0; i < steps; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    vector<float, 16> x = state & 0xffff, y = state >> 16;
    vector<ushort, 16> inside = x * x + y * y < 65536.0f * 65536.0f;
    hits.merge(hits + 1, inside);
  }
  write(out, thread * 64, hits);
}
