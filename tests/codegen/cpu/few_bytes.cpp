// Of the bytes that are shuffled, three go on: the others of the shuffle are bytes, too, and not left open, for LLVM
// makes wrong code of that (AVX2 and AVX-512).
// RUN: cmc %s -S -march=cpu -mcpu=haswell -stop-after=cpu-byte-shuffles -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -stop-after=cpu-flushes -o - | FileCheck --check-prefix=BEFORE %s
#include <cm/cm.h>

// BEFORE: shufflevector <32 x i8> {{.*}} i32 poison, i32 16, i32 17, i32 {{50|18}}, i32 poison
// CHECK-NOT: shufflevector <32 x i8> {{.*}} i32 poison, i32 16, i32 17,
// CHECK: shufflevector <32 x i8> {{.*}} i32 15, i32 16, i32 17, i32 {{50|18}}, i32 19
// CHECK-NOT: shufflevector <32 x i8> {{.*}} i32 poison, i32 16, i32 17,
extern "C" _GENX_MAIN_ void few_bytes(SurfaceIndex bytes [[type("buffer_t")]], SurfaceIndex sums [[type("buffer_t")]]) {
  vector<uint, 8> words;
  read(bytes, 0, words);
  vector<uchar, 19> x = words.format<uchar>().select<19, 1>(0);
  vector<ushort, 18> more = x.select<18, 1>(0) + x.select<18, 1>(1);
  x.select<18, 1>(0) = more >> 1;
  vector<int, 32> result = 0;
  result.select<19, 1>(0) = x;
  write(sums, 0, result);
}
