; What LLVM finds in plain arithmetic and has functions for becomes plain arithmetic again.
; RUN: cm-opt --march=skl --passes=gen-intrinsics %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-intrinsics %s | run-lines %s

; CHECK-LABEL: @sign(
; CHECK-NEXT: [[LESS:%.*]] = icmp slt <8 x i32> %a, %b
; CHECK-NEXT: [[MORE:%.*]] = icmp sgt <8 x i32> %a, %b
; CHECK-NEXT: [[L:%.*]] = sext <8 x i1> [[LESS]] to <8 x i32>
; CHECK-NEXT: [[M:%.*]] = sext <8 x i1> [[MORE]] to <8 x i32>
; CHECK-NEXT: sub <8 x i32> [[L]], [[M]]
; run: sign(random, random)
define <8 x i32> @sign(<8 x i32> %a, <8 x i32> %b) {
  %r = call <8 x i32> @llvm.scmp.v8i32.v8i32(<8 x i32> %a, <8 x i32> %b)
  ret <8 x i32> %r
}

; CHECK-LABEL: @rotated(
; CHECK-NEXT: [[UP:%.*]] = shl <8 x i32> %a, splat (i32 7)
; CHECK-NEXT: [[DOWN:%.*]] = lshr <8 x i32> %a, splat (i32 25)
; CHECK-NEXT: or <8 x i32> [[UP]], [[DOWN]]
; run: rotated(random)
define <8 x i32> @rotated(<8 x i32> %a) {
  %r = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %a, <8 x i32> %a, <8 x i32> splat (i32 7))
  ret <8 x i32> %r
}

; CHECK-LABEL: @sum(
; CHECK: [[S:%.*]] = add <4 x i32>
; CHECK: [[T:%.*]] = add <2 x i32>
; CHECK: [[R:%.*]] = add i32
; CHECK-NEXT: ret i32 [[R]]
; run: sum(random)
define i32 @sum(<8 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %v)
  ret i32 %r
}

; A sum of floats in its order stays in it.
; CHECK-LABEL: @ordered(
; CHECK-COUNT-4: = fadd float
; run: ordered(random)
define float @ordered(<4 x float> %v) {
  %r = call float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %v)
  ret float %r
}

; By a number that is not known, the shift back is in two.
; CHECK-LABEL: @rotate(
; CHECK: shl <8 x i32> %v
; CHECK: lshr <8 x i32>
; CHECK-NOT: fshl
; CHECK: ret
; run: rotate(random, random)
define <8 x i32> @rotate(<8 x i32> %v, <8 x i32> %n) {
  %r = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %v, <8 x i32> %v, <8 x i32> %n)
  ret <8 x i32> %r
}

; The parts of a sum with overflow are values of their own.
; CHECK-LABEL: @overflow(
; CHECK-NEXT: [[SUM:%.*]] = add i32 %a, %b
; CHECK-NEXT: [[X:%.*]] = xor i32 [[SUM]], %a
; CHECK-NEXT: [[Y:%.*]] = xor i32 [[SUM]], %b
; CHECK-NEXT: [[Z:%.*]] = and i32 [[X]], [[Y]]
; CHECK-NEXT: [[OVER:%.*]] = icmp slt i32 [[Z]], 0
; CHECK-NEXT: select i1 [[OVER]], i32 0, i32 [[SUM]]
; run: overflow(random, random)
define i32 @overflow(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %s = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %r = select i1 %o, i32 0, i32 %s
  ret i32 %r
}

; Normal numbers of either sign.
; CHECK-LABEL: @normal(
; CHECK-NEXT: [[BITS:%.*]] = bitcast float %x to i32
; CHECK-NEXT: [[SIZE:%.*]] = and i32 [[BITS]], 2147483647
; CHECK: [[OVER:%.*]] = sub i32 [[SIZE]], 8388608
; CHECK-NEXT: [[R:%.*]] = icmp ult i32 [[OVER]], 2130706432
; CHECK-NEXT: ret i1 [[R]]
; run: normal(random)
define i1 @normal(float %x) {
  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 264)
  ret i1 %r
}

; What instructions do stays.
; CHECK-LABEL: @stay(
; CHECK-NEXT: call <8 x i32> @llvm.smax.v8i32(
; CHECK-NEXT: call <8 x i32> @llvm.bitreverse.v8i32(
; CHECK-NEXT: call <8 x i32> @llvm.ctpop.v8i32(
; CHECK-NEXT: call <8 x i32> @llvm.uadd.sat.v8i32(
; run: stay(random, random)
define <8 x i32> @stay(<8 x i32> %a, <8 x i32> %b) {
  %m = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %a, <8 x i32> %b)
  %r = call <8 x i32> @llvm.bitreverse.v8i32(<8 x i32> %m)
  %c = call <8 x i32> @llvm.ctpop.v8i32(<8 x i32> %r)
  %s = call <8 x i32> @llvm.uadd.sat.v8i32(<8 x i32> %c, <8 x i32> %b)
  ret <8 x i32> %s
}
