// Prefix sums of dwords: totals of strips, what is before each strip, then the sums. The host gives it as many strips
// at a time as a cache holds, so that memory is read once.
#include <cm/cm.h>

#define STRIP 4096 // elements of a thread

// Adds up what is before each element of 32: distances double.
_GENX_ inline vector<uint, 32> running(vector<uint, 32> v) {
  v.select<31, 1>(1) += v.select<31, 1>(0);
  v.select<30, 1>(2) += v.select<30, 1>(0);
  v.select<28, 1>(4) += v.select<28, 1>(0);
  v.select<24, 1>(8) += v.select<24, 1>(0);
  v.select<16, 1>(16) += v.select<16, 1>(0);
  return v;
}

// The total of each strip. `first` is the number of the first one.
extern "C" _GENX_MAIN_ void totals(SurfaceIndex in, SurfaceIndex sums, uint first) {
  uint strip = first + get_thread_origin_x();
  vector<uint, 32> sum = 0, v;
  for (uint i = 0; i < STRIP; i += 32) {
    read(in, (strip * STRIP + i) * 4, v);
    sum += v;
  }
  vector<uint, 1> total = cm_sum<uint>(sum), at = get_thread_origin_x();
  write(sums, 0, at, total);
}

// One thread: what is before each of 256 strips; element 256 is what was before all of them, and then what is behind.
extern "C" _GENX_MAIN_ void offsets(SurfaceIndex sums) {
  vector<uint, 1> at = 256, carried;
  read(sums, 0, at, carried);
  uint before = carried(0);
  for (uint i = 0; i < 256; i += 32) {
    vector<uint, 32> v, sum;
    read(sums, i * 4, v);
    sum = running(v);
    write(sums, i * 4, sum - v + before);
    before += sum(31);
  }
  carried = before;
  write(sums, 0, at, carried);
}

extern "C" _GENX_MAIN_ void add(SurfaceIndex in, SurfaceIndex sums, SurfaceIndex out, uint first) {
  uint strip = first + get_thread_origin_x();
  vector<uint, 1> at = get_thread_origin_x(), start;
  read(sums, 0, at, start);
  uint before = start(0);
  for (uint i = 0; i < STRIP; i += 32) {
    vector<uint, 32> v;
    read(in, (strip * STRIP + i) * 4, v);
    v = running(v) + before;
    write(out, (strip * STRIP + i) * 4, v);
    before = v(31);
  }
}
