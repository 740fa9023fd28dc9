// Words and bytes without a sign that are negated are numbers with one for whoever asks: extremes, comparisons, shifts,
// saturating conversions and what is wider. The finalizer would hand on the negation as a modifier of what has none.
// The input is this text.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa negated_words --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,out=%t.cpu --arg int:1 > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa negated_words --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,compare=%t.cpu --arg int:1 --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

template <class T> void looks(SurfaceIndex out, int at, vector<T, 16> from, vector<int, 16> other) {
  vector<int, 16> negated = -vector<int, 16>(from);
  write(out, at, cm_max<int>(negated, other));
  write(out, at + 64, cm_min<uint>(vector<uint, 16>(-from), vector<uint, 16>(other)));
  vector<int, 16> some = 0;
  some.merge(1, negated < other);
  some.merge(2, -from > 5u);
  write(out, at + 128, some);
  write(out, at + 192, vector<long long, 16>(-from).format<int>().template select<16, 1>(0));
  write(out, at + 256, vector<int, 16>(vector<short, 16>(-from, SAT)));
  write(out, at + 320, vector<int, 16>(-from >> 3));
}

extern "C" _GENX_MAIN_ void negated_words(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                          int n) {
  vector<int, 32> d;
  read(in, 0, d);
  vector<int, 16> other = d.select<16, 1>(0) - d.select<16, 1>(16) * n;
  looks<ushort>(out, 0, d.format<ushort>().select<16, 3>(1), other);
  looks<uchar>(out, 384, d.format<uchar>().select<16, 5>(2), other);
}
