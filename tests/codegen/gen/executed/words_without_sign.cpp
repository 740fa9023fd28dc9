// Words and bytes without a sign that are negated are numbers with one for whoever asks: extremes, comparisons, shifts,
// saturating conversions and what is wider. The finalizer would hand on the negation as a modifier of what has none.
// The input is this text, multiplied.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa negated_words --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,out=%t.cpu --arg int:1 > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa negated_words --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,compare=%t.cpu --arg int:1 --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

constexpr int lanes = 8; // of one instruction, whoever reads

/// Bytes and words with all bits, which letters have not; each for one reader.
template <class T> vector<T, lanes> numbers(SurfaceIndex in, int at) {
  vector<int, lanes> d;
  read(in, at, d);
  d *= 0x2D51;
  return d.format<T>().template select<lanes, 1>(0);
}

template <class T> void looks(SurfaceIndex in, SurfaceIndex out, int at, vector<int, lanes> other) {
  write(out, at, cm_max<int>(-vector<int, lanes>(numbers<T>(in, 0)), other));
  write(out, at + 32, cm_min<uint>(vector<uint, lanes>(-numbers<T>(in, 32)), vector<uint, lanes>(other)));
  vector<int, lanes> some = 0;
  some.merge(1, -vector<int, lanes>(numbers<T>(in, 64)) < other);
  some.merge(2, -numbers<T>(in, 96) > 5u);
  write(out, at + 64, some);
  write(out, at + 96, vector<long long, lanes>(-numbers<T>(in, 128)));
  write(out, at + 160, vector<int, lanes>(vector<short, lanes>(-numbers<T>(in, 160), SAT)));
  write(out, at + 192, vector<int, lanes>(-numbers<T>(in, 192) >> 3));
  write(out, at + 224, vector<int, lanes>(-numbers<T>(in, 224)) / (other | 1));
  write(out, at + 256, vector<long long, lanes>(-vector<int, lanes>(numbers<T>(in, 256))) * other);
  vector<int, lanes> low, high = cm_imul(low, -vector<int, lanes>(numbers<T>(in, 288)), other);
  write(out, at + 320, high);
  write(out, at + 352, cm_mul<long long>(-vector<int, lanes>(numbers<T>(in, 320)), other));
}

extern "C" _GENX_MAIN_ void negated_words(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                          int n) {
  vector<int, lanes> other;
  read(in, 640, other);
  other *= n;
  looks<ushort>(in, out, 0, other);
  looks<uchar>(in, out, 512, other);
}
