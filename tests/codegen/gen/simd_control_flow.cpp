// SIMD control flow as Gen code: instructions that some channels execute, jumps when none does.
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck %s
#include <cm/cm.h>

// CHECK: cmp.gt (M1, 16) [[P:P[0-9]+]]
// CHECK: (![[P]].any) jmp
// CHECK: cmp.gt (M1, 16) [[INNER:P[0-9]+]]
// CHECK-NEXT: and (M1, 16) [[BOTH:P[0-9]+]] [[INNER]] [[P]]
// CHECK-NEXT: (![[BOTH]].any) jmp
// CHECK: ([[BOTH]]) add (M1, 16) [[S:V[0-9]+]](0,0)<1> [[S]](0,0)<1;1,0> 0xc1200000:f
// CHECK-NEXT: ([[BOTH]]) add (M1, 16) [[K:V[0-9]+]](0,0)<1> [[K]](0,0)<1;1,0> 1:d
// CHECK: (![[P]]) add (M1, 16) [[S]](0,0)<1>
// CHECK-NEXT: (![[P]]) mul (M1, 16) [[K]](0,0)<1> [[K]](0,0)<1;1,0> 5:d
// CHECK: setp (M1, 16) [[ON:P[0-9]+]]
// CHECK-NEXT: ([[ON]]) mul (M1, 16) [[S]](0,0)<1> [[S]](0,0)<1;1,0> 0x3f000000:f
extern "C" _GENX_MAIN_ void cf(SurfaceIndex in, SurfaceIndex out, float t) {
  vector<float, 16> v, s = 0;
  vector<int, 16> k = 0;
  read(in, 0, v);
  SIMD_IF_BEGIN(v > t) {
    s = v * 2.0f + t;
    k = k + 3;
    s = s * s + v;
    SIMD_IF_BEGIN(s > 10.0f) {
      s = s - 10.0f;
      k += 1;
    } SIMD_IF_END;
    s += 1.0f;
    s *= v;
  } SIMD_ELSE {
    s = v - t;
    k = k * 5;
  } SIMD_IF_END;
  SIMD_DO_WHILE_BEGIN {
    s *= 0.5f;
    k += 1;
  } SIMD_DO_WHILE_END(s > 1.0f);
  write(out, 0, s);
  write(out, 64, k);
}
