; Operations on vectors of one element that was a scalar before are operations on scalars.
; RUN: cm-opt --passes=single-elements %s > %t.ll && FileCheck %s < %t.ll
; RUN: run-lines --plain --plain-after %s < %t.ll

; CHECK-LABEL: @saturated(
; CHECK-NOT: <1 x
; CHECK: [[WIDE:%.*]] = zext i8 %x to i64
; CHECK: [[LEAST:%.*]] = call i64 @llvm.smin.i64(i64 [[WIDE]], i64 225)
; CHECK: [[BYTE:%.*]] = trunc i64 [[LEAST]] to i8
; CHECK: add i8 [[BYTE]], 30
; run: saturated(random)
; run: saturated(225)
; run: saturated(226)
define i8 @saturated(i8 %x) {
  %wide = zext i8 %x to i64
  %v = insertelement <1 x i64> poison, i64 %wide, i64 0
  %least = call <1 x i64> @llvm.smin.v1i64(<1 x i64> %v, <1 x i64> splat (i64 225))
  %bytes = bitcast <1 x i64> %least to <8 x i8>
  %byte = extractelement <8 x i8> %bytes, i64 0
  %r = add i8 %byte, 30
  ret i8 %r
}

; One after another, with comparisons, choices and casts between them.
; CHECK-LABEL: @chain(
; CHECK-NOT: <1 x
; CHECK: call i32 @llvm.smax.i32(i32 %x, i32 3)
; CHECK: trunc i32
; CHECK: icmp slt i16
; CHECK: select i1
; CHECK: sext i16
; run: chain(random, random)
; run: chain(2, 4)
define i32 @chain(i32 %x, i16 %y) {
  %a = insertelement <1 x i32> poison, i32 %x, i64 0
  %b = insertelement <1 x i16> poison, i16 %y, i64 0
  %most = call <1 x i32> @llvm.smax.v1i32(<1 x i32> %a, <1 x i32> splat (i32 3))
  %short = trunc <1 x i32> %most to <1 x i16>
  %less = icmp slt <1 x i16> %short, %b
  %one = select <1 x i1> %less, <1 x i16> %short, <1 x i16> %b
  %long = sext <1 x i16> %one to <1 x i32>
  %r = extractelement <1 x i32> %long, i64 0
  ret i32 %r
}

; What is needed as a vector is one.
; CHECK-LABEL: @kept(
; CHECK: [[SUM:%.*]] = fadd nnan float %x, 1.000000e+00
; CHECK: insertelement <1 x float> poison, float [[SUM]], i64 0
define <1 x float> @kept(float %x) {
  %v = insertelement <1 x float> poison, float %x, i64 0
  %sum = fadd nnan <1 x float> %v, splat (float 1.0)
  ret <1 x float> %sum
}

; Parts of other vectors stay vectors: what adds up a vector is known by its form.
; CHECK-LABEL: @part(
; CHECK: add <1 x i32>
; run: part(random)
define i32 @part(<2 x i32> %v) {
  %low = shufflevector <2 x i32> %v, <2 x i32> poison, <1 x i32> <i32 0>
  %high = shufflevector <2 x i32> %v, <2 x i32> poison, <1 x i32> <i32 1>
  %sum = add <1 x i32> %low, %high
  %r = extractelement <1 x i32> %sum, i64 0
  ret i32 %r
}
