// Two kernels, each with a loop of its own, one with that of a function.
#include <cm/cm.h>

static _GENX_ float sum(vector<float, 8> v) {
  float s = 0;
  for (int i = 0; i < 8; ++i)
    s += v(i);
  return s;
}

extern "C" _GENX_MAIN_ void first(SurfaceIndex out) {
  vector<int, 8> v;
  for (int i = 0; i < 4; ++i)
    v.select<2, 1>(2 * i) = i;
  write(out, 0, v);
}

extern "C" _GENX_MAIN_ void second(SurfaceIndex out) {
  vector<int, 8> v;
  read(out, 0, v);
  for (int i = 0; i < 2; ++i)
    v.select<4, 1>(4 * i) += i;
  v(0) = sum(v);
  write(out, 0, v);
}
