// CM_HAS_..._CONTROL: an error on targets without the feature, where an instance comes to it.
// RUN: cmc %s -o %t.isa
// RUN: cmc -march=PVC %s -S -emit-llvm -o %t.ll
// RUN: cmc -march=SKL -DUNUSED %s -S -emit-llvm -o %t.ll
// RUN: not cmc -march=SKL %s -o %t.isa 2>&1 | FileCheck %s
// CHECK: error: target SKL does not have this feature
#include <cm/cm.h>

template <class T> T sum(T A, T B) {
  CM_HAS_DPAS_CONTROL;
  CM_HAS_BF16_CONTROL;
  CM_HAS_CONTROL(sizeof(T) == 4);
  return A + B;
}

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s) {
#ifndef UNUSED
  write(s, 0, vector<int, 4>(sum(1, 2)));
#endif
}
