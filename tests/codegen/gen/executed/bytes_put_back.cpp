// Bytes that are put aside and back elsewhere are those that lay there before: the finalizer reads what was moved from
// where it lay, in two halves, of which the second would read what the first wrote. The input is this text.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa bytes_put_back --threads 1x1 --arg buffer:in=%s --arg buffer:zero=768,out=%t.cpu > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa bytes_put_back --threads 1x1 --arg buffer:in=%s --arg buffer:zero=768,compare=%t.cpu --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

/// The lowest bytes of N of 32 dwords, put behind the first 64 bytes of the vector that holds those.
template <int N, int From> void put_back(SurfaceIndex in, SurfaceIndex out, int at) {
  vector<int, 32> d;
  read(in, at, d);
  vector<uchar, N> low = d.select<N, 1>(From);
  write(out, at, d);
  d.select<16, 1>(0) = d.select<16, 1>(0) * 3;
  d.format<uchar>().template select<N, 1>(64) = low;
  write(out, at + 128, d);
}

extern "C" _GENX_MAIN_ void bytes_put_back(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  put_back<26, 2>(in, out, 0);
  put_back<32, 0>(in, out, 256);
  put_back<19, 5>(in, out, 512);
}
