#include <cm/cm.h>

// Goes on until the gate is open; each thread has a place for its rounds.
extern "C" _GENX_MAIN_ void held(svmptr_t gate, svmptr_t rounds) {
  vector<uint, 8> open = 0, n = 0;
  while (open(0) == 0) {
    cm_svm_block_read(gate, open);
    n += 1;
    cm_svm_block_write(rounds + cm_linear_global_id() * 32, n);
  }
}

// The same, then a fault.
extern "C" _GENX_MAIN_ void late(svmptr_t gate, svmptr_t rounds) {
  vector<uint, 8> open = 0, n = 0;
  while (open(0) == 0) {
    cm_svm_block_read(gate, open);
    n += 1;
    cm_svm_block_write(rounds + cm_linear_global_id() * 32, n);
  }
  cm_svm_block_write(svmptr_t(64), n);
}

extern "C" _GENX_MAIN_ void poke(svmptr_t where) {
  vector<uint, 8> v = 0;
  cm_svm_block_write(where, v);
}
