// Variables of the kinds that debuggers print.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void twice(SurfaceIndex in, SurfaceIndex out, int n) {
  int x = get_thread_origin_x();
  vector<int, 16> v;
  read(in, x * 64, v);
  v += n;
  matrix<short, 2, 8> m = v;
  m += v;
  float f = v(3);
  for (int i = 0; i < x; ++i) {
    f += i;
  }
  v(0) = f;
  v.select<2, 1>(2) = m(1, 2);
  v(5) = x;
  write(out, x * 64, v);
  f = v(5) * 3;
  write(out, x * 64, v * int(f));
}
