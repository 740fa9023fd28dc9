// Kernels of records and tables: shortest ways, labels, runs, distances of words, ciphers, checksums, points, rays, YUV,
// a search in a sorted table, decimal digits.
#include <cm/cm.h>
#include <cm/cmtl.h>

template <class T> _GENX_ inline vector<T, 16> lanes() {
  vector<T, 16> lane;
  cmtl::cm_vector_assign<T, 16>(lane, 0, 1);
  return lane;
}

/// Shortest ways over one more stop: c(i, j) = min(c(i, j), a(i, k) + b(k, j)); 8 x 16 of n x n floats a thread.
extern "C" _GENX_MAIN_ void ways(SurfaceIndex a, SurfaceIndex b, SurfaceIndex c, int n) {
  int x = get_thread_origin_x() * 64, y = get_thread_origin_y() * 8;
  matrix<float, 8, 16> least;
  read(a, x, y, least.select<4, 1, 8, 1>(0, 0));
  read(a, x + 32, y, least.select<4, 1, 8, 1>(0, 8));
  read(a, x, y + 4, least.select<4, 1, 8, 1>(4, 0));
  read(a, x + 32, y + 4, least.select<4, 1, 8, 1>(4, 8));
  for (int k = 0; k < n; k += 4) {
    matrix<float, 8, 4> from;
    matrix<float, 4, 16> to;
    read(a, k * 4, y, from);
    read(b, x, k, to.select<4, 1, 8, 1>(0, 0));
    read(b, x + 32, k, to.select<4, 1, 8, 1>(0, 8));
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int row = 0; row < 8; ++row)
        least.row(row) = cm_min<float>(least.row(row), from(row, i) + to.row(i));
  }
  write(c, x, y, least.select<4, 1, 8, 1>(0, 0));
  write(c, x + 32, y, least.select<4, 1, 8, 1>(0, 8));
  write(c, x, y + 4, least.select<4, 1, 8, 1>(4, 0));
  write(c, x + 32, y + 4, least.select<4, 1, 8, 1>(4, 8));
}

/// A step of connected components: the least label of those of 3 x 3 pixels that belong to something (0 does not).
extern "C" _GENX_MAIN_ void labels(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 24, y = get_thread_origin_y() * 6;
  matrix<uint, 8, 8> p;
  read(in, x - 4, y - 1, p);
  p.merge(0xffffffff, p == 0);
  matrix<uint, 6, 8> rows = cm_min<uint>(p.select<6, 1, 8, 1>(0, 0), p.select<6, 1, 8, 1>(1, 0));
  rows = cm_min<uint>(rows, p.select<6, 1, 8, 1>(2, 0));
  matrix<uint, 6, 6> least = cm_min<uint>(rows.select<6, 1, 6, 1>(0, 0), rows.select<6, 1, 6, 1>(0, 1));
  least = cm_min<uint>(least, rows.select<6, 1, 6, 1>(0, 2));
  least.merge(0, p.select<6, 1, 6, 1>(1, 1) == 0xffffffff);
  write(out, x, y, least);
}

/// Runs of equal bytes in 64: first how many, then where each begins and its byte (place << 8 | byte), 0 behind them.
extern "C" _GENX_MAIN_ void runs(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uchar, 64> bytes;
  read(in, thread * 64, bytes);
  vector<ushort, 64> begins = 1;
  begins.select<63, 1>(1) = bytes.select<63, 1>(1) != bytes.select<63, 1>(0);
  vector<uint, 2> masks;
  masks(0) = cm_pack_mask(begins.select<32, 1>(0));
  masks(1) = cm_pack_mask(begins.select<32, 1>(32));
  vector<ushort, 80> found = 0;
  ushort count = 0;
#pragma unroll
  for (int half = 0; half < 2; ++half)
    for (uint rest = masks(half); rest; rest &= rest - 1) {
      ushort place = half * 32 + cm_fbl(rest);
      found(16 + count++) = place << 8 | bytes(place);
    }
  found(0) = count;
  write(out, thread * 160, found.select<64, 1>(0));
  write(out, thread * 160 + 128, found.select<16, 1>(64));
}

