// Products of words, two at a time, are what they are one by one: with the numbers that wrap, too.
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmrun %s sums --threads 1x1 --cpu $cpu --arg buffer:zero=1024,out=%t.$cpu --arg int:-32768 --arg int:7919 || exit 1; done
// RUN: cmrun %s sums --threads 1x1 --device check --arg buffer:zero=1024,out=%t.check --arg int:-32768 --arg int:7919
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmp %t.check %t.$cpu || exit 1; done
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// CHECK-LABEL: # kernel sums
// CHECK: vpmaddwd
// CHECK: retq
extern "C" _GENX_MAIN_ void sums(SurfaceIndex out, int least, int step) {
  vector<short, 96> x;
  cmtl::cm_vector_assign<short, 96>(x, least, step); // wraps, which makes all kinds of words
  x(20) = least;
  x(21) = least;
  vector<short, 8> taps;
  cmtl::cm_vector_assign<short, 8>(taps, least, step * 3);
  taps(1) = least;
  vector<int, 64> sum = 1;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum += x.select<64, 1>(8 + k) * taps(k);
#pragma unroll
  for (int i = 0; i < 64; i += 32)
    write(out, i * 4, vector<int, 32>(sum.select<32, 1>(i)));
  // By each other, with an odd one left, and bytes.
  vector<uchar, 32> bytes = x.select<32, 1>(3);
  vector<int, 32> more = x.select<32, 1>(20) * x.select<32, 1>(20) + x.select<32, 1>(21) * x.select<32, 1>(21) +
                         x.select<32, 1>(40) * bytes + x.select<32, 1>(1) * 32767 + 5;
  write(out, 256, more);
}

// Whatever comes between them: each block that is read has a branch for the end of its surface.
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmrun %s apart --threads 3x1 --cpu $cpu --arg buffer:in=%t.check --arg buffer:zero=384,out=%t.apart.$cpu || exit 1; done
// RUN: cmrun %s apart --threads 3x1 --device check --arg buffer:in=%t.check --arg buffer:zero=384,out=%t.apart.check
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmp %t.apart.check %t.apart.$cpu || exit 1; done
// CHECK-LABEL: # kernel apart
// CHECK-NOT: vpmulld
// CHECK: vpmaddwd
// CHECK: retq
extern "C" _GENX_MAIN_ void apart(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x();
  vector<short, 8> taps;
  read(in, 512, taps);
  vector<int, 32> sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    vector<short, 32> x;
    read(in, at * 64 + k * ((at + 1) & 15) * 16, x);
    sum += x * taps(k);
  }
  write(out, at * 128, sum);
}
