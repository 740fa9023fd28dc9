// Kernels of samples: packed bytes, words and halves that are taken apart, looked up, filtered, compared.
#include <cm/cm.h>
#include <cm/cmtl.h>

/// 256 bytes become eight planes of 256 bits: plane p has bit p of every byte.
extern "C" _GENX_MAIN_ void planes(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 256;
  vector<uchar, 256> bytes;
  read(in, at, bytes.select<128, 1>(0));
  read(in, at + 128, bytes.select<128, 1>(128));
  matrix<uint, 8, 8> result;
#pragma unroll
  for (int part = 0; part < 8; ++part)
#pragma unroll
    for (int plane = 0; plane < 8; ++plane) {
      vector<ushort, 32> bit = (bytes.select<32, 1>(part * 32) >> plane) & 1;
      result(plane, part) = cm_pack_mask(bit);
    }
#pragma unroll
  for (int half = 0; half < 2; ++half)
    write(out, at + half * 128, result.select<4, 1, 8, 1>(half * 4, 0).format<uint>());
}

/// Pixels of four bytes over others: (a s + (255 - a) d) / 255, rounded; 8 pixels of 8 rows a thread.
extern "C" _GENX_MAIN_ void blend(SurfaceIndex over, SurfaceIndex under, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 8, 32> s, d, result;
  read(over, x, y, s);
  read(under, x, y, d);
  matrix<ushort, 8, 8> alpha = s.select<8, 1, 8, 4>(0, 3), rest = 255 - alpha;
#pragma unroll
  for (int channel = 0; channel < 4; ++channel) {
    matrix<ushort, 8, 8> sum = s.select<8, 1, 8, 4>(0, channel) * alpha + d.select<8, 1, 8, 4>(0, channel) * rest + 128;
    result.select<8, 1, 8, 4>(0, channel) = (sum + (sum >> 8)) >> 8;
  }
  write(out, x, y, result);
}

/// UTF-8: how many characters begin in 224 bytes, and how many bytes are continuations where none are expected or not
/// where one is. 16 bytes stand before the text.
extern "C" _GENX_MAIN_ void utf8(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uchar, 240> text;
  read(in, thread * 224, text.select<128, 1>(0));
  read(in, thread * 224 + 128, text.select<64, 1>(128));
  read(in, thread * 224 + 192, text.select<32, 1>(192));
  read(in, thread * 224 + 224, text.select<16, 1>(224));
  vector<ushort, 224> later = (text.select<224, 1>(16) & 0xc0) == 0x80;
  vector<ushort, 224> expected = text.select<224, 1>(15) >= 0xc0;
  expected |= text.select<224, 1>(14) >= 0xe0;
  expected |= text.select<224, 1>(13) >= 0xf0;
  vector<uint, 4> result = 0;
  result(0) = 224 - cm_sum<uint>(later);
  result(1) = cm_sum<uint>(later ^ expected);
  write(out, thread * 16, result);
}

/// The longest run of equal bytes in each of 16 pieces of 64.
extern "C" _GENX_MAIN_ void longest(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> result;
  for (int piece = 0; piece < 16; ++piece) {
    vector<uchar, 64> bytes;
    read(in, thread * 1024 + piece * 64, bytes);
    vector<uchar, 64> equal = 0;
    equal.select<63, 1>(0) = bytes.select<63, 1>(0) == bytes.select<63, 1>(1);
    uint length = 1;
    vector<uchar, 64> run = equal;
    while (run.any()) {
      ++length;
      equal.select<63, 1>(0) = equal.select<63, 1>(1);
      equal(63) = 0;
      run &= equal;
    }
    result(piece) = length;
  }
  write(out, thread * 64, result);
}

/// 8 x 8 dwords of a surface in Morton order.
extern "C" _GENX_MAIN_ void morton(SurfaceIndex in, SurfaceIndex out, int across) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  matrix<uint, 8, 8> tile;
  read(in, x * 32, y * 8, tile);
  vector<uint, 64> order;
