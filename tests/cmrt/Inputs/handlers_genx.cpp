#include <cm/cm.h>

// Counts up to n: about a nanosecond each.
extern "C" _GENX_MAIN_ void count(SurfaceIndex out, uint n) {
  vector<uint, 8> v = 0;
  for (uint i = 0; i < n; i++)
    v = v * 5 + i;
  write(out, 0, v);
}

extern "C" _GENX_MAIN_ void poke(svmptr_t where) {
  vector<uint, 8> v = 0;
  cm_svm_block_write(where, v);
}
