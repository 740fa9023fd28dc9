// Kernels of scenes and searches: edges, planes of light and colour, twice the size, spheres, noise, fewer samples,
// determinants, parts of a sort, bits of a matrix, votes for lines, steps to one, matches, draws, roots, ways up a
// tree.
#include <cm/cm.h>
#include <cm/cmtl.h>

template <class T> _GENX_ inline vector<T, 16> lanes() {
  vector<T, 16> lane;
  cmtl::cm_vector_assign<T, 16>(lane, 0, 1);
  return lane;
}

/// Where |gx| + |gy| of Sobel's operator is not less than at the two neighbours across the edge; 0 elsewhere.
extern "C" _GENX_MAIN_ void edges(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 28, y = get_thread_origin_y() * 4;
  matrix<uchar, 8, 32> bytes;
  read(in, x - 2, y - 2, bytes);
  matrix<short, 8, 32> p = bytes;
  matrix<short, 6, 32> down =
      p.select<6, 1, 32, 1>(0, 0) + p.select<6, 1, 32, 1>(1, 0) * 2 + p.select<6, 1, 32, 1>(2, 0);
  matrix<short, 6, 32> across = p.select<6, 1, 32, 1>(2, 0) - p.select<6, 1, 32, 1>(0, 0);
  matrix<short, 6, 30> gx = down.select<6, 1, 30, 1>(0, 2) - down.select<6, 1, 30, 1>(0, 0);
  matrix<short, 6, 30> gy =
      across.select<6, 1, 30, 1>(0, 0) + across.select<6, 1, 30, 1>(0, 1) * 2 + across.select<6, 1, 30, 1>(0, 2);
  matrix<short, 6, 30> ax = cm_abs<short>(gx), ay = cm_abs<short>(gy), m = ax + ay;
  matrix<short, 4, 28> cx = ax.select<4, 1, 28, 1>(1, 1), cy = ay.select<4, 1, 28, 1>(1, 1);
  matrix<short, 4, 28> product = gx.select<4, 1, 28, 1>(1, 1) ^ gy.select<4, 1, 28, 1>(1, 1);
  matrix<short, 4, 28> before = m.select<4, 1, 28, 1>(0, 0), after = m.select<4, 1, 28, 1>(2, 2);
  before.merge(m.select<4, 1, 28, 1>(0, 2), product < 0);
  after.merge(m.select<4, 1, 28, 1>(2, 0), product < 0);
  before.merge(m.select<4, 1, 28, 1>(0, 1), cy > cx * 2);
  after.merge(m.select<4, 1, 28, 1>(2, 1), cy > cx * 2);
  before.merge(m.select<4, 1, 28, 1>(1, 0), cx > cy * 2);
  after.merge(m.select<4, 1, 28, 1>(1, 2), cx > cy * 2);
  matrix<short, 4, 28> middle = m.select<4, 1, 28, 1>(1, 1);
  middle.merge(0, middle < cm_max<short>(before, after));
  write(out, x, y, matrix<uchar, 4, 28>(middle, SAT));
}

/// 8 x 16 pixels of four bytes to light, and to blue and red of the mean of 2 x 2 pixels.
extern "C" _GENX_MAIN_ void halfcolour(SurfaceIndex in, SurfaceIndex light, SurfaceIndex blue, SurfaceIndex red) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 8;
  matrix<uchar, 8, 64> p;
  read(in, x * 4, y, p.select<8, 1, 32, 1>(0, 0));
  read(in, x * 4 + 32, y, p.select<8, 1, 32, 1>(0, 32));
  matrix<ushort, 8, 16> r = p.select<8, 1, 16, 4>(0, 0), g = p.select<8, 1, 16, 4>(0, 1),
                        b = p.select<8, 1, 16, 4>(0, 2);
  write(light, x, y, matrix<uchar, 8, 16>(((r * 66 + g * 129 + b * 25 + 128) >> 8) + 16));
  matrix<short, 4, 8> mean[3];
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    matrix<ushort, 8, 16> all = c == 0 ? r : c == 1 ? g : b;
    matrix<ushort, 4, 16> rows = all.select<4, 2, 16, 1>(0, 0) + all.select<4, 2, 16, 1>(1, 0);
    mean[c] = (rows.select<4, 1, 8, 2>(0, 0) + rows.select<4, 1, 8, 2>(0, 1) + 2) >> 2;
  }
  write(blue, x / 2, y / 2, matrix<uchar, 4, 8>(((mean[2] * 112 - mean[0] * 38 - mean[1] * 74 + 128) >> 8) + 128));
  write(red, x / 2, y / 2, matrix<uchar, 4, 8>(((mean[0] * 112 - mean[1] * 94 - mean[2] * 18 + 128) >> 8) + 128));
}

