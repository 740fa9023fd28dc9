; Quotients and roots that are correctly rounded: the last multiply-add rounds once, with the exact remainder.
; RUN: cm-opt --march=tgllp --passes=gen-exact-quotients %s | FileCheck %s
; RUN: cm-opt --march=tgllp --passes=gen-exact-quotients %s | run-lines %s

declare <8 x float> @llvm.genx.ieee.div.v8f32(<8 x float>, <8 x float>)
declare <8 x double> @llvm.genx.ieee.div.v8f64(<8 x double>, <8 x double>)
declare <8 x half> @llvm.genx.ieee.sqrt.v8f16(<8 x half>)

; CHECK-LABEL: @floats(
; CHECK: fdiv <8 x float> splat (float 1.000000e+00)
; CHECK: [[I:%.*]] = call <8 x float> @llvm.maxnum.v8f32
; CHECK: [[Q:%.*]] = fmul <8 x float> [[A:%.*]], [[I]]
; CHECK: [[R:%.*]] = call <8 x float> @llvm.fma.v8f32(<8 x float> {{%.*}}, <8 x float> [[Q]], <8 x float> [[A]])
; CHECK: call <8 x float> @llvm.fma.v8f32(<8 x float> [[R]], <8 x float> [[I]], <8 x float> [[Q]])
; CHECK-NOT: ieee.div.v8f32(<8 x float> %
; run: floats(random, random)
define <8 x float> @floats(<8 x float> %x, <8 x float> %y) {
  %q = call <8 x float> @llvm.genx.ieee.div.v8f32(<8 x float> %x, <8 x float> %y)
  ret <8 x float> %q
}

; Which the finalizer divides exactly.
; CHECK-LABEL: @doubles(
; CHECK: fdiv <8 x double> %x, %y
; run: doubles(random, random)
define <8 x double> @doubles(<8 x double> %x, <8 x double> %y) {
  %q = call <8 x double> @llvm.genx.ieee.div.v8f64(<8 x double> %x, <8 x double> %y)
  ret <8 x double> %q
}

; CHECK-LABEL: @halves(
; CHECK: fpext <8 x half> %x to <8 x float>
; CHECK: call <8 x float> @llvm.genx.rsqrt.v8f32
; CHECK: fptrunc <8 x float> {{%.*}} to <8 x half>
; run: halves(random)
define <8 x half> @halves(<8 x half> %x) {
  %r = call <8 x half> @llvm.genx.ieee.sqrt.v8f16(<8 x half> %x)
  ret <8 x half> %r
}
