// A function with two results, the second of which is wanted behind the next call.
#include <cm/cm.h>

CM_NOINLINE _GENX_ int both(int n, vector_ref<int, 8> v) {
  v += n;
  return v(3);
}

extern "C" _GENX_MAIN_ void k(SurfaceIndex s, int n) {
  vector<int, 8> v, w;
  read(s, 0, v);
  read(s, 32, w);
  int a = both(n, v.select<8, 1>(0));
  if (n > 7)
    a += both(a, w.select<8, 1>(0));
  write(s, 0, v);
  write(s, 32, w);
  v(0) = a;
  write(s, 64, v);
}
