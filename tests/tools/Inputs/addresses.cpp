#include <cm/cm.h>

// Memory by its address: as a pointer, as a number, and as a surface in between.
extern "C" _GENX_MAIN_ void addresses(const int *from [[type("svmptr_t")]], int factor, SurfaceIndex added,
                                      svmptr_t to [[type("svmptr_t")]]) {
  vector<int, 8> v, w;
  cm_svm_block_read((svmptr_t)from, v);
  read(added, 0, w);
  v = v * factor + w;
  v(7) = from[1];
  cm_svm_block_write(to, v);
}

// Writes one vector further than its memory goes.
extern "C" _GENX_MAIN_ void beyond(int *to [[type("svmptr_t")]]) {
  vector<int, 8> v(1);
  cm_svm_block_write((svmptr_t)(to + 8), v);
}
