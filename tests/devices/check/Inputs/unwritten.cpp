#include <cm/cm.h>

extern "C" _GENX_MAIN_ void unwritten(SurfaceIndex out, int n) {
  vector<int, 4> v;
  v.select<3, 1>(0) = n;
  int sum;
  if (n > 3)
    sum = n;
  if (sum == 7)
    write(out, 0, v);
  write(out, 16, v);
}
