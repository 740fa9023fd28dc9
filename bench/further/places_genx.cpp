// Kernels that read the same from many places: a search for motion, both fields of a picture, records of four numbers by
// lanes, neighbours at borders; and bytes beside scalars.
#include <cm/cm.h>

/// Where 16 x 16 pixels have come from, of 8 x 8 places: the least sum of distances in the upper bits.
extern "C" _GENX_MAIN_ void motion(SurfaceIndex now, SurfaceIndex before, SurfaceIndex out, int across) {
  int x = get_thread_origin_x() * 16 + 8, y = get_thread_origin_y() * 16 + 8;
  matrix<uchar, 16, 16> a, b;
  read(now, x, y, a);
  uint best = ~0u;
  for (int k = 0; k < 64; ++k) {
    read(before, x + (k & 7) - 4, y + (k >> 3) - 4, b);
    vector<ushort, 256> pairs = cm_sad2<ushort>(a, b);
    uint sum = cm_sum<uint>(pairs) << 6 | k;
    best = sum < best ? sum : best;
  }
  write(out, 0, vector<uint, 1>(get_thread_origin_y() * across + get_thread_origin_x()), vector<uint, 1>(best));
}

/// The mean of both fields, 32 x 8 pixels.
extern "C" _GENX_MAIN_ void fields(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  matrix<uchar, 8, 32> a, b;
  read(TOP_FIELD(in), x, y, a);
  read(BOTTOM_FIELD(in), x, y, b);
  matrix<uchar, 8, 32> mean = cm_avg<uchar>(a, b);
  write(out, x, y, mean);
}

/// 64 points of four coordinates, turned by a matrix whose columns are m.
extern "C" _GENX_MAIN_ void vertices(SurfaceIndex in, SurfaceIndex out, vector<float, 16> m) {
  vector<uint, 16> lane;
  for (int i = 0; i < 16; ++i)
    lane(i) = i;
  for (int i = 0; i < 4; ++i) {
    vector<uint, 16> at = (lane + (get_thread_origin_x() * 4 + i) * 16) * 4;
    vector<float, 16> x, y, z, w;
    read(in, 0, at, x);
    read(in, 0, vector<uint, 16>(at + 1), y);
    read(in, 0, vector<uint, 16>(at + 2), z);
    read(in, 0, vector<uint, 16>(at + 3), w);
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      vector<float, 16> r = x * m(c) + y * m(4 + c) + z * m(8 + c) + w * m(12 + c);
      write(out, 0, vector<uint, 16>(at + c), r);
    }
  }
}

/// 16 pixels of a 3x3 filter with weights 1 2 1, whose neighbours are clamped at the borders: a pixel a lane.
extern "C" _GENX_MAIN_ void borders(SurfaceIndex in, SurfaceIndex out, int width, int height) {
  vector<int, 16> i;
  for (int k = 0; k < 16; ++k)
    i(k) = k;
  i += (get_thread_origin_y() * (width / 16) + get_thread_origin_x()) * 16;
  vector<int, 16> x = i % width, y = i / width;
  vector<float, 16> sum = 0;
#pragma unroll
  for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
    for (int dx = -1; dx <= 1; ++dx) {
      vector<int, 16> column = cm_min<int>(cm_max<int>(x + dx, 0), width - 1),
                      row = cm_min<int>(cm_max<int>(y + dy, 0), height - 1);
      vector<uint, 16> at = row * width + column;
      vector<float, 16> pixel;
      read(in, 0, at, pixel);
      sum += pixel * float((2 - dx * dx) * (2 - dy * dy));
    }
  vector<uint, 16> to = i;
  write(out, 0, to, vector<float, 16>(sum * (1.0f / 16)));
}

/// Small letters of 128 bytes become capital ones, and a letter that is asked for a star.
extern "C" _GENX_MAIN_ void letters(SurfaceIndex in, SurfaceIndex out, int letter) {
  uint at = get_thread_origin_x() * 128;
  vector<uchar, 128> v;
  read(in, at, v);
  uchar hidden = letter, first = 'a', last = 'z';
  vector<uchar, 128> r = v;
  r.merge(v - 32, (v >= first) & (v <= last));
  r.merge('*', v == hidden);
  write(out, at, r);
}

/// Two layers of signed bytes are added with weights, and brought back to bytes around a zero point.
extern "C" _GENX_MAIN_ void layers(SurfaceIndex a, SurfaceIndex b, SurfaceIndex out, int zero) {
  uint at = get_thread_origin_x() * 128;
  vector<char, 128> x, y;
  read(a, at, x);
  read(b, at, y);
  vector<int, 128> sum = (x + 5) * 181 + (y - 7) * 97;
  write(out, at, cm_add<char>((sum + 128) >> 8, zero, SAT));
}
