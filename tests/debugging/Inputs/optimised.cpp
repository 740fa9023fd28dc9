// Variables of which passes of -O2 leave parts, other sizes, or nothing.
#include <cm/cm.h>
struct Pair {
  vector<int, 8> low;
  vector<float, 8> high;
  int count;
};
_GENX_ vector<int, 8> scaled(vector<int, 8> a, int by) {
  vector<int, 8> result = a * by;
  result += 1;
  return result;
}
extern "C" _GENX_MAIN_ void optimised(SurfaceIndex in, SurfaceIndex out, int n) {
  int x = get_thread_origin_x();
  vector<int, 32> v;
  read(in, x * 128, v);
  matrix<uchar, 4, 8> bytes = v & 0x7f;
  matrix<ushort, 4, 8> sums = bytes;
  for (int i = 0; i < n; ++i) {
    sums += bytes;
    sums(1, i & 3) = i;
  }
  bytes = (sums + 8) >> 4;
  vector<int, 8> part = v.select<8, 2>(1);
  part(0) = 99;
  vector<int, 8> other = scaled(part, n);
  part(3) = other(2);
  Pair pair;
  pair.low = part;
  pair.high = part;
  pair.count = n + x;
  vector<float, 8> root = pair.high * 0.5f + 1.0f;
  int bits = (n * 77 + x) & 0xff;
  SIMD_IF_BEGIN(part > 40) {
    root = 7.0f;
  }
  SIMD_IF_END;
  bool large = n > 2;
  vector<short, 16> halves = v.select<16, 1>(16);
  if (large) {
    halves += bits;
    part = other - 2;
  }
  float total = cm_sum<float>(root);
  vector<int, 8> result = part + pair.low + pair.count;
  result.select<4, 1>(4) = halves.select<4, 1>(2);
  v.select<8, 1>(0) = result;
  v.select<8, 1>(8) = bytes.row(2);
  v.select<8, 1>(16) = root;
  v(31) = total;
  write(out, x * 128, v);
  vector<int, 4> tail = v.select<4, 1>(0) * 3;
  tail(3) = halves(1);
  write(out, 1024 + x * 16, tail);
}
