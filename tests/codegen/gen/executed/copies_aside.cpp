// Elements that are read on after they have changed, as they were: the finalizer forgets what was put aside, where a sum
// of two such elements comes last.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa copies_aside --threads 1x1 --arg buffer:zero=64,out=%t.cpu --arg int:3 > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa copies_aside --threads 1x1 --arg buffer:zero=64,compare=%t.cpu --arg int:3 --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void copies_aside(SurfaceIndex out [[type("buffer_t")]], int n) {
  vector<int, 16> sums = n, v = n;
  for (int k = 0; k < 16; ++k)
    v(k) += k * 9;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 6; ++j) {
      sums(10 - j) = v(j) + v(5 - j);
      v(j) += j * 3;
    }
  write(out, 0, sums);
}
