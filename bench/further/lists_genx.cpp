// Kernels of lists, grids and graphs: shortest paths, local alignment, ranks of digits, nearest neighbours, cells of a grid,
// earlier places, running sums, distances to dark pixels, a colour filter, two sorted lists, keys of a table, rows as
// bytes, rows of mean 0.
#include <cm/cm.h>
#include <cm/cmtl.h>

template <class T, int N> _GENX_ inline vector<T, N> lanes() {
  vector<T, N> lane;
  cmtl::cm_vector_assign<T, N>(lane, 0, 1);
  return lane;
}

/// Shortest ways between 16 knots, of their direct lengths.
extern "C" _GENX_MAIN_ void paths(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 1024;
  matrix<uint, 16, 16> length;
#pragma unroll
  for (int i = 0; i < 16; i += 2)
    read(in, at + i * 64, length.select<2, 1, 16, 1>(i, 0).format<uint>());
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    vector<uint, 16> to = length.column(k), from = length.row(k);
#pragma unroll
    for (int i = 0; i < 16; ++i)
      length.row(i) = cm_min<uint>(length.row(i), from + to(i));
  }
#pragma unroll
  for (int i = 0; i < 16; i += 2)
    write(out, at + i * 64, length.select<2, 1, 16, 1>(i, 0).format<uint>());
}

/// The best local alignment of 32 bytes with 96 others, by diagonals: 3 for the same byte, -2 for another, -2 for a gap.
extern "C" _GENX_MAIN_ void align(SurfaceIndex shorts, SurfaceIndex longs, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uchar, 32> mine;
  vector<uchar, 192> theirs = 0; // the longer one from 32 on; nothing is like its borders
  read(shorts, thread * 32, mine);
  read(longs, thread * 96, theirs.select<96, 1>(32));
  vector<uchar, 32> reversed; // lane i of a diagonal has byte 31 - i
#pragma unroll
  for (int i = 0; i < 32; ++i)
    reversed(i) = mine(31 - i);
  vector<short, 33> last = 0, before = 0; // a lane more, for what is left of all
  vector<short, 32> best = 0;
  for (int d = 1; d < 128; ++d) {
    vector<uchar, 32> other = theirs.select<32, 1>(d);
    vector<short, 32> same = -2;
    same.merge(3, other == reversed);
    vector<short, 32> now = before.select<32, 1>(1) + same;
    now = cm_max<short>(now, last.select<32, 1>(0) - 2);
    now = cm_max<short>(now, last.select<32, 1>(1) - 2);
    now = cm_max<short>(now, 0);
    best = cm_max<short>(best, now);
    before = last;
    last.select<32, 1>(0) = now;
  }
  write(out, thread * 64, best);
}

/// 256 dwords in the order of their lowest four bits, others as they were.
extern "C" _GENX_MAIN_ void digits(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 256;
  vector<uint, 256> keys;
#pragma unroll
  for (int i = 0; i < 256; i += 32)
    read(in, (at + i) * 4, keys.select<32, 1>(i));
  vector<uint, 16> next = 0;
  for (int i = 0; i < 256; ++i)
    next(keys(i) & 15) += 1;
  vector<uint, 16> begin = next;
#pragma unroll
  for (int step = 1; step < 16; step *= 2) {
    vector<uint, 32> wide = 0;
    wide.select<16, 1>(16) = begin;
    begin += wide.select<16, 1>(16 - step);
  }
  begin -= next;
  for (int i = 0; i < 256; i += 16) {
    vector<uint, 16> key = keys.select<16, 1>(i), digit = key & 15, place;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      place(k) = begin(digit(k));
      begin(digit(k)) += 1;
    }
    write(out, at, place, key);
  }
}

/// Squared distances to the four nearest of 256 places, for 16 each.
extern "C" _GENX_MAIN_ void neighbours(SurfaceIndex in, SurfaceIndex all, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<float, 32> here;
  read(in, thread * 128, here);
  vector<float, 16> x = here.select<16, 1>(0), y = here.select<16, 1>(16);
  vector<float, 16> a = 1e30f, b = 1e30f, c = 1e30f, d = 1e30f;
  for (int i = 0; i < 256; i += 8) {
    vector<float, 16> places;
    read(all, i * 8, places);
#pragma unroll
    for (int k = 0; k < 16; k += 2) {
      vector<float, 16> dx = places(k) - x, dy = places(k + 1) - y, far = dx * dx + dy * dy, less;
      less = cm_min<float>(a, far), far = cm_max<float>(a, far), a = less;
      less = cm_min<float>(b, far), far = cm_max<float>(b, far), b = less;
      less = cm_min<float>(c, far), far = cm_max<float>(c, far), c = less;
      d = cm_min<float>(d, far);
    }
  }
  write(out, thread * 256, a);
  write(out, thread * 256 + 64, b);
  write(out, thread * 256 + 128, c);
  write(out, thread * 256 + 192, d);
}

