// bfloat16 that is chosen, permuted and inserted is moved as words: CPUs without instructions for it would take it
// apart, and round each element in a function that kernels do not have. The input is this text.
// REQUIRES: x86
// RUN: cmc %s -S -march=cpu -mcpu=x86-64 -o - | FileCheck --implicit-check-not=truncsfbf2 %s
// RUN: cmc %s -S -march=cpu -mcpu=x86-64-v3 -o - | FileCheck --implicit-check-not=truncsfbf2 %s
// RUN: cmrun %s moves --cpu x86-64 --threads 1x1 --arg buffer:in=%s --arg buffer:zero=256,out=%t --arg int:40 > /dev/null
// RUN: cmrun %s moves --cpu native --threads 1x1 --arg buffer:in=%s --arg buffer:zero=256,compare=%t --arg int:40 > /dev/null
#include <cm/cm.h>

// CHECK-LABEL: # kernel moves
extern "C" _GENX_MAIN_ void moves(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]], int n) {
  vector<uchar, 64> bytes;
  read(in, 0, bytes);
  vector<short, 64> words = bytes & 127;
  vector<bfloat16, 30> b = n;
  SIMD_IF_BEGIN(words.select<4, 1>(0) > n) { b.select<4, 1>(10) = words.select<4, 2>(3); }
  SIMD_IF_END;
  b.select<4, 3>(2) = vector<bfloat16, 4>(words.select<4, 5>(8));
  b.select<6, 1>(20).merge(b.select<6, 2>(1), words.select<6, 1>(40) & 1);
  for (int i = 0; i < (n & 15); ++i)
    b((n + i) & 15) = b((n * i) & 7) + bfloat16(1.0f);
  vector<int, 32> result = 0;
  result.select<30, 1>(0) = b;
  write(out, 0, result);
  vector<int, 16> again = b.replicate<8, 0, 2, 1>(3);
  write(out, 128, again);
  vector<uint, 8> at = words.select<8, 1>(16) & 7;
  SIMD_IF_BEGIN(words.select<8, 1>(30) > n) {
    vector<bfloat16, 8> some = words.select<8, 1>(24);
    read(in, 0, at, some);
    write(out, 96, vector<uint, 8>(0, 1, 2, 3, 4, 5, 6, 7), some);
  }
  SIMD_IF_END;
}