/// How many letters 16 pairs of words of 16 letters differ in: changed, left out or put in. Letter i of all first words,
/// of all second words, then the next ones.
extern "C" _GENX_MAIN_ void edits(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  matrix<uchar, 32, 16> letters;
#pragma unroll
  for (int part = 0; part < 4; ++part)
    read(in, thread * 512 + part * 128, letters.select<8, 1, 16, 1>(part * 8, 0).format<uchar>());
  matrix<ushort, 17, 16> row;
#pragma unroll
  for (int j = 0; j < 17; ++j)
    row.row(j) = j;
  for (int i = 0; i < 16; ++i) {
    vector<uchar, 16> letter = letters.row(2 * i);
    vector<ushort, 16> before = row.row(0);
    row.row(0) = i + 1;
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      vector<ushort, 16> changed = before;
      changed.merge(before + 1, letter != letters.row(2 * j + 1));
      before = row.row(j + 1);
      vector<ushort, 16> moved = cm_min<ushort>(row.row(j), before) + 1;
      row.row(j + 1) = cm_min<ushort>(changed, moved);
    }
  }
  write(out, thread * 32, row.row(16));
}

_GENX_ inline void turn(vector_ref<uint, 16> d, vector_ref<uint, 16> a, vector_ref<uint, 16> b, int by) {
  a += b;
  d ^= a;
  d = (d << by) | (d >> (32 - by));
}

/// ChaCha20's key stream: 16 blocks of 16 words a thread, word i of all blocks, then word i + 1.
extern "C" _GENX_MAIN_ void chacha(SurfaceIndex out, vector<uint, 8> key) {
  uint thread = get_thread_origin_x();
  matrix<uint, 16, 16> start, s;
  start.row(0) = 0x61707865, start.row(1) = 0x3320646e, start.row(2) = 0x79622d32, start.row(3) = 0x6b206574;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    start.row(4 + i) = key(i);
  start.row(12) = lanes<uint>() + thread * 16;
  start.row(13) = 1, start.row(14) = 2, start.row(15) = 3;
  s = start;
  for (int round = 0; round < 10; ++round)
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      int by = k < 4 ? 0 : 1, b = 4 + (k + by) % 4, c = 8 + (k + 2 * by) % 4, d = 12 + (k + 3 * by) % 4;
      turn(s.row(d), s.row(k % 4), s.row(b), 16);
      turn(s.row(b), s.row(c), s.row(d), 12);
      turn(s.row(d), s.row(k % 4), s.row(b), 8);
      turn(s.row(b), s.row(c), s.row(d), 7);
    }
  s += start;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    write(out, thread * 1024 + i * 64, s.row(i));
}

/// Ten rounds of a cipher of tables, as AES has them: four words of 16 blocks, word i of all blocks, then word i + 1.
extern "C" _GENX_MAIN_ void rounds(SurfaceIndex in, SurfaceIndex tables, SurfaceIndex keys, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  matrix<uint, 4, 16> s, next;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    read(in, thread * 256 + i * 64, s.row(i));
  for (int round = 0; round < 10; ++round) {
    vector<uint, 4> key;
    read(keys, round * 16, key);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      next.row(i) = key(i);
#pragma unroll
      for (int byte = 0; byte < 4; ++byte) {
        vector<uint, 16> at = ((s.row((i + byte) % 4) >> (8 * byte)) & 255) + 256 * byte, found;
        read(tables, 0, at, found);
        next.row(i) ^= found;
      }
    }
    s = next;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    write(out, thread * 256 + i * 64, s.row(i));
}

/// Adler's checksum of 1024 bytes.
extern "C" _GENX_MAIN_ void adler(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<ushort, 128> weight;
  cmtl::cm_vector_assign<ushort, 128>(weight, 0, 1);
  weight = 128 - weight;
  uint a = 1, b = 0;
  for (int part = 0; part < 8; ++part) {
    vector<uchar, 128> bytes;
    read(in, thread * 1024 + part * 128, bytes);
    vector<uint, 128> weighed = bytes * weight;
    b += a * 128 + cm_sum<uint>(weighed);
    a += cm_sum<uint>(bytes);
  }
  write(out, thread * 16, vector<uint, 4>(b % 65521 << 16 | a % 65521));
}

