#include <cm/cm.h>

#define PER_THREAD 256

// Adds up what is before each element of 32: distances double.
_GENX_ vector<uint, 32> running(vector<uint, 32> v) {
  v.select<31, 1>(1) += v.select<31, 1>(0);
  v.select<30, 1>(2) += v.select<30, 1>(0);
  v.select<28, 1>(4) += v.select<28, 1>(0);
  v.select<24, 1>(8) += v.select<24, 1>(0);
  v.select<16, 1>(16) += v.select<16, 1>(0);
  return v;
}

// First kernel: each thread's total.
extern "C" _GENX_MAIN_ void totals(SurfaceIndex in, SurfaceIndex sums) {
  uint thread = get_thread_origin_x();
  vector<uint, 32> sum = 0, v;
  for (int i = 0; i < PER_THREAD; i += 32) {
    read(in, (thread * PER_THREAD + i) * 4, v);
    sum += v;
  }
  vector<uint, 1> total = cm_sum<uint>(sum), at = thread;
  write(sums, 0, at, total);
}

// Second kernel, one thread: what is before each thread's part.
extern "C" _GENX_MAIN_ void scan(SurfaceIndex sums, int threads) {
  uint before = 0;
  for (int i = 0; i < threads; i += 32) {
    vector<uint, 32> v, sum;
    read(sums, i * 4, v);
    sum = running(v);
    write(sums, i * 4, sum - v + before);
    before += sum(31);
  }
}

// Third kernel: the sums themselves.
extern "C" _GENX_MAIN_ void add(SurfaceIndex in, SurfaceIndex sums, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 1> at = thread, start;
  read(sums, 0, at, start);
  uint before = start(0);
  for (int i = 0; i < PER_THREAD; i += 32) {
    vector<uint, 32> v;
    read(in, (thread * PER_THREAD + i) * 4, v);
    v = running(v);
    v += before;
    write(out, (thread * PER_THREAD + i) * 4, v);
    before = v(31);
  }
}
