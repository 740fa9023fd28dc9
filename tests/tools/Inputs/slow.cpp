// Accesses in a loop that cost more than they need.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void slow(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<float, 16> s = 0;
  for (int i = 0; i < n; ++i) {
    vector<float, 32> v;
    read(DWALIGNED(in), i * 4, v);
    s += v.select<16, 1>(5);
    s += v.select<16, 1>(8);
  }
  write(out, 0, s);
}
