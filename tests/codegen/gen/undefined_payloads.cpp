// A vector that nothing was written to may be what a message takes, on every target.
// RUN: cmc -march=SKL -S %s -o - | FileCheck %s
// RUN: cmc -march=ICLLP -S %s -o - | FileCheck %s
// RUN: cmc -march=TGLLP -S %s -o - | FileCheck %s
// RUN: cmc -march=DG2 -S %s -o - | FileCheck %s
// RUN: cmc -march=PVC -S %s -o - | FileCheck %s
// CHECK: .kernel
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s, SurfaceIndex t, svmptr_t p) {
  vector<int, 16> u, old;
  matrix<uchar, 4, 16> block;
  matrix<int, 1, 16> channel;
  vector<uint, 16> at;
  write(s, 0, u.select<8, 1>(0));
  write(t, 0, 0, block);
  write(s, 0, at, u);
  cm_svm_block_write(p, u);
  write_untyped(s, CM_R_ENABLE, channel, at);
  write_atomic<ATOMIC_ADD>(s, at, u, old);
}
