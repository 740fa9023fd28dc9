// Sums of products that become halves are sums of floats until then. The finalizer would let what computes them write
// halves, and make a product and a sum of it that round each for itself, or take each other's channels.
// The input is this text, as small numbers.
// REQUIRES: no-sanitizer
// RUN: cmc -w -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa narrowed_sums --threads 1x1 --arg buffer:in=%s --arg buffer:zero=2048,out=%t.cpu > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa narrowed_sums --threads 1x1 --arg buffer:in=%s --device gensim:$t \
// RUN:     --arg buffer:zero=2048,compare=%t.cpu || exit 1; \
// RUN: done
#include <cm/cm.h>

template <int N> vector<float, N> numbers(SurfaceIndex in, int at) {
  vector<uchar, N> text;
  read(in, at, text);
  return vector<float, N>(text) * 0.125f + 1.0f / 3;
}

template <int N> void sums(SurfaceIndex in, SurfaceIndex out, int at) {
  vector<float, N> x = numbers<N>(in, 0), y = numbers<N>(in, 64), z = numbers<N>(in, 128);
  vector<half, N> h = x;
  write(out, at, vector<half, N>(x * x + y * y));
  write(out, at + 64, vector<half, N>(x * y - z * h));
  write(out, at + 128, vector<half, N>(z * 2.0f + x * y));
  write(out, at + 192, vector<half, N>((1 - z) * y + z * x));
  write(out, at + 256, vector<half, N>((x * y + z) * 0.001f, SAT));
  vector<float, N> parts = z;
  parts.template select<N / 2, 2>(1) =
      x.template select<N / 2, 1>(0) * y.template select<N / 2, 2>(0) + z.template select<N / 2, 1>(0);
  write(out, at + 320, vector<half, N>(parts));
}

extern "C" _GENX_MAIN_ void narrowed_sums(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  sums<8>(in, out, 0);
  sums<16>(in, out, 384);
  sums<32>(in, out, 768);
}
