// All bits of products by several numbers at once, of which some have no more than 16 bits and a sign: the finalizer
// looks through the move that brings one of them to its place, and makes a word of it, whose product is wrong above.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa factors --threads 1x1 --arg buffer:zero=64,out=%t.cpu --arg int:1 > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa factors --threads 1x1 --arg buffer:zero=64,compare=%t.cpu --arg int:1 --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

const ushort numbers[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

extern "C" _GENX_MAIN_ void factors(SurfaceIndex out [[type("buffer_t")]], int n) {
  vector<ushort, 32> ramp(numbers);
  vector<int, 32> w = ramp * 5 + n;
  vector<unsigned long long, 16> wide = vector<unsigned long long, 16>(ramp.select<16, 1>(0) * 1 - 180);
  vector<int, 16> r = 0; // by -1, -171, -1
  r.select<3, 1>(0) = cm_mul<short>(wide.format<short>().select<3, 1>(35), w.select<3, 2>(22), SAT);
  write(out, 0, r);
}
