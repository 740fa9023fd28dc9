; Operations that LLVM has instructions for, by those.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-elementary %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-elementary %s | run-lines %s

; CHECK-LABEL: @signed_product(
; CHECK: [[L:%.*]] = sext <8 x i16> %x to <8 x i32>
; CHECK: [[R:%.*]] = sext <8 x i16> %y to <8 x i32>
; CHECK: mul <8 x i32> [[L]], [[R]]
; run: signed_product(random, random)
define <8 x i32> @signed_product(<8 x i16> %x, <8 x i16> %y) {
  %p = call <8 x i32> @llvm.genx.ssmul.v8i32.v8i16(<8 x i16> %x, <8 x i16> %y)
  ret <8 x i32> %p
}

; CHECK-LABEL: @unsigned_product(
; CHECK: [[L:%.*]] = zext <8 x i16> %x to <8 x i32>
; CHECK: [[R:%.*]] = zext <8 x i16> %y to <8 x i32>
; CHECK: mul <8 x i32> [[L]], [[R]]
; run: unsigned_product(random, random)
define <8 x i32> @unsigned_product(<8 x i16> %x, <8 x i16> %y) {
  %p = call <8 x i32> @llvm.genx.uumul.v8i32.v8i16(<8 x i16> %x, <8 x i16> %y)
  ret <8 x i32> %p
}

; CHECK-LABEL: @quotient(
; CHECK-NEXT: fdiv <8 x float> %x, %y
; run: quotient(random, random)
define <8 x float> @quotient(<8 x float> %x, <8 x float> %y) {
  %q = call <8 x float> @llvm.genx.ieee.div.v8f32(<8 x float> %x, <8 x float> %y)
  ret <8 x float> %q
}

; CHECK-LABEL: @root(
; CHECK-NEXT: call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
; run: root(random)
define <8 x double> @root(<8 x double> %x) {
  %r = call <8 x double> @llvm.genx.ieee.sqrt.v8f64(<8 x double> %x)
  ret <8 x double> %r
}

; NaN and -0 are not above 0; what is not below 1 is 1.
; CHECK-LABEL: @saturated(
; CHECK: [[ABOVE:%.*]] = fcmp ogt <8 x float> %x, zeroinitializer
; CHECK: [[LEAST:%.*]] = select <8 x i1> [[ABOVE]], <8 x float> %x, <8 x float> zeroinitializer
; CHECK: [[BELOW:%.*]] = fcmp olt <8 x float> [[LEAST]], splat (float 1.000000e+00)
; CHECK: select <8 x i1> [[BELOW]], <8 x float> [[LEAST]], <8 x float> splat (float 1.000000e+00)
; run: saturated(random)
define <8 x float> @saturated(<8 x float> %x) {
  %s = call <8 x float> @llvm.genx.sat.v8f32(<8 x float> %x)
  ret <8 x float> %s
}

; Only float's may be approximate.
; CHECK-LABEL: @reciprocal_roots(
; CHECK: call reassoc arcp afn <4 x float> @llvm.sqrt.v4f32
; CHECK: fdiv reassoc arcp afn <4 x float>
; CHECK: call <4 x double> @llvm.sqrt.v4f64
; CHECK: fdiv <4 x double>
; run: reciprocal_roots(random, random)
define <4 x double> @reciprocal_roots(<4 x float> %x, <4 x double> %y) {
  %f = call <4 x float> @llvm.genx.rsqrt.v4f32(<4 x float> %x)
  %d = call <4 x double> @llvm.genx.rsqrt.v4f64(<4 x double> %y)
  %w = fpext <4 x float> %f to <4 x double>
  %s = fadd <4 x double> %w, %d
  ret <4 x double> %s
}

declare <8 x i32> @llvm.genx.ssmul.v8i32.v8i16(<8 x i16>, <8 x i16>)
declare <8 x i32> @llvm.genx.uumul.v8i32.v8i16(<8 x i16>, <8 x i16>)
declare <8 x float> @llvm.genx.ieee.div.v8f32(<8 x float>, <8 x float>)
declare <8 x double> @llvm.genx.ieee.sqrt.v8f64(<8 x double>)
declare <8 x float> @llvm.genx.sat.v8f32(<8 x float>)
declare <4 x float> @llvm.genx.rsqrt.v4f32(<4 x float>)
declare <4 x double> @llvm.genx.rsqrt.v4f64(<4 x double>)
