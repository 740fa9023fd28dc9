// Variables of blocks and functions, some of the same name.
#include <cm/cm.h>
_GENX_ int twiceOf(int a) {
  int result = a * 2;
  result += 1;
  return result;
}
extern "C" _GENX_MAIN_ void scopes(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 8> v, sum = 0;
  int total = 0;
  for (int i = 0; i < n; ++i) {
    read(in, i * 32, v);
    int k = v(0) + i;
    sum += v * k;
    total += twiceOf(k);
  }
  int last = total;
  for (int j = 0; j < 3; ++j) {
    int i = j * 10;
    last -= i;
  }
  if (n > 2) {
    vector<int, 8> v = sum + 1;
    v(1) = last;
    write(out, 0, v);
  }
  bool big = total > 10;
  uchar small = total;
  float f = total * 0.5f;
  double d = f * 3;
  vector<half, 8> h = sum;
  write(out, 32, sum);
  write(out, 64, h);
  f = d + big + small;
  vector<float, 8> w = f;
  write(out, 96, w);
}
