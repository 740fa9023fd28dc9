; RUN: cm-opt --march=SKL --passes=gen-float-functions,verify %s | FileCheck %s
; RUN: cm-opt --march=SKL --passes=gen-float-functions,verify %s | run-lines %s

; What they compute is compared with exact values by the Numerics tests.

; CHECK-LABEL: define <8 x float> @angle
; CHECK: fdiv <8 x float> splat (float 1.000000e+00)
; CHECK-COUNT-9: call <8 x float> @llvm.fma
; CHECK-NOT: llvm.atan
; CHECK: call <8 x float> @llvm.copysign
define <8 x float> @angle(<8 x float> %x) {
  %r = call <8 x float> @llvm.atan.v8f32(<8 x float> %x)
  ret <8 x float> %r
}

; CHECK-LABEL: define <8 x float> @hyperbolic
; CHECK-NOT: llvm.tanh
; CHECK: call <8 x float> @llvm.exp2.v8f32
; CHECK: [[SIGNED:%.*]] = call <8 x float> @llvm.copysign.v8f32(<8 x float> {{%.*}}, <8 x float> %x)
; CHECK-NEXT: ret <8 x float> [[SIGNED]]
define <8 x float> @hyperbolic(<8 x float> %x) {
  %r = call <8 x float> @llvm.tanh.v8f32(<8 x float> %x)
  ret <8 x float> %r
}

; Half is computed in float.
; CHECK-LABEL: define half @sine
; CHECK: fpext half %x to float
; CHECK: call float @llvm.sqrt.f32
; CHECK: fptrunc float
define half @sine(half %x) {
  %r = call half @llvm.asin.f16(half %x)
  ret half %r
}

; CHECK-LABEL: define <8 x float> @rest
; CHECK-NOT: frem
; CHECK: remainder:
; CHECK: urem <8 x i32>
; CHECK: br i1 %{{.*}}, label %remainder
; run: rest(random, random)
; run: rest(-1000..1000, 0.5..30)
define <8 x float> @rest(<8 x float> %x, <8 x float> %y) {
  %r = frem <8 x float> %x, %y
  ret <8 x float> %r
}

; Denormal divisors count as zero, unless the kernel keeps them.
; run: zero(3.0, 0x1p-140) == 0000c07f
; run: kept(0x1.8p-140, 0x1p-140) == 00010000
define float @zero(float %x, float %y) {
  %r = frem float %x, %y
  ret float %r
}
define float @kept(float %x, float %y) "CMFloatControl"="128" {
  %r = frem float %x, %y
  ret float %r
}

; No target has inverse functions of double.
; CHECK-LABEL: define double @wide
; CHECK-NEXT: call double @llvm.acos.f64
define double @wide(double %x) {
  %r = call double @llvm.acos.f64(double %x)
  ret double %r
}
