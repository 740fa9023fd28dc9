// What costs time in loops, a kernel for each line of a report.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void costs(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 256> counts = 0;
  vector<uint, 16> lane(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), at, v, sum = 0;
  matrix<uchar, 4, 12> odd;
  for (int i = 0; i < n; ++i) {
    vector<uchar, 16> p;
    read(in, i * 16, p);
    counts(p(0)) += 1;
    for (int k = 0; k < 16; ++k)
      sum(k) += k;
    at = lane + i;
    read(in, 0, at, v);
    sum += v / n;
    read(in, i, 0, odd);
    sum.select<12, 1>(0) += odd.row(i & 3);
  }
  write(out, 0, counts.select<16, 1>(0));
  write(out, 64, sum);
}

// Nothing to say: blocks, whole vectors, a constant divisor.
extern "C" _GENX_MAIN_ void fine(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> v, sum = 0;
  for (int i = 0; i < n; ++i) {
    read(in, i * 64, v);
    sum += v / 3;
  }
  write(out, 0, sum);
}
