// Where only the total of a sum is used, its products of words are added in pairs; a sum whose lanes are used is not.
// RUN: cmc %s -S -march=cpu -mcpu=haswell -disable-pass=cpu-product-pairs -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -disable-pass=cpu-sums-of-products -o - | FileCheck --check-prefix=BEFORE %s
// RUN: for cpu in x86-64 haswell skylake-avx512; do cmrun %s dot --threads 1x1 --cpu $cpu --arg buffer:zero=16,out=%t --arg int:-32768 --arg int:4 && od -An -td4 -v %t || exit 1; done | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// A pair of squares of -32768 is 2^31, which wraps; 32 of them are 0. The others are -32768 * (0 + 1 + ... + 31).
// RESULT-COUNT-3: {{^ *}}-16252928 0 0 0
// CHECK-LABEL: # kernel dot
// CHECK: vpmaddwd
// BEFORE-LABEL: # kernel dot
// BEFORE-NOT: vpmaddwd
// BEFORE: vpmulld
extern "C" _GENX_MAIN_ void dot(SurfaceIndex out, int least, int count) {
  vector<int, 8> sum = 0;
  vector<short, 8> a = least, b;
  cmtl::cm_vector_assign<short, 8>(b, 0, 1);
  for (int i = 0; i < count; ++i) {
    sum += a * a;
    sum += b * a;
    b += 8;
  }
  vector<int, 4> result = 0;
  result(0) = cm_sum<int>(sum);
  write(out, 0, result);
}

// CHECK-LABEL: # kernel lanes
// CHECK-NOT: vpmaddwd
// CHECK: retq
extern "C" _GENX_MAIN_ void lanes(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> sum = 0;
  for (int i = 0; i < 4; ++i) {
    vector<short, 8> a;
    read(in, i * 16, a);
    sum += a * a;
  }
  vector<int, 16> result = cm_sum<int>(sum);
  result.select<8, 1>(0) = sum;
  write(out, 0, result);
}

// A constant is one of the words when it is one with a sign.
// CHECK-LABEL: # kernel largest_word
// CHECK: vpmaddwd
// CHECK-LABEL: # kernel too_large
extern "C" _GENX_MAIN_ void largest_word(SurfaceIndex in, SurfaceIndex out, int count) {
  vector<int, 8> sum = 0;
  for (int i = 0; i < count; ++i) {
    vector<short, 8> a;
    read(in, i * 16, a);
    sum += a * a;
    sum += a * 32767;
  }
  vector<int, 4> result = cm_sum<int>(sum);
  write(out, 0, result);
}
// CHECK-NOT: vpmaddwd
// CHECK: retq
extern "C" _GENX_MAIN_ void too_large(SurfaceIndex in, SurfaceIndex out, int count) {
  vector<int, 8> sum = 0;
  for (int i = 0; i < count; ++i) {
    vector<short, 8> a;
    read(in, i * 16, a);
    sum += a * a;
    sum += a * 32769;
  }
  vector<int, 4> result = cm_sum<int>(sum);
  write(out, 0, result);
}