/// Of each block of 16 by 16 pixels the count and the sum of those in each of 16 ranges of brightness.
extern "C" _GENX_MAIN_ void cells(SurfaceIndex in, SurfaceIndex out, int across) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  matrix<uchar, 16, 16> pixels;
  read(in, x * 16, y * 16, pixels);
  vector<uint, 16> count = 0, sum = 0;
  for (int i = 0; i < 16; ++i)
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      uint p = pixels(i, k);
      count(p >> 4) += 1;
      sum(p >> 4) += p;
    }
  uint at = (y * across + x) * 128;
  write(out, at, count);
  write(out, at + 64, sum);
}

/// For each of 256 bytes the last place before it whose three bytes have the same hash, as a table of 64 remembers it.
extern "C" _GENX_MAIN_ void earlier(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uchar, 288> text;
  read(in, thread * 256, text.select<128, 1>(0));
  read(in, thread * 256 + 128, text.select<128, 1>(128));
  read(in, thread * 256 + 256, text.select<32, 1>(256));
  vector<ushort, 256> a = text.select<256, 1>(0), b = text.select<256, 1>(1), c = text.select<256, 1>(2);
  vector<ushort, 256> hash = (a * 37 + b * 11 + c) & 63;
  vector<uchar, 64> table = 0;
  vector<uchar, 256> found;
  for (int i = 0; i < 256; ++i) {
    found(i) = table(hash(i));
    table(hash(i)) = i;
  }
  write(out, thread * 256, found.select<128, 1>(0));
  write(out, thread * 256 + 128, found.select<128, 1>(128));
}

/// Running sums of 256 dwords.
extern "C" _GENX_MAIN_ void running(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 1024, carry = 0;
  for (int i = 0; i < 1024; i += 64) {
    vector<uint, 16> v;
    read(in, at + i, v);
    v.select<15, 1>(1) += v.select<15, 1>(0);
    v.select<14, 1>(2) += v.select<14, 1>(0);
    v.select<12, 1>(4) += v.select<12, 1>(0);
    v.select<8, 1>(8) += v.select<8, 1>(0);
    v += carry;
    carry = v(15);
    write(out, at + i, v);
  }
}

/// How far the next dark pixel to the left or right in a row is, 31 at most, of 32 columns and 8 rows.
extern "C" _GENX_MAIN_ void chamfer(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 8, 32> pixels, far = 31;
  read(in, x, y, pixels);
  far.merge(0, pixels < 16);
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    matrix<uchar, 8, 96> wide = 31;
    wide.select<8, 1, 32, 1>(0, 32) = far;
    matrix<uchar, 8, 32> left = wide.select<8, 1, 32, 1>(0, 32 - step), right = wide.select<8, 1, 32, 1>(0, 32 + step);
    far = cm_min<uchar>(far, cm_min<uchar>(left, right) + step);
  }
  write(out, x, y, far);
}

/// Colours of a sensor whose even rows are green, red and odd ones blue, green: 4 bytes a pixel.
extern "C" _GENX_MAIN_ void sensor(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 14, y = get_thread_origin_y() * 4;
  matrix<uchar, 6, 16> bytes;
  read(in, x - 1, y - 1, bytes);
  matrix<ushort, 6, 16> p = bytes;
  matrix<ushort, 4, 14> sides = p.select<4, 1, 14, 1>(1, 0) + p.select<4, 1, 14, 1>(1, 2);
  matrix<ushort, 4, 14> ends = p.select<4, 1, 14, 1>(0, 1) + p.select<4, 1, 14, 1>(2, 1);
  matrix<ushort, 4, 14> corners = p.select<4, 1, 14, 1>(0, 0) + p.select<4, 1, 14, 1>(0, 2) +
                                  p.select<4, 1, 14, 1>(2, 0) + p.select<4, 1, 14, 1>(2, 2);
  matrix<ushort, 4, 14> here = p.select<4, 1, 14, 1>(1, 1), cross = (sides + ends) >> 2;
  sides >>= 1, ends >>= 1, corners >>= 2;
  matrix<uchar, 4, 56> colour = 255;
#pragma unroll
  for (int r = 0; r < 4; r += 2) {
    colour.select<1, 1, 7, 8>(r, 0) = ends.select<1, 1, 7, 2>(r, 0);
    colour.select<1, 1, 7, 8>(r, 1) = here.select<1, 1, 7, 2>(r, 0);
    colour.select<1, 1, 7, 8>(r, 2) = sides.select<1, 1, 7, 2>(r, 0);
    colour.select<1, 1, 7, 8>(r, 4) = corners.select<1, 1, 7, 2>(r, 1);
    colour.select<1, 1, 7, 8>(r, 5) = cross.select<1, 1, 7, 2>(r, 1);
    colour.select<1, 1, 7, 8>(r, 6) = here.select<1, 1, 7, 2>(r, 1);
    colour.select<1, 1, 7, 8>(r + 1, 0) = here.select<1, 1, 7, 2>(r + 1, 0);
    colour.select<1, 1, 7, 8>(r + 1, 1) = cross.select<1, 1, 7, 2>(r + 1, 0);
    colour.select<1, 1, 7, 8>(r + 1, 2) = corners.select<1, 1, 7, 2>(r + 1, 0);
    colour.select<1, 1, 7, 8>(r + 1, 4) = sides.select<1, 1, 7, 2>(r + 1, 1);
    colour.select<1, 1, 7, 8>(r + 1, 5) = here.select<1, 1, 7, 2>(r + 1, 1);
    colour.select<1, 1, 7, 8>(r + 1, 6) = ends.select<1, 1, 7, 2>(r + 1, 1);
  }
  write(out, x * 4, y, colour.select<4, 1, 32, 1>(0, 0));
  write(out, x * 4 + 32, y, colour.select<4, 1, 24, 1>(0, 32));
}

