// Blocks of shared local memory of any number of elements, read at multiples of 4 bytes and written at multiples of 16:
// messages have 1, 2, 4 or 8 owords. The input is this text.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa odd_blocks --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,out=%t.cpu > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa odd_blocks --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,compare=%t.cpu --device gensim:$t || exit 1; \
// RUN: done
#include <cm/cm.h>

template <class T, int N> void reads(SurfaceIndex out, int at, uint slm, int from) {
  vector<T, 128 / sizeof(T)> all = 7;
  cm_slm_block_read(slm, from, all.template select<N, 1>(3));
  write(out, at, all);
}

extern "C" _GENX_MAIN_ void odd_blocks(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  cm_slm_init(512);
  uint slm = cm_slm_alloc(256);
  vector<int, 32> d;
  read(in, 0, d);
  cm_slm_block_write(slm, 0, d);
  cm_slm_block_write(slm, 128, d * 3);
  cm_slm_block_write(slm, 32, d.select<21, 1>(2));
  cm_slm_block_write(slm, 160, d.format<uchar>().select<99, 1>(3));
  cm_slm_block_write(slm, 16, d.format<short>().select<5, 1>(20));
  cm_slm_block_write(slm, 64, vector<short, 12>(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8)); // numbers that are known
  cm_slm_block_write(slm, 128, d.format<long long>().select<3, 1>(7));
  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
  reads<int, 2>(out, 0, slm, 16);
  reads<int, 5>(out, 128, slm, 20);
  reads<int, 21>(out, 256, slm, 52);
  reads<uchar, 100>(out, 384, slm, 32);
  reads<short, 7>(out, 512, slm, 4);
  reads<long long, 9>(out, 640, slm, 8);
  reads<float, 27>(out, 768, slm, 112);
  reads<int, 3>(out, 896, slm, 240);
}
