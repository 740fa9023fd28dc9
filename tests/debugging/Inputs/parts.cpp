// Variables parts of which are computed, and one that nobody needs.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void parts(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v;
  read(in, 0, v);
  v += n;
  vector<int, 8> half = v.select<8, 2>(1) * 3;
  float f = v(3) + 0.5f;
  matrix<short, 2, 4> m = 7;
  m(1, 2) = n;
  int unused = n * 5;
  vector<int, 8> p = half;
  p(2) = n;
  vector<int, 8> r = half + int(f) + p(0);
  write(out, 0, r.select<4, 1>(0));
}

// Vectors and matrices whose classes are larger than their elements, with a sum that a loop carries.
extern "C" _GENX_MAIN_ void odd(SurfaceIndex in, SurfaceIndex out, int n) {
  matrix<uchar, 3, 12> block;
  read(in, 0, 0, block);
  matrix<ushort, 3, 5> sum = n;
  for (int i = 0; i < n; ++i)
    sum += block.select<3, 1, 5, 1>(0, i);
  vector<int, 20> wide = n;
  wide.select<15, 1>(0) += sum.format<ushort>();
  write(out, 0, wide.select<4, 1>(0));
}