/// Two sorted lists of 64 dwords become one, 16 at a time: the lower ones of two sixteens are next, the others stay.
extern "C" _GENX_MAIN_ void merged(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 128, a = at, b = at + 64;
  vector<uint, 16> low, high;
  read(in, a * 4, low);
  read(in, b * 4, high);
  a += 16, b += 16;
  for (int i = 0; i < 7; ++i) {
    vector<uint, 16> turned;
#pragma unroll
    for (int k = 0; k < 16; ++k)
      turned(k) = high(15 - k);
    vector<uint, 32> both;
    both.select<16, 1>(0) = cm_min<uint>(low, turned);
    both.select<16, 1>(16) = cm_max<uint>(low, turned);
#pragma unroll
    for (int apart = 8; apart > 0; apart /= 2) {
      vector<uint, 32> moved = both;
#pragma unroll
      for (int k = 0; k < 32; k += 2 * apart)
#pragma unroll
        for (int m = k; m < k + apart; ++m) {
          both(m) = cm_min<uint>(moved(m), moved(m + apart));
          both(m + apart) = cm_max<uint>(moved(m), moved(m + apart));
        }
    }
    write(out, (at + i * 16) * 4, both.select<16, 1>(0));
    high = both.select<16, 1>(16);
    if (i == 6)
      break;
    vector<uint, 1> nextA = 0xffffffff, nextB = 0xffffffff;
    vector<uint, 8> first;
    if (a < at + 64) {
      read(DWALIGNED(in), a * 4, first);
      nextA = first(0);
    }
    if (b < at + 128) {
      read(DWALIGNED(in), b * 4, first);
      nextB = first(0);
    }
    if (b >= at + 128 || (a < at + 64 && nextA(0) <= nextB(0))) {
      read(in, a * 4, low);
      a += 16;
    } else {
      read(in, b * 4, low);
      b += 16;
    }
  }
  write(out, (at + 112) * 4, high);
}

/// What a table of 4096 places has for 16 keys: a key lies at its hash or behind it, in front of the next empty place.
extern "C" _GENX_MAIN_ void keys(SurfaceIndex in, SurfaceIndex table, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> key, place, found, value = 0;
  read(in, thread * 64, key);
  place = (key * 2654435761u) >> 20;
  SIMD_DO_WHILE_BEGIN {
    read(table, 0, place * 2, found);
    SIMD_IF_BEGIN(found == key) {
      read(table, 1, place * 2, value);
      SIMD_BREAK;
    }
    SIMD_IF_END;
    place = (place + 1) & 4095;
  }
  SIMD_DO_WHILE_END(found != 0);
  write(out, thread * 64, value);
}

/// Rows of 256 floats as bytes, the largest of which is 127 or -127, and the factor of each row.
extern "C" _GENX_MAIN_ void rowbytes(SurfaceIndex in, SurfaceIndex out, SurfaceIndex factors) {
  uint row = get_thread_origin_x();
  vector<float, 256> v;
#pragma unroll
  for (int i = 0; i < 256; i += 32)
    read(in, (row * 256 + i) * 4, v.select<32, 1>(i));
  float most = cm_reduced_max<float>(cm_abs<float>(v)), factor = 127.0f / cm_max<float>(most, 1e-20f);
  vector<char, 256> bytes = cm_rnde<float>(v * factor);
#pragma unroll
  for (int i = 0; i < 256; i += 64)
    write(out, i, row, matrix<char, 1, 64>(bytes.select<64, 1>(i)));
  vector<float, 16> f = factor;
  write(factors, row * 64, f);
}

/// Rows of 256 floats of mean 0 and variance 1.
extern "C" _GENX_MAIN_ void norms(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 1024;
  vector<float, 256> v;
#pragma unroll
  for (int i = 0; i < 256; i += 32)
    read(in, at + i * 4, v.select<32, 1>(i));
  v -= cm_sum<float>(v) / 256;
  v *= cm_rsqrt(vector<float, 1>(cm_sum<float>(v * v) / 256 + 1e-5f))(0);
#pragma unroll
  for (int i = 0; i < 256; i += 32)
    write(out, at + i * 4, v.select<32, 1>(i));
}
