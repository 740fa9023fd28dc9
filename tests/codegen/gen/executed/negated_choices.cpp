// Narrow integers that are negated and then chosen, or asked for an extreme, when what they were read from has changed:
// the finalizer would keep the negation in as few bits, which have no sign or not room for the number. The input is
// this text and smallest numbers.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: (printf '\200\000\200\200\177\377\001\200%.0s' 1 2 3 4 5 6 7 8; cat %s) > %t.in
// RUN: for k in ubytes bytes uwords words bytes_asked words_asked; do \
// RUN:   cmrun %t.isa $k --threads 4x1 --arg buffer:in=%t.in --arg buffer:zero=1024,out=%t.cpu --arg int:3 > /dev/null || exit 1; \
// RUN:   for t in $(echo skl tgllp pvc icllp dg2 | %some 2); do \
// RUN:     cmrun %t.isa $k --threads 4x1 --arg buffer:in=%t.in --arg buffer:zero=1024,compare=%t.cpu --arg int:3 --device gensim:$t || exit 1; \
// RUN:   done; \
// RUN: done
#include <cm/cm.h>

template <bool Asked, class T> _GENX_ void choose(SurfaceIndex in, SurfaceIndex out, int k) {
  int t = get_thread_origin_x();
  vector<T, 16> v;
  read(in, t * 16 * sizeof(T), v);
  vector<int, 16> other;
  read(in, 256 + t * 64, other);
  vector<int, 7> negated = -v.template select<7, 1>(k & 7), some = other.select<7, 1>((k + 2) & 7);
  v.template select<8, 1>(k & 3) = 3;
  vector<int, 16> all = v;
  if constexpr (Asked) {
    all.select<7, 1>(k & 3) = cm_max<int>(negated, some);
    all.select<7, 1>(8) += cm_avg<int>(negated, some);
  } else {
    all.select<7, 1>(k & 3).merge(negated, some, other.select<7, 1>(1) > other.select<7, 1>(2));
    all.select<7, 1>(8).merge(negated, other.select<7, 1>(3) > 4);
  }
  write(out, t * 64, all);
}
extern "C" _GENX_MAIN_ void ubytes(SurfaceIndex in, SurfaceIndex out, int k) { choose<false, uchar>(in, out, k); }
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex in, SurfaceIndex out, int k) { choose<false, char>(in, out, k); }
extern "C" _GENX_MAIN_ void uwords(SurfaceIndex in, SurfaceIndex out, int k) { choose<false, ushort>(in, out, k); }
extern "C" _GENX_MAIN_ void words(SurfaceIndex in, SurfaceIndex out, int k) { choose<false, short>(in, out, k); }
extern "C" _GENX_MAIN_ void bytes_asked(SurfaceIndex in, SurfaceIndex out, int k) { choose<true, char>(in, out, k); }
extern "C" _GENX_MAIN_ void words_asked(SurfaceIndex in, SurfaceIndex out, int k) { choose<true, short>(in, out, k); }
