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
