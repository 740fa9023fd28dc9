// A loop over elements whose ends the unrolled loops around it choose is vectors, too, when those are constants.
// RUN: cmc %s -S -emit-llvm -march=SKL -o - | FileCheck %s
// RUN: python3 -c "import random, struct; random.seed(5); open('%t.in', 'wb').write(b''.join(struct.pack('f', random.uniform(1, 2)) for _ in range(256)))"
// RUN: for d in cpu gensim:skl check; do cmrun %s eliminate --threads 1x1 --device $d --arg buffer:in=%t.in --arg buffer:zero=1024,out=%t.$d || exit 1; done
// RUN: cmp %t.cpu %t.check
// RUN: python3 -c "import struct; a, b = (struct.unpack('256f', open('%t.' + d, 'rb').read()) for d in ('cpu', 'gensim:skl')); assert all(abs(x - y) <= 1e-4 * max(1, abs(x)) for x, y in zip(a, b))"
#include <cm/cm.h>

// CHECK-LABEL: @eliminate(
// CHECK-NOT: = phi
// CHECK: {{(fsub|fma).*}}<14 x float>
// CHECK-NOT: = phi
extern "C" _GENX_MAIN_ void eliminate(SurfaceIndex in, SurfaceIndex out) {
  matrix<float, 16, 16> m;
#pragma unroll
  for (int i = 0; i < 16; i += 2)
    read(in, i * 64, m.select<2, 1, 16, 1>(i, 0));
#pragma unroll
  for (int k = 0; k < 15; ++k)
#pragma unroll
    for (int i = k + 1; i < 16; ++i) {
      float f = m(i, k) * 0.125f;
      m(i, k) = f;
      for (int j = k + 1; j < 16; ++j)
        m(i, j) -= f * m(k, j);
    }
#pragma unroll
  for (int i = 0; i < 16; i += 2)
    write(out, i * 64, m.select<2, 1, 16, 1>(i, 0));
}
