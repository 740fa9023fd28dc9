// Threads that know their positions only, launched in groups of three dimensions: each runs once.
// RUN: for d in cpu gensim:skl gensim:pvc; do cmrun %s count --groups 2x1x3 --threads 2x2x2 --device $d --arg buffer:zero=128,out=%t && od -An -v -w16 -tu4 %t | uniq -c | FileCheck %s || exit 1; done
// RUN: cmrun %s count --groups 4x2 --threads 1x1 --device gensim:skl --arg buffer:zero=128,out=%t && od -An -v -w16 -tu4 %t | uniq -c | FileCheck --check-prefix=FLAT %s
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void count(SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 8> o;
  for (int i = 0; i < 8; ++i)
    o(i) = get_thread_origin_x() * 8 + i;
  write_atomic<ATOMIC_INC>(out, o);
}
// CHECK: {{^ *8 +12 +12 +12 +12$}}
// FLAT: {{^ *8 +2 +2 +2 +2$}}
