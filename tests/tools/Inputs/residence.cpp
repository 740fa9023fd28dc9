// A variable for each rule of where variables live.
#include <cm/cm.h>

const int lut[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int counter;

float twice(float x) {
  float y = x * 2;
  return y;
}

extern "C" _GENX_MAIN_ void residence(SurfaceIndex out, int n) {
  counter = 1;
  float small[40];
  int big[1024];
  float a[16], b[16];
  for (int i = 0; i < n; ++i)
    small[i & 31] = i * twice(n);
  for (int i = 0; i < 1024; ++i)
    big[i] = i ^ n;
  for (int i = 0; i < 16; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }
  float *p = n > 3 ? a : b;
  vector<float, 16> v;
  for (int i = 0; i < n; ++i)
    v(i & 15) = small[(i * n) & 31] + big[(i * 7 + n) & 1023] + p[i & 15] + lut[(i + n) & 7];
  vector<float, 16> w;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    w(i) = v(15 - i);
  counter += n;
  write(out, 0, v);
  write(out, 64 * counter, w);
}
