// Float sums of bytes are taken in words; sums that a float may round are not touched.
// RUN: cmc %s -S -march=cpu -emit-llvm -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: ; kernel bytes
// CHECK: add {{.*}}<16 x i16>
// CHECK-NOT: fadd
// CHECK: {{[us]}}itofp
// CHECK-LABEL: ; kernel words
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex buf) {
  matrix<uchar, 2, 16> in;
  read(buf, 0, 0, in);
  vector<float, 16> sum = in.row(0);
  sum += in.row(1);
  write(buf, 0, 0, sum);
}

// Two ints may sum to more than 2^24.
// CHECK: fadd
// CHECK-LABEL: ; kernel negative_zero
extern "C" _GENX_MAIN_ void words(SurfaceIndex buf) {
  matrix<int, 2, 8> in;
  read(buf, 0, 0, in);
  vector<float, 8> sum = in.row(0);
  sum += in.row(1);
  write(buf, 0, 0, sum);
}

// 0 * -1 is -0 in float, which no integer is.
// CHECK: fmul
extern "C" _GENX_MAIN_ void negative_zero(SurfaceIndex buf) {
  matrix<char, 2, 16> in;
  read(buf, 0, 0, in);
  vector<float, 16> a = in.row(0), b = in.row(1);
  vector<float, 16> product = a * b;
  write(buf, 0, 0, product);
}
