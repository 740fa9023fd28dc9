// What the finalizer gets wrong where places are known at run time only, or types are mixed (docs/finalizer.md): the
// code of each kernel computes on simulated GPUs what it does on the CPU. The input is this text.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: for k in words_to_qwords halves_to_floats mixed_multiply_adds bytes_that_change spread_words; do \
// RUN:   for n in $(echo 1 0 5 | %some 3); do \
// RUN:     cmrun %t.isa $k --threads 1x1 --arg buffer:in=%s --arg buffer:zero=512,out=%t.cpu --arg int:$n > /dev/null || exit 1; \
// RUN:     for t in $(echo skl tgllp pvc icllp dg2 | %some 2); do \
// RUN:       cmrun %t.isa $k --threads 1x1 --arg buffer:in=%s --arg buffer:zero=512,compare=%t.cpu --arg int:$n --device gensim:$t || exit 1; \
// RUN:     done; \
// RUN:   done; \
// RUN: done
// RUN: cmrun %t.isa exchanges --groups 1 --threads 1 --arg buffer:in=%s --arg buffer:zero=512,out=%t.cpu --arg int:3 > /dev/null
// RUN: for t in $(echo skl tgllp pvc icllp dg2 | %some 2); do \
// RUN:   cmrun %t.isa exchanges --groups 1 --threads 1 --arg buffer:in=%s --arg buffer:zero=512,compare=%t.cpu --arg int:3 --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>
#include <cm/cmtl.h>

// Two channels' words, chosen one by one, become 64 bits: both would be the first one's.
extern "C" _GENX_MAIN_ void words_to_qwords(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                            int n) {
  vector<int, 32> d;
  read(in, 0, d);
  vector<ushort, 64> words = d.format<ushort>();
  vector<unsigned long long, 2> two = words.iselect(vector<ushort, 2>(d.select<2, 1>(3 + n) & 63));
  two += n;
  write(out, 0, two);
  vector<long long, 8> eight = d.format<short>().iselect(vector<ushort, 8>(d.select<8, 1>(3) & 63));
  write(out, 64, eight);
}

// Halves become floats at a place known at run time, a few at a time: the later ones would lie a byte behind the first.
extern "C" _GENX_MAIN_ void halves_to_floats(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                             int n) {
  vector<int, 32> d;
  read(in, 0, d);
  vector<half, 48> halves = 0;
  halves.select<32, 1>(0) = vector<half, 32>(d & 1023);
  vector<float, 8> floats = 0;
  floats.select<7, 1>(n & 1) = vector<half, 7>(halves.select<7, 2>(n));
  write(out, 0, floats);
}

// A half that is added to a product of floats.
extern "C" _GENX_MAIN_ void mixed_multiply_adds(SurfaceIndex in [[type("buffer_t")]],
                                                SurfaceIndex out [[type("buffer_t")]], int n) {
  vector<int, 32> d;
  read(in, 0, d);
  vector<float, 16> a = vector<float, 16>(d.select<16, 1>(0) & 2047), b = vector<float, 16>(d.select<16, 1>(16) & 2047);
  vector<half, 16> h = vector<half, 16>(d.select<16, 1>(7) & 31);
  vector<float, 16> r = a * b + h;
  write(out, 0, r);
  r = a * b + h(3 + n);
  write(out, 64, r);
  r = a * h + b;
  write(out, 128, r);
}

// The second half of a vector is compared with: the first one would be.
extern "C" _GENX_MAIN_ void exchanges(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]], int n) {
  vector<int, 32> d;
  read(in, 0, d);
  vector<int, 32> w = d & 7;
  cm_slm_init(1024);
  uint slm = cm_slm_alloc(512);
  cm_slm_block_write(slm, 0, w);
  cm_barrier();
  cm_slm_block_read(slm, 0, w);
  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
  vector<ushort, 32> at;
  cmtl::cm_vector_assign(at.select_all(), 0, 13);
  cm_slm_atomic(slm, ATOMIC_CMPXCHG, vector<uint, 32>((at + n) & 31), w, vector<uint, 32>(d), vector<uint, 32>(w));
  write(out, 0, w);
  cm_slm_block_read(slm, 0, w);
  write(out, 128, w);
}

// Bytes change after they were widened, and before what they were is negated: without a sign, and with one. The minus
// would be lost.
extern "C" _GENX_MAIN_ void bytes_that_change(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                              int n) {
  vector<uchar, 32> bytes;
  vector<short, 32> words;
  vector<int, 16> d, e;
  read(in, 0, bytes);
  read(in, 32, words);
  read(in, 96, d);
  vector<unsigned long long, 8> wide = bytes.select<8, 1>(8), from;
  vector<long long, 8> other = words.select<8, 1>(4), to;
  bytes.select<8, 1>(8) = d.select<8, 1>(0);
  words.select<4, 1>(n) = 7;
  write(out, 0, bytes);
  write(out, 32, words);
  read(in, 160, e);
  from = e.select<8, 1>(0);
  to = e.select<8, 1>(8);
  from -= wide;
  to -= other;
  write(out, 128, from);
  write(out, 192, to);
}

// Words are widened with gaps between them, like those they are added to, and a place known at run time is written before
// the last are read: they would be kept where there is no room for the gaps.
extern "C" _GENX_MAIN_ void spread_words(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                         int n) {
  vector<short, 32> words;
  vector<int, 16> to;
  read(in, 0, words);
  read(in, 64, to);
  vector<long long, 8> q;
  read(in, 128, q);
  to.select<4, 1>(4) += words.select<4, 1>(n & 15);
  to.select<7, 1>(n & 7) = words.select<7, 2>(0) + (q.select<7, 1>(0) * 3 - 5);
  write(out, 0, to);
}
