#include <cm/cm.h>
extern "C" _GENX_MAIN_ void endless(SurfaceIndex out) {
  vector<uint, 8> v = 1;
  while (v(0) != 5)
    read(out, 0, v);
}
extern "C" _GENX_MAIN_ void wild(svmptr_t where) {
  vector<uint, 8> v = 1;
  cm_svm_block_write(where + get_thread_origin_x(), v);
}
