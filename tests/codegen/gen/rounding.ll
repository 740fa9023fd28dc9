; Roundings that no instruction does, and scaling by powers of two.
; RUN: cm-opt --march=skl --passes=gen-float-functions %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-float-functions %s | run-lines %s

; CHECK-LABEL: @away(
; CHECK-NEXT: [[W:%.*]] = call <8 x float> @llvm.trunc.v8f32(<8 x float> %x)
; CHECK-NEXT: [[D:%.*]] = fsub <8 x float> %x, [[W]]
; CHECK-NEXT: [[C:%.*]] = call <8 x float> @llvm.fabs.v8f32(<8 x float> [[D]])
; CHECK-NEXT: [[H:%.*]] = fcmp oge <8 x float> [[C]], splat (float 5.000000e-01)
; CHECK-NEXT: [[S:%.*]] = select <8 x i1> [[H]], <8 x float> splat (float 1.000000e+00), <8 x float> zeroinitializer
; CHECK-NEXT: [[T:%.*]] = call <8 x float> @llvm.copysign.v8f32(<8 x float> [[S]], <8 x float> %x)
; CHECK-NEXT: [[R:%.*]] = fadd <8 x float> [[W]], [[T]]
; CHECK-NEXT: call <8 x float> @llvm.copysign.v8f32(<8 x float> [[R]], <8 x float> %x)
; run: away(random)
define <8 x float> @away(<8 x float> %x) {
  %r = call <8 x float> @llvm.round.v8f32(<8 x float> %x)
  ret <8 x float> %r
}

; A power of two is what LLVM made it of: the execution units have that.
; CHECK-LABEL: @power(
; CHECK-NEXT: [[F:%.*]] = sitofp <8 x i32> %n to <8 x float>
; CHECK-NEXT: call <8 x float> @llvm.exp2.v8f32(<8 x float> [[F]])
; run: power(random)
define <8 x float> @power(<8 x i32> %n) {
  %r = call <8 x float> @llvm.ldexp.v8f32.v8i32(<8 x float> splat (float 1.0), <8 x i32> %n)
  ret <8 x float> %r
}

; The exponent of the last factor is put together as an integer.
; CHECK-LABEL: @scaled(
; CHECK-NOT: ldexp
; CHECK: [[E:%.*]] = add i32 %{{.*}}, 127
; CHECK-NEXT: [[S:%.*]] = shl i32 [[E]], 23
; CHECK-NEXT: [[F:%.*]] = bitcast i32 [[S]] to float
; CHECK-NEXT: fmul float %{{.*}}, [[F]]
; run: scaled(random, random)
define float @scaled(float %x, i32 %n) {
  %r = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  ret float %r
}

; To even stays.
; CHECK-LABEL: @even(
; CHECK-NEXT: call float @llvm.rint.f32(
; run: even(random)
define float @even(float %x) {
  %r = call float @llvm.rint.f32(float %x)
  ret float %r
}
