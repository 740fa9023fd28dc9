; Products that are only added to something are not rounded before (passes/Contraction.cpp).
; RUN: cm-opt --passes=contraction,adce %s | FileCheck %s

define <4 x float> @sum(<4 x float> %a, <4 x float> %b, <4 x float> %c) {
; CHECK-LABEL: @sum(
; CHECK-NEXT: [[S:%.*]] = call <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
; CHECK-NEXT: ret <4 x float> [[S]]
  %p = fmul <4 x float> %a, %b
  %s = fadd <4 x float> %c, %p
  ret <4 x float> %s
}

define double @difference(double %a, double %b, double %c) {
; CHECK-LABEL: @difference(
; CHECK-NEXT: [[N:%.*]] = fneg double %a
; CHECK-NEXT: [[S:%.*]] = call double @llvm.fma.f64(double [[N]], double %b, double %c)
; CHECK-NEXT: ret double [[S]]
  %p = fmul double %a, %b
  %s = fsub double %c, %p
  ret double %s
}

; The left one of two products.
define float @two(float %a, float %b, float %c, float %d) {
; CHECK-LABEL: @two(
; CHECK-NEXT: [[Q:%.*]] = fmul float %c, %d
; CHECK-NEXT: [[S:%.*]] = call float @llvm.fma.f32(float %a, float %b, float [[Q]])
  %p = fmul float %a, %b
  %q = fmul float %c, %d
  %s = fadd float %p, %q
  ret float %s
}

; A product that is used otherwise, and halves, stay.
define float @used(float %a, float %b, ptr %to) {
; CHECK-LABEL: @used(
; CHECK-NOT: llvm.fma
  %p = fmul float %a, %b
  store float %p, ptr %to
  %s = fadd float %p, %a
  ret float %s
}
define half @halves(half %a, half %b, half %c) {
; CHECK-LABEL: @halves(
; CHECK-NOT: llvm.fma
; CHECK: fadd half
  %p = fmul half %a, %b
  %s = fadd half %p, %c
  ret half %s
}

; Sums are all that this product is for.
define float @shared(float %a, float %b, float %c, float %d) {
; CHECK-LABEL: @shared(
; CHECK-COUNT-2: call float @llvm.fma.f32(
; CHECK-NOT: fmul float %a
  %p = fmul float %a, %b
  %s = fadd float %p, %c
  %t = fsub float %p, %d
  %r = fdiv float %s, %t
  ret float %r
}
