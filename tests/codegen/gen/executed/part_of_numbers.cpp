// An element that is kept while others become numbers: they are written when the element has been read.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa part_of_numbers --threads 1x1 --arg buffer:zero=32,out=%t.cpu --arg int:3 > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa part_of_numbers --threads 1x1 --arg buffer:zero=32,compare=%t.cpu --arg int:3 --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void part_of_numbers(SurfaceIndex out [[type("buffer_t")]], int n) {
  vector<int, 4> kept = n + 5;
  vector<int, 8> sums = 0;
  for (int i = 0; i < n; ++i) {
    sums.select<4, 1>(2) += kept;
    vector<int, 4> next = 0;
    next(3) = kept(3);
    next(2) = 0;
    kept = next;
  }
  sums.select<4, 1>(0) += kept;
  write(out, 0, sums);
}