/// Twice the width and height: 9/16 of the nearest pixel, 3/16 of its neighbours, 1/16 of the one across.
extern "C" _GENX_MAIN_ void larger(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 4;
  matrix<uchar, 6, 32> p;
  read(in, x - 1, y - 1, p);
  matrix<ushort, 6, 32> wide;
  wide.select<6, 1, 16, 2>(0, 0) = p.select<6, 1, 16, 1>(0, 1) * 3 + p.select<6, 1, 16, 1>(0, 0);
  wide.select<6, 1, 16, 2>(0, 1) = p.select<6, 1, 16, 1>(0, 1) * 3 + p.select<6, 1, 16, 1>(0, 2);
  matrix<uchar, 8, 32> result;
  result.select<4, 2, 32, 1>(0, 0) = (wide.select<4, 1, 32, 1>(1, 0) * 3 + wide.select<4, 1, 32, 1>(0, 0) + 8) >> 4;
  result.select<4, 2, 32, 1>(1, 0) = (wide.select<4, 1, 32, 1>(1, 0) * 3 + wide.select<4, 1, 32, 1>(2, 0) + 8) >> 4;
  write(out, x * 2, y * 2, result);
}

/// How far 16 rays from the origin go to the next of `count` spheres (x, y, z and the radius's square), and which.
extern "C" _GENX_MAIN_ void spheres(SurfaceIndex in, SurfaceIndex all, SurfaceIndex out, int count) {
  uint thread = get_thread_origin_x();
  matrix<float, 3, 16> d;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis)
    read(in, thread * 192 + axis * 64, d.row(axis));
  vector<float, 16> best = 1e30f, which = -1;
  for (int i = 0; i < count; ++i) {
    vector<float, 4> s;
    read(all, i * 16, s);
    vector<float, 16> along = d.row(0) * s(0) + d.row(1) * s(1) + d.row(2) * s(2);
    float far = s(0) * s(0) + s(1) * s(1) + s(2) * s(2) - s(3);
    vector<float, 16> under = along * along - far;
    SIMD_IF_BEGIN(under > 0) {
      vector<float, 16> t = along - cm_sqrt(under);
      SIMD_IF_BEGIN(t > 0 & t < best) {
        best = t;
        which = i;
      }
      SIMD_IF_END;
    }
    SIMD_IF_END;
  }
  write(out, thread * 128, best);
  write(out, thread * 128 + 64, which);
}

_GENX_ inline vector<float, 16> fade(vector<float, 16> t) { return t * t * t * (t * (t * 6 - 15) + 10); }

/// What a gradient of eight adds up to.
_GENX_ inline vector<float, 16> gradient(vector<uint, 16> hash, vector<float, 16> x, vector<float, 16> y) {
  vector<float, 16> u = x, v = y;
  u.merge(y, (hash & 4) != 0);
  v.merge(x, (hash & 4) != 0);
  u.merge(-u, (hash & 1) != 0);
  v.merge(-v, (hash & 2) != 0);
  return u + v * 2;
}

/// Gradient noise in four octaves, 16 points of a row; `table` has a permutation of 256, twice.
extern "C" _GENX_MAIN_ void noise(SurfaceIndex table, SurfaceIndex out, float scale) {
  int column = get_thread_origin_x(), row = get_thread_origin_y();
  vector<float, 16> x = lanes<uint>() + column * 16, sum = 0;
  x *= scale;
  float y = row * scale, weight = 1;
  for (int octave = 0; octave < 4; ++octave) {
    vector<int, 16> left = cm_rndd<float>(x);
    int above = cm_rndd<float>(y);
    vector<float, 16> fx = x - left, fy = y - above;
    vector<uint, 16> at = left & 255, a, b, h00, h10, h01, h11;
    uint line = above & 255;
    read(table, 0, at, a);
    read(table, 0, at + 1, b);
    read(table, 0, a + line, h00);
    read(table, 0, b + line, h10);
    read(table, 0, a + line + 1, h01);
    read(table, 0, b + line + 1, h11);
    vector<float, 16> u = fade(fx), v = fade(fy);
    vector<float, 16> g00 = gradient(h00, fx, fy), g10 = gradient(h10, fx - 1, fy);
    vector<float, 16> g01 = gradient(h01, fx, fy - 1), g11 = gradient(h11, fx - 1, fy - 1);
    vector<float, 16> top = g00 + u * (g10 - g00), bottom = g01 + u * (g11 - g01);
    sum += (top + v * (bottom - top)) * weight;
    x *= 2, y *= 2, weight *= 0.5f;
  }
  write(out, column * 64, row, sum);
}