#pragma unroll
  for (int i = 0; i < 64; i += 4) {
    int column = (i >> 2 & 1) * 2 + (i >> 4 & 1) * 4, row = (i >> 3 & 1) * 2 + (i >> 5 & 1) * 4;
    order.select<4, 1>(i) = tile.select<2, 1, 2, 1>(row, column);
  }
  write(out, (y * across + x) * 256, order.select<32, 1>(0));
  write(out, (y * across + x) * 256 + 128, order.select<32, 1>(32));
}

/// 8 rows of a matrix of halves with a vector of halves, in floats; rows of `width` bytes.
extern "C" _GENX_MAIN_ void halves(SurfaceIndex weights, SurfaceIndex in, SurfaceIndex out, int width) {
  int row = get_thread_origin_x() * 8;
  matrix<float, 8, 16> sums = 0;
  for (int k = 0; k < width; k += 32) {
    matrix<half, 8, 16> w;
    vector<half, 16> x;
    read(weights, k, row, w);
    read(in, k, x);
    vector<float, 16> wide = x;
#pragma unroll
    for (int i = 0; i < 8; ++i)
      sums.row(i) += w.row(i) * wide;
  }
  vector<float, 8> result;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    result(i) = cm_sum<float>(sums.row(i));
  write(out, row * 4, result);
}

/// Bytes through a table of 256, a table for even and one for odd columns.
extern "C" _GENX_MAIN_ void tones(SurfaceIndex in, SurfaceIndex tables, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  vector<uchar, 512> table;
#pragma unroll
  for (int part = 0; part < 4; ++part)
    read(tables, part * 128, table.select<128, 1>(part * 128));
  matrix<uchar, 8, 32> p;
  read(in, x, y, p);
  vector<ushort, 256> at = p.format<uchar>();
  at.select<128, 2>(1) += 256;
  matrix<uchar, 8, 32> result;
  result.format<uchar>() = table.iselect(at);
  write(out, x, y, result);
}

/// A filter of eight taps in fixed point (15 bits behind the point), rounded and saturated; 16 words before the data.
extern "C" _GENX_MAIN_ void fir(SurfaceIndex in, SurfaceIndex out, vector<short, 8> taps) {
  uint at = get_thread_origin_x() * 192;
  vector<short, 112> x;
  read(in, at, x.select<64, 1>(0));
  read(in, at + 128, x.select<32, 1>(64));
  read(in, at + 192, x.select<16, 1>(96));
  vector<int, 96> sum = 0x4000;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum += x.select<96, 1>(16 - k) * taps(k);
  vector<short, 96> result(sum >> 15, SAT);
  write(out, at, result.select<64, 1>(0));
  write(out, at + 128, result.select<32, 1>(64));
}

/// The four largest of 128 floats and where they stand, the first where several are equal.
extern "C" _GENX_MAIN_ void top(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<float, 128> v;
#pragma unroll
  for (int part = 0; part < 4; ++part)
    read(in, thread * 512 + part * 128, v.select<32, 1>(part * 32));
  vector<ushort, 128> place;
  cmtl::cm_vector_assign<ushort, 128>(place, 0, 1);
  vector<float, 4> most;
  vector<uint, 4> where;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    most(i) = cm_reduced_max<float>(v);
    vector<ushort, 128> candidate = 0xffff;
    candidate.merge(place, v == most(i));
    where(i) = cm_reduced_min<ushort>(candidate);
    v.merge(-1e30f, place == where(i));
  }
  vector<float, 8> result;
  result.select<4, 1>(0) = most;
  result.select<4, 1>(4) = where;
  write(out, thread * 32, result);
}

/// Samples of 12 bits, two in three bytes, to words: 192 bytes a thread.
extern "C" _GENX_MAIN_ void unpack(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uchar, 192> bytes;
  read(in, thread * 192, bytes.select<128, 1>(0));
  read(in, thread * 192 + 128, bytes.select<64, 1>(128));
  vector<ushort, 128> words;
  words.select<64, 2>(0) = bytes.select<64, 3>(0) | ((bytes.select<64, 3>(1) & 15) << 8);
  words.select<64, 2>(1) = (bytes.select<64, 3>(1) >> 4) | (bytes.select<64, 3>(2) << 4);
  write(out, thread * 256, words.select<64, 1>(0));
  write(out, thread * 256 + 128, words.select<64, 1>(64));
}
