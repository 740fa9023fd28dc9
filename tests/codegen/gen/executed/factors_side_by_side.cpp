// All bits of products by several numbers at once, of which some have no more than 16 bits and a sign: the finalizer
// looks through the move that brings one of them to its place, and makes a word of it, whose product is wrong above.
// The input is this text.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa factors --threads 1x1 --arg buffer:in=%s --arg buffer:zero=512,out=%t.cpu > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa factors --threads 1x1 --arg buffer:in=%s --arg buffer:zero=512,compare=%t.cpu --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void factors(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<int, 16> v;
  read(in, 0, v);
  v >>= 20;
  const int numbers[8] = {-1, -171, -1, -32768, -40000, 5, -7, -7};
  vector<int, 8> n(numbers);
  vector<long long, 8> r = 0;
  r.select<3, 1>(0) = vector<long long, 3>(v.select<3, 1>(0)) * vector<long long, 3>(n.select<3, 1>(0));
  write(out, 0, r);
  r.select<5, 1>(0) = vector<long long, 5>(v.select<5, 1>(3)) * vector<long long, 5>(n.select<5, 1>(3));
  write(out, 64, r);
  r = vector<long long, 8>(v.select<8, 1>(8)) * vector<long long, 8>(n);
  write(out, 128, r);
  vector<int, 8> limited = 0;
  limited.select<3, 1>(0) = cm_mul<short>(n.format<short>().select<3, 2>(0), v.select<3, 2>(2), SAT);
  write(out, 192, limited);
}
