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

// 257 times 255 is the most that 16 bits hold; once more takes 32.
// CHECK-LABEL: ; kernel most
// CHECK: mul {{.*}}<16 x i16>
// CHECK-NEXT: uitofp <16 x i16>
// CHECK-LABEL: ; kernel more
extern "C" _GENX_MAIN_ void most(SurfaceIndex buf) {
  matrix<uchar, 1, 16> in;
  read(buf, 0, 0, in);
  vector<float, 16> sum = vector<float, 16>(in.row(0)) * 257.0f;
  write(buf, 0, 0, sum);
}
// CHECK: mul {{.*}}<16 x i32>
// CHECK-LABEL: ; kernel inside
extern "C" _GENX_MAIN_ void more(SurfaceIndex buf) {
  matrix<uchar, 1, 16> in;
  read(buf, 0, 0, in);
  vector<float, 16> sum = vector<float, 16>(in.row(0)) * 258.0f;
  write(buf, 0, 0, sum);
}

// 255 * 1.0039 is less than 256, which needs no clamping to bytes; 255 * 1.004 is more.
// CHECK-NOT: 2.550000e+02
// CHECK: fptosi
// CHECK-LABEL: ; kernel beyond
extern "C" _GENX_MAIN_ void inside(SurfaceIndex buf) {
  matrix<uchar, 1, 16> in;
  read(buf, 0, 0, in);
  vector<uchar, 16> bytes = vector<float, 16>(in.row(0)) * 1.0039f;
  write(buf, 0, 0, bytes);
}
// CHECK: 2.550000e+02
extern "C" _GENX_MAIN_ void beyond(SurfaceIndex buf) {
  matrix<uchar, 1, 16> in;
  read(buf, 0, 0, in);
  vector<uchar, 16> bytes = vector<float, 16>(in.row(0)) * 1.004f;
  write(buf, 0, 0, bytes);
}
