#include <cm/cm.h>

// Writes each argument to a row of its own.
extern "C" _GENX_MAIN_ void arguments(SurfaceIndex out, uchar b, short s, vector<float, 4> f, vector<half, 2> h,
                                      double d) {
  vector<int, 2> ints;
  ints(0) = b;
  ints(1) = s;
  vector<double, 1> one = d;
  write(out, 0, 0, f);
  write(out, 0, 1, ints);
  write(out, 0, 2, h);
  write(out, 0, 3, one);
}

extern "C" _GENX_MAIN_ void nothing(SurfaceIndex buf) {}
