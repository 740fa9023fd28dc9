; Integers that may be infinite as halves: LLVM would take them for exact, whatever zeros stand behind their digits.
; RUN: cm-opt --passes="function(instcombine)" %s | FileCheck %s
; RUN: cm-opt --march=icllp --passes="function(instcombine),gen-operations" %s | FileCheck --check-prefix=GEN %s

; CHECK-LABEL: @back(
; CHECK: [[F:%.*]] = uitofp <8 x i32> %m to <8 x float>
; CHECK-NEXT: [[G:%.*]] = call <8 x float> @llvm.arithmetic.fence.v8f32(<8 x float> [[F]])
; CHECK-NEXT: [[H:%.*]] = fptrunc <8 x float> [[G]] to <8 x half>
; CHECK-NEXT: fpext <8 x half> [[H]] to <8 x float>
; GEN-LABEL: @back(
; GEN: [[H:%.*]] = uitofp <8 x i32> %m to <8 x half>
; GEN: fpext <8 x half> [[H]] to <8 x float>
define <8 x float> @back(<8 x i32> %u) {
  %m = and <8 x i32> %u, splat (i32 -16777216)
  %h = uitofp <8 x i32> %m to <8 x half>
  %f = fpext <8 x half> %h to <8 x float>
  ret <8 x float> %f
}

; By way of float and double, and of a choice.
; CHECK-LABEL: @through(
; CHECK: call double @llvm.arithmetic.fence.f64(
; CHECK: fptrunc double
define float @through(i32 %n, i1 %c) {
  %m = and i32 %n, -1048576
  %d = sitofp i32 %m to double
  %s = select i1 %c, double %d, double 1.0
  %h = fptrunc double %s to half
  %f = fpext half %h to float
  ret float %f
}

; Words are right.
; CHECK-LABEL: @words(
; CHECK-NOT: fence.f32
define float @words(i16 %n) {
  %m = and i16 %n, -256
  %h = uitofp i16 %m to half
  %f = fpext half %h to float
  ret float %f
}