/// Points x, y, z, 1 by a matrix of 4 x 4, then divided by their last coordinate: 8 points a thread.
extern "C" _GENX_MAIN_ void points(SurfaceIndex in, SurfaceIndex out, vector<float, 16> by) {
  uint at = get_thread_origin_x() * 128;
  matrix<float, 8, 4> p, result;
  read(in, at, p.format<float>());
#pragma unroll
  for (int c = 0; c < 4; ++c)
    result.column(c) = p.column(0) * by(c) + p.column(1) * by(4 + c) + p.column(2) * by(8 + c) + by(12 + c);
  vector<float, 8> inverse = 1.0f / result.column(3);
#pragma unroll
  for (int c = 0; c < 3; ++c)
    result.column(c) *= inverse;
  write(out, at, result.format<float>());
}

/// The first of `count` boxes that each of 16 rays from the origin meets, and where; boxes are 3 pairs least, most.
extern "C" _GENX_MAIN_ void rays(SurfaceIndex in, SurfaceIndex boxes, SurfaceIndex out, int count) {
  uint thread = get_thread_origin_x();
  matrix<float, 3, 16> inverse;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis)
    read(in, thread * 192 + axis * 64, inverse.row(axis));
  inverse = 1.0f / inverse;
  vector<float, 16> best = 1e30f, which = -1;
  for (int i = 0; i < count; ++i) {
    vector<float, 8> box;
    read(boxes, i * 32, box);
    vector<float, 16> near = 0, far = best;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      vector<float, 16> t0 = inverse.row(axis) * box(2 * axis), t1 = inverse.row(axis) * box(2 * axis + 1);
      near = cm_max<float>(near, cm_min<float>(t0, t1));
      far = cm_min<float>(far, cm_max<float>(t0, t1));
    }
    vector<ushort, 16> hit = near < far;
    best.merge(near, hit);
    which.merge(i, hit);
  }
  write(out, thread * 128, best);
  write(out, thread * 128 + 64, which);
}

/// 32 pixels of three bytes to a byte of light each, then 32 differences of blue and of red.
extern "C" _GENX_MAIN_ void yuv(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uchar, 96> bytes, result;
  read(in, thread * 96, bytes.select<64, 1>(0));
  read(in, thread * 96 + 64, bytes.select<32, 1>(64));
  vector<short, 32> r = bytes.select<32, 3>(0), g = bytes.select<32, 3>(1), b = bytes.select<32, 3>(2);
  result.select<32, 1>(0) = ((r * 66 + g * 129 + b * 25 + 128) >> 8) + 16;
  result.select<32, 1>(32) = ((b * 112 - r * 38 - g * 74 + 128) >> 8) + 128;
  result.select<32, 1>(64) = ((r * 112 - g * 94 - b * 18 + 128) >> 8) + 128;
  write(out, thread * 96, result.select<64, 1>(0));
  write(out, thread * 96 + 64, result.select<32, 1>(64));
}

/// Where 16 numbers stand in a sorted table of 4096: how many are less.
extern "C" _GENX_MAIN_ void places(SurfaceIndex in, SurfaceIndex table, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> key, at = 0, there;
  read(in, thread * 64, key);
#pragma unroll
  for (int step = 2048; step > 0; step /= 2) {
    vector<uint, 16> next = at + step - 1;
    read(table, 0, next, there);
    at.merge(at + step, there < key);
  }
  read(table, 0, at, there);
  at += vector<uint, 16>(there < key);
  write(out, thread * 64, at);
}

/// Ten decimal digits of each of 8 numbers, leading zeros as spaces: 12 letters a number, the last two are spaces.
extern "C" _GENX_MAIN_ void decimals(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 8> rest;
  read(in, thread * 32, rest);
  matrix<uchar, 8, 12> letters = ' ';
#pragma unroll
  for (int i = 9; i >= 0; --i) {
    vector<uint, 8> tenth = rest / 10;
    vector<uchar, 8> digit = rest - tenth * 10 + '0';
    if (i < 9)
      digit.merge(' ', rest == 0);
    letters.column(i) = digit;
    rest = tenth;
  }
  write(out, thread * 96, letters.format<uchar>().select<64, 1>(0));
  write(out, thread * 96 + 64, letters.format<uchar>().select<32, 1>(64));
}
