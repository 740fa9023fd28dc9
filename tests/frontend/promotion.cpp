// Operators promote as C++ does: bytes are added as int, and the sum is cut when it is stored to bytes.
// RUN: cmc %s -S -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: @sum_of_bytes(
// CHECK: [[A:%.*]] = zext <4 x i8> %{{.*}} to <4 x i16>
// CHECK: add nuw nsw <4 x i16>
extern "C" _GENX_MAIN_ void sum_of_bytes(SurfaceIndex out, vector<uchar, 4> a, vector<uchar, 4> b) {
  vector<ushort, 4> sum = a + b;
  write(out, 0, 0, sum);
}

// CHECK-LABEL: @wrapping_sum(
// CHECK: add <4 x i8> %{{.*}}, %{{.*}}
extern "C" _GENX_MAIN_ void wrapping_sum(SurfaceIndex out, vector<uchar, 4> a, vector<uchar, 4> b) {
  vector<uchar, 4> sum = a + b;
  write(out, 0, 0, sum);
}

// A double literal makes a double vector; a float literal does not.
// CHECK-LABEL: @literals(
// CHECK: fmul <4 x float>
// CHECK: fpext <4 x float> %{{.*}} to <4 x double>
// CHECK: fmul <4 x double>
extern "C" _GENX_MAIN_ void literals(SurfaceIndex out, vector<float, 4> a) {
  vector<float, 4> single = a * 0.1f;
  vector<float, 4> through_double = a * 0.1;
  write(out, 0, 0, single);
  write(out, 0, 1, through_double);
}
