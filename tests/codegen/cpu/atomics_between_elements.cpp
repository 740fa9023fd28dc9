// An atomic between two elements is one on the lower: none is torn, nor beyond the last one.
// RUN: cmc -march=cpu -o %t.isa %s
// RUN: cmrun %t.isa k --threads 1x1 --arg buffer:zero=80,out=%t.out --jobs 1 > /dev/null
// RUN: od -An -v -w80 -tu4 %t.out | FileCheck %s
// CHECK: 1 1 1 1 0 1 1 1 1 0 1 1 1 1 0 1 1 1 1 0
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void k(SurfaceIndex b) {
  vector<uint, 16> at;
  for (int i = 0; i < 16; ++i)
    at(i) = i * 5;
  cm_atomic<AtomicOp::IADD, uint>(b, at, vector<uint, 16>(1));
}
