; A conversion that saturates is a plain one where no number of the range is beyond the type: to the last one.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-saturation %s > %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: run-lines %s < %t.ll
declare <8 x i8> @llvm.fptosi.sat.v8i8.v8f32(<8 x float>)
declare <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float>)

; CHECK-LABEL: @from_least(
; CHECK-NOT: .sat.
; CHECK: ret
; run: from_least(random)
define <8 x i8> @from_least(<8 x i8> %x) {
  %f = uitofp <8 x i8> %x to <8 x float>
  %d = fadd <8 x float> %f, splat (float -128.0)
  %r = call <8 x i8> @llvm.fptosi.sat.v8i8.v8f32(<8 x float> %d)
  ret <8 x i8> %r
}

; -129 is beyond, and 128.
; CHECK-LABEL: @below_least(
; CHECK: .sat.
; run: below_least(random)
; run: below_least(<0, 1, 2, 127, 128, 129, -1, -2>) == 808081feff007e7d
define <8 x i8> @below_least(<8 x i8> %x) {
  %f = uitofp <8 x i8> %x to <8 x float>
  %d = fadd <8 x float> %f, splat (float -129.0)
  %r = call <8 x i8> @llvm.fptosi.sat.v8i8.v8f32(<8 x float> %d)
  ret <8 x i8> %r
}
; CHECK-LABEL: @above_most(
; CHECK: .sat.
; run: above_most(random)
define <8 x i8> @above_most(<8 x i8> %x) {
  %f = uitofp <8 x i8> %x to <8 x float>
  %d = fadd <8 x float> %f, splat (float -127.0)
  %r = call <8 x i8> @llvm.fptosi.sat.v8i8.v8f32(<8 x float> %d)
  ret <8 x i8> %r
}

; Between -1 and 0 is 0, also without a sign.
; CHECK-LABEL: @from_zero(
; CHECK-NOT: .sat.
; CHECK: ret
; run: from_zero(random)
define <8 x i8> @from_zero(<8 x i8> %x) {
  %f = uitofp <8 x i8> %x to <8 x float>
  %d = fadd <8 x float> %f, splat (float -0.5)
  %r = call <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float> %d)
  ret <8 x i8> %r
}
; CHECK-LABEL: @from_minus_one(
; CHECK: .sat.
; run: from_minus_one(random)
define <8 x i8> @from_minus_one(<8 x i8> %x) {
  %f = uitofp <8 x i8> %x to <8 x float>
  %d = fadd <8 x float> %f, splat (float -1.0)
  %r = call <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float> %d)
  ret <8 x i8> %r
}
; CHECK-LABEL: @beyond_a_byte(
; CHECK: .sat.
; run: beyond_a_byte(random)
define <8 x i8> @beyond_a_byte(<8 x i8> %x) {
  %f = uitofp <8 x i8> %x to <8 x float>
  %d = fadd <8 x float> %f, splat (float 1.0)
  %r = call <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float> %d)
  ret <8 x i8> %r
}
