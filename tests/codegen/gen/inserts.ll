; Elements that are sums of one value and multiples of another are computed as a vector.
; RUN: cm-opt --march=SKL --passes=gen-inserts %s | FileCheck %s
; RUN: cm-opt --march=SKL --passes=gen-inserts %s | run-lines %s
declare <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32>, i32, i32, i32, i32, i16, i32, i1) #0

; CHECK-LABEL: @affine(
; CHECK-NOT: shl
; CHECK: [[N:%.*]] = call <8 x i16> @llvm.genx.wrregioni.v8i16.v8i16.i16.i1(<8 x i16> poison, <8 x i16> <i16 0, i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7>
; CHECK: [[Y:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v1i32.i16({{.*}}, i32 0, i32 1, i32 0, i16 0
; CHECK: [[Z:%.*]] = zext <8 x i16> [[N]] to <8 x i32>
; CHECK: [[M:%.*]] = mul <8 x i32> [[Y]], [[Z]]
; CHECK: add <8 x i32> [[M]],
; CHECK: call <8 x i32> @llvm.genx.wrregioni.v8i32.v8i32.i16.i1(<8 x i32> %old,
; run: affine(random, random, random)
define <8 x i32> @affine(<8 x i32> %old, i32 %x, i32 %y) {
  %v0 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %old, i32 %x, i32 0, i32 1, i32 1, i16 0, i32 0, i1 true)
  %e1 = add i32 %y, %x
  %v1 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v0, i32 %e1, i32 0, i32 1, i32 1, i16 4, i32 0, i1 true)
  %m2 = shl i32 %y, 1
  %e2 = add i32 %m2, %x
  %v2 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v1, i32 %e2, i32 0, i32 1, i32 1, i16 8, i32 0, i1 true)
  %m3 = mul i32 %y, 3
  %e3 = add i32 %m3, %x
  %v3 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v2, i32 %e3, i32 0, i32 1, i32 1, i16 12, i32 0, i1 true)
  %m4 = shl i32 %y, 2
  %e4 = add i32 %m4, %x
  %v4 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v3, i32 %e4, i32 0, i32 1, i32 1, i16 16, i32 0, i1 true)
  %m5 = mul i32 %y, 5
  %e5 = add i32 %m5, %x
  %v5 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v4, i32 %e5, i32 0, i32 1, i32 1, i16 20, i32 0, i1 true)
  %m6 = mul i32 %y, 6
  %e6 = add i32 %m6, %x
  %v6 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v5, i32 %e6, i32 0, i32 1, i32 1, i16 24, i32 0, i1 true)
  %m7 = mul i32 %y, 7
  %e7 = add i32 %x, %m7
  %v7 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v6, i32 %e7, i32 0, i32 1, i32 1, i16 28, i32 0, i1 true)
  ret <8 x i32> %v7
}

; Two factors, or too few elements, are left alone.
; CHECK-LABEL: @others(
; CHECK-NOT: mul <
; run: others(random, random, random)
define <8 x i32> @others(<8 x i32> %old, i32 %x, i32 %y) {
  %v0 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %old, i32 %x, i32 0, i32 1, i32 1, i16 0, i32 0, i1 true)
  %e1 = mul i32 %y, 3
  %v1 = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v0, i32 %e1, i32 0, i32 1, i32 1, i16 4, i32 0, i1 true)
  ret <8 x i32> %v1
}
; Nor are 64 bits, which nothing multiplies.
; CHECK-LABEL: @long(
; CHECK-NOT: mul <
; run: long(random)
define <8 x i64> @long(i64 %y) {
  %e0 = shl i64 %y, 0
  %v0 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> poison, i64 %e0, i32 0, i32 1, i32 1, i16 0, i32 0, i1 true)
  %e1 = shl i64 %y, 1
  %v1 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> %v0, i64 %e1, i32 0, i32 1, i32 1, i16 8, i32 0, i1 true)
  %e2 = shl i64 %y, 2
  %v2 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> %v1, i64 %e2, i32 0, i32 1, i32 1, i16 16, i32 0, i1 true)
  %e3 = shl i64 %y, 3
  %v3 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> %v2, i64 %e3, i32 0, i32 1, i32 1, i16 24, i32 0, i1 true)
  %e4 = shl i64 %y, 4
  %v4 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> %v3, i64 %e4, i32 0, i32 1, i32 1, i16 32, i32 0, i1 true)
  %e5 = shl i64 %y, 5
  %v5 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> %v4, i64 %e5, i32 0, i32 1, i32 1, i16 40, i32 0, i1 true)
  %e6 = shl i64 %y, 6
  %v6 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> %v5, i64 %e6, i32 0, i32 1, i32 1, i16 48, i32 0, i1 true)
  %e7 = shl i64 %y, 7
  %v7 = call <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64> %v6, i64 %e7, i32 0, i32 1, i32 1, i16 56, i32 0, i1 true)
  ret <8 x i64> %v7
}
declare <8 x i64> @llvm.genx.wrregioni.v8i64.i64.i16.i1(<8 x i64>, i64, i32, i32, i32, i16, i32, i1) #0
attributes #0 = { nounwind willreturn memory(none) }
