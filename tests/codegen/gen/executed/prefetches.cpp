// Prefetches change no value: where a target has no message for them they are nothing, also for programs that were
// compiled for another one.
// RUN: cmc %s -o %t.isa
// RUN: cmrun %t.isa k --threads 1x1 --arg buffer:zero=256 --arg buffer:zero=64,out=%t.cpu
// RUN: cmrun %t.isa k --device gensim:skl --threads 1x1 --arg buffer:zero=256 --arg buffer:zero=64,out=%t.skl
// RUN: cmrun %t.isa k --device gensim:tgllp --threads 1x1 --arg buffer:zero=256 --arg buffer:zero=64,out=%t.tgllp
// RUN: cmrun %t.isa k --device gensim:dg2 --threads 1x1 --arg buffer:zero=256 --arg buffer:zero=64,out=%t.dg2
// RUN: cmp %t.cpu %t.skl && cmp %t.cpu %t.tgllp && cmp %t.cpu %t.dg2
// RUN: od -An -t d4 -N 16 %t.skl | FileCheck %s
// CHECK: 0 1 2 3
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void k(SurfaceIndex in, SurfaceIndex out) {
  cm_prefetch<16, DataSize::U32>(in, 0);
  vector<uint, 16> offsets(60);
  cm_prefetch<VectorSize::N1, DataSize::U32>(in, offsets);
  vector<int, 4> v(0, 1, 2, 3);
  write(out, 0, v);
}