/// A filter of 32 taps of which every fourth result is kept: 16 results a thread.
extern "C" _GENX_MAIN_ void fewer(SurfaceIndex in, SurfaceIndex taps, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<float, 96> x;
  vector<float, 32> h;
  read(taps, 0, h);
#pragma unroll
  for (int part = 0; part < 3; ++part)
    read(in, thread * 256 + part * 128, x.select<32, 1>(part * 32));
  vector<float, 16> sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k)
    sum += x.select<16, 4>(k) * h(k);
  write(out, thread * 64, sum);
}

/// Determinants of 16 matrices of 4 x 4.
extern "C" _GENX_MAIN_ void determinants(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<float, 256> m;
#pragma unroll
  for (int part = 0; part < 8; ++part)
    read(in, thread * 1024 + part * 128, m.select<32, 1>(part * 32));
  matrix<float, 16, 16> e;
#pragma unroll
  for (int k = 0; k < 16; ++k)
    e.row(k) = m.select<16, 16>(k);
  vector<float, 16> a = e.row(0) * e.row(5) - e.row(1) * e.row(4), b = e.row(0) * e.row(6) - e.row(2) * e.row(4);
  vector<float, 16> c = e.row(0) * e.row(7) - e.row(3) * e.row(4), d = e.row(1) * e.row(6) - e.row(2) * e.row(5);
  vector<float, 16> f = e.row(1) * e.row(7) - e.row(3) * e.row(5), g = e.row(2) * e.row(7) - e.row(3) * e.row(6);
  vector<float, 16> h = e.row(8) * e.row(13) - e.row(9) * e.row(12), i = e.row(8) * e.row(14) - e.row(10) * e.row(12);
  vector<float, 16> j = e.row(8) * e.row(15) - e.row(11) * e.row(12), k = e.row(9) * e.row(14) - e.row(10) * e.row(13);
  vector<float, 16> l = e.row(9) * e.row(15) - e.row(11) * e.row(13), o = e.row(10) * e.row(15) - e.row(11) * e.row(14);
  write(out, thread * 64, a * o - b * l + c * k + d * j - f * i + g * h);
}

/// 64 numbers: those less than `pivot` first, then the others, both in order.
extern "C" _GENX_MAIN_ void parts(SurfaceIndex in, SurfaceIndex out, uint pivot) {
  uint thread = get_thread_origin_x();
  matrix<uint, 4, 16> v;
  read(in, thread * 256, v.select<2, 1, 16, 1>(0, 0).format<uint>());
  read(in, thread * 256 + 128, v.select<2, 1, 16, 1>(2, 0).format<uint>());
  uint small = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    small += cm_cbit<uint>(cm_pack_mask(v.row(i) < pivot));
  uint large = small;
  small = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    vector<ushort, 16> less = v.row(i) < pivot;
    vector<uint, 16> before = less;
    before.select<15, 1>(1) += before.select<15, 1>(0);
    before.select<14, 1>(2) += before.select<14, 1>(0);
    before.select<12, 1>(4) += before.select<12, 1>(0);
    before.select<8, 1>(8) += before.select<8, 1>(0);
    uint count = before(15);
    vector<uint, 16> place = before + (small - 1);
    place.merge(lanes<uint>() - before + large, less == 0);
    write(out, thread * 64, place, v.row(i));
    small += count;
    large += 16 - count;
  }
}

template <int Apart> _GENX_ inline void exchange(vector_ref<uint, 32> rows, uint mask) {
#pragma unroll
  for (int first = 0; first < 32; first += 2 * Apart) {
    vector<uint, Apart> upper = rows.select<Apart, 1>(first), lower = rows.select<Apart, 1>(first + Apart);
    vector<uint, Apart> changed = ((upper >> Apart) ^ lower) & mask;
    rows.select<Apart, 1>(first) = upper ^ (changed << Apart);
    rows.select<Apart, 1>(first + Apart) = lower ^ changed;
  }
}

