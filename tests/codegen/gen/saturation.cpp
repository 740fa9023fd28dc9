// SAT to a float is one instruction with what computes the number: .sat, which gives +0 for NaN and -0.
// RUN: cmc %s -march=ICLLP -verify-each -S -o - | FileCheck %s
// RUN: cmc %s -march=PVC -verify-each -S -o - | FileCheck %s
// RUN: cmc %s -binary-format=ocl -o %t.spv
// RUN: grep -c llvm.genx.sat.v16f32 %t.spv
#include <cm/cm.h>

// CHECK: .kernel "sat"
// CHECK-NOT: {{(min|max)}} (
// CHECK: mul.sat (M1, 16)
// CHECK: mad.sat (M1, 16)
// CHECK: mov.sat (M1, 16)
// CHECK-NOT: {{(min|max)}} (
extern "C" _GENX_MAIN_ void sat(SurfaceIndex out, vector<float, 16> a, vector<float, 16> b) {
  vector<float, 16> product = cm_mul<float>(a, 2.0f, SAT), sum(a * b + 0.5f, SAT), alone(b, SAT);
  write(out, 0, product);
  write(out, 64, sum);
  write(out, 128, alone);
}

// Sums and conversions to bytes and words are exact without 64 bits.
// CHECK: .kernel "bytes"
// CHECK-NOT: cmp
// CHECK: add (M1, 16)
// CHECK-NEXT: min (M1, 16) {{.*}} 255:
// CHECK-NOT: cmp
// CHECK: add.sat (M1, 16)
// CHECK-NEXT: max (M1, 16)
// CHECK-NEXT: min (M1, 16)
// CHECK-NOT: cmp
// CHECK: ret (M1, 1)
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex out, vector<ushort, 16> a, vector<ushort, 16> b, vector<int, 16> c) {
  vector<uchar, 16> words = cm_add<uchar>(a, b, SAT), dwords = cm_add<uchar>(c, c + 1, SAT);
  write(out, 0, words);
  write(out, 16, dwords);
}
