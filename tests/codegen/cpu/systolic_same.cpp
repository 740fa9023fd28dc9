// Products of one matrix by one other, added to several sums, beside products by another one: functions take each once.
// RUN: python3 -c "import random, struct; random.seed(7); open('%t.in', 'wb').write(b''.join(struct.pack('H', random.randrange(0x3c00, 0x4000) | random.randrange(2) << 15) for _ in range(256)))"
// RUN: for cpu in haswell skylake-avx512 native; do cmrun %s products --threads 1x1 --cpu $cpu --arg buffer:in=%t.in --arg buffer:zero=128,out=%t.$cpu --arg int:3 || exit 1; done
// RUN: cmrun %s products --threads 1x1 --device gensim:dg2 --arg buffer:in=%t.in --arg buffer:zero=128,out=%t.dg2 --arg int:3
// RUN: for cpu in haswell skylake-avx512 native; do cmp %t.dg2 %t.$cpu || exit 1; done
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void products(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 64> b;
  vector<int, 32> x, y;
  read(in, 0, b.select<32, 1>(0));
  read(in, 128, b.select<32, 1>(32));
  read(in, 256, x);
  read(in, 384, y);
  vector<float, 32> sums[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sums[i] = i;
  for (int turn = 0; turn < n; ++turn)
#pragma unroll
    for (int i = 0; i < 24; ++i)
      sums[i % 4] = cm_dpas<CM_PRECISION_BF, CM_PRECISION_BF, 8, 4>(sums[i % 4], b, i % 4 == 1 ? y : x);
  sums[0] += sums[1] * 2 + sums[2] * 3 + sums[3] * 5;
  write(out, 0, sums[0]);
}
