// Code of 40 takes many seconds and hundreds of megabytes to make: large vectors whose elements are chosen at run time.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void vectors(SurfaceIndex out, int n) {
  vector<int, 4096> v[COUNT];
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    v[i] = n + i;
    v[i].select<16, 1>(n * i) = i;
    v[i](n ^ i) += v[(i + 1) % COUNT](n - i);
  }
#pragma unroll
  for (int i = 0; i < COUNT; ++i)
    write(out, i * 64, vector<int, 16>(v[i].select<16, 1>(n + i)));
}