/// A matrix of 32 x 32 bits, its rows and columns exchanged.
extern "C" _GENX_MAIN_ void bitmatrix(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 32> rows;
  read(in, thread * 128, rows);
  exchange<16>(rows, 0xffff), exchange<8>(rows, 0xff00ff), exchange<4>(rows, 0xf0f0f0f);
  exchange<2>(rows, 0x33333333), exchange<1>(rows, 0x55555555);
  write(out, thread * 128, rows);
}

/// How many of `count` points (x and y in words) a line of this thread's angle has at each of 256 distances. Neighbours
/// are counted in different rows, as a count waits for the one before it where both are the same; `count` is below 65536.
extern "C" _GENX_MAIN_ void votes(SurfaceIndex in, SurfaceIndex angles, SurfaceIndex out, int count) {
  uint thread = get_thread_origin_x();
  vector<int, 4> angle; // cosine and sine, 16 bits behind the point
  read(angles, thread * 16, angle);
  vector<ushort, 1024> votes = 0;
  for (int at = 0; at < count; at += 16) {
    vector<short, 32> p;
    read(in, at * 4, p);
    vector<int, 16> distance = ((p.select<16, 2>(0) * angle(0) + p.select<16, 2>(1) * angle(1)) >> 16) + 128;
#pragma unroll
    for (int i = 0; i < 16; ++i)
      votes(distance(i) + i % 4 * 256) += 1;
  }
  vector<uint, 256> all = votes.select<256, 1>(0) + votes.select<256, 1>(256);
  all += votes.select<256, 1>(512) + votes.select<256, 1>(768);
#pragma unroll
  for (int part = 0; part < 8; ++part)
    write(out, thread * 1024 + part * 128, all.select<32, 1>(part * 32));
}

/// How many steps n takes to 1, where odd numbers become 3 n + 1 and even ones n / 2.
extern "C" _GENX_MAIN_ void steps(SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> n = lanes<uint>() + (thread * 16 + 2), count = 0;
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN((n & 1) == 1) { n = n * 3 + 1; }
    SIMD_ELSE { n >>= 1; }
    SIMD_IF_END;
    count += 1;
  }
  SIMD_DO_WHILE_END(n != 1);
  write(out, thread * 64, count);
}

/// How many dwords, up to 16, are the same from each place on and from where `earlier` says.
extern "C" _GENX_MAIN_ void matches(SurfaceIndex in, SurfaceIndex earlier, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> here = lanes<uint>() + thread * 16, there, a, b, length = 0;
  read(earlier, thread * 64, there);
  SIMD_DO_WHILE_BEGIN {
    read(in, 0, here + length, a);
    read(in, 0, there + length, b);
    SIMD_IF_BEGIN(a != b) { SIMD_BREAK; }
    SIMD_IF_END;
    length += 1;
  }
  SIMD_DO_WHILE_END(length < 16);
  write(out, thread * 64, length);
}

/// 16 sequences of 64 draws from 256 lots; a lot is taken with its chance, or the other one. The sum of those taken.
extern "C" _GENX_MAIN_ void draws(SurfaceIndex chances, SurfaceIndex others, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> state = (lanes<uint>() + thread * 16) * 747796405 + 1, sum = 0;
  for (int i = 0; i < 64; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    vector<uint, 16> lot = state & 255, chance, other;
    read(chances, 0, lot, chance);
    read(others, 0, lot, other);
    lot.merge(other, (state >> 8) >= chance);
    sum += lot;
  }
  write(out, thread * 64, sum);
}

/// Fifth roots by Newton's method, each until it is good enough.
extern "C" _GENX_MAIN_ void roots(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<float, 16> a, x, change;
  read(in, thread * 64, a);
  x = cm_max<float>(a, 1);
  SIMD_DO_WHILE_BEGIN {
    vector<float, 16> square = x * x, fourth = square * square;
    change = (x - a / fourth) * 0.2f;
    x -= change;
  }
  SIMD_DO_WHILE_END(change > x * 1e-4f);
  write(out, thread * 64, x);
}

/// Each of 16 knots of a forest goes up to its root, which is its own parent.
extern "C" _GENX_MAIN_ void upwards(SurfaceIndex parents, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> knot = lanes<uint>() + thread * 16, parent;
  read(parents, thread * 64, parent);
  SIMD_IF_BEGIN(parent != knot) {
    SIMD_DO_WHILE_BEGIN {
      knot = parent;
      read(parents, 0, knot, parent);
    }
    SIMD_DO_WHILE_END(parent != knot);
  }
  SIMD_IF_END;
  write(out, thread * 64, knot);
}
