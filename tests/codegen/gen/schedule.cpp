// A long vector that is computed in several steps is computed piece by piece: the steps side by side would not fit into the
// registers. All devices agree.
// REQUIRES: no-sanitizer
// RUN: cmc -march=SKL -spill-limit=0 %s -o %t.isa
// RUN: not cmc -march=SKL -spill-limit=0 -disable-pass=gen-schedule %s -o %t.isa 2>&1 | FileCheck %s
// CHECK: bytes of scratch memory on SKL
// RUN: head -c 256 %s > %t.in
// RUN: cmrun %s curve --threads 1x1 --arg buffer:in=%t.in --arg buffer:zero=256,out=%t.cpu
// RUN: for device in gensim:skl gensim:icllp gensim:tgllp gensim:dg2; do cmrun %s curve --threads 1x1 --device $device --arg buffer:in=%t.in --arg buffer:zero=256,out=%t.gen && cmp %t.cpu %t.gen || exit 1; done
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void curve(SurfaceIndex in, SurfaceIndex out) {
  vector<uchar, 256> x;
#pragma unroll
  for (int i = 0; i < 2; ++i)
    read(in, i * 128, x.select<128, 1>(i * 128));
  vector<int, 256> a = x, b = a * a, c = b * a - 3 * b, d = (c >> 3) ^ b, e = d * a + c;
  vector<uchar, 256> y = (a + (b >> 2)) ^ (c >> 5) ^ (d >> 7) ^ (e >> 9);
#pragma unroll
  for (int i = 0; i < 2; ++i)
    write(out, i * 128, y.select<128, 1>(i * 128));
}
