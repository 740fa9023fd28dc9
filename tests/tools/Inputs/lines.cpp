// Blocks that lie in two lines of the cache, and such that do not.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void crossing(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, sum = 0;
  vector<int, 8> half;
  for (int i = 0; i < n; ++i) {
    read(DWALIGNED(in), i * 80, v);
    sum += v;
    read(DWALIGNED(in), i * 64 + 4, v);
    sum += v;
    write(out, i * 48, sum.select<8, 1>(0));
  }
  write(out, 0, sum);
}

extern "C" _GENX_MAIN_ void inside(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, sum = 0;
  vector<int, 8> half;
  for (int i = 0; i < n; ++i) {
    read(in, i * 64 + n, v); // n may be a multiple
    sum += v;
    read(in, i * 32, half);
    sum.select<8, 1>(0) += half;
    read(in, n, v);
    sum += v;
  }
  write(out, 0, sum);
}

extern "C" _GENX_MAIN_ void shifted(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, sum = 0;
  for (int i = 0; i < n; i += 4) {
    read(DWALIGNED(in), (i >> 2) * 64 + 4, v);
    sum += v;
    read(DWALIGNED(in), (i >> 3) * 64 + 4, v); // twice the same
    sum += v;
  }
  write(out, 0, sum);
}
