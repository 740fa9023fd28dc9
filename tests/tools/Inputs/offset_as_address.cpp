// An offset of shared local memory is taken for an address.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void offsets(SurfaceIndex out, int n) {
  cm_slm_init(1024);
  uint s = cm_slm_alloc(1024);
  int *p = (int *)(svmptr_t)s;
  p[n] = 3;
  vector<int, 8> v = p[n];
  write(out, 0, v);
}
