; Operations that LLVM has instructions for, by those.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-elementary %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-elementary %s | run-lines --plain %s

; CHECK-LABEL: @signed_product(
; CHECK: [[L:%.*]] = sext <8 x i16> %x to <8 x i32>
; CHECK: [[R:%.*]] = sext <8 x i16> %y to <8 x i32>
; CHECK: mul <8 x i32> [[L]], [[R]]
; run: signed_product(random, random) as widened
define <8 x i32> @signed_product(<8 x i16> %x, <8 x i16> %y) {
  %p = call <8 x i32> @llvm.genx.ssmul.v8i32.v8i16(<8 x i16> %x, <8 x i16> %y)
  ret <8 x i32> %p
}

; CHECK-LABEL: @unsigned_product(
; CHECK: [[L:%.*]] = zext <8 x i16> %x to <8 x i32>
; CHECK: [[R:%.*]] = zext <8 x i16> %y to <8 x i32>
; CHECK: mul <8 x i32> [[L]], [[R]]
; run: unsigned_product(random, random) as zero_extended
define <8 x i32> @unsigned_product(<8 x i16> %x, <8 x i16> %y) {
  %p = call <8 x i32> @llvm.genx.uumul.v8i32.v8i16(<8 x i16> %x, <8 x i16> %y)
  ret <8 x i32> %p
}

; CHECK-LABEL: @quotient(
; CHECK-NEXT: fdiv <8 x float> %x, %y
; run: quotient(random, random) as divided
define <8 x float> @quotient(<8 x float> %x, <8 x float> %y) #0 {
  %q = call <8 x float> @llvm.genx.ieee.div.v8f32(<8 x float> %x, <8 x float> %y)
  ret <8 x float> %q
}

; CHECK-LABEL: @root(
; CHECK-NEXT: call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
; run: root(random) as exact_root
define <8 x double> @root(<8 x double> %x) #0 {
  %r = call <8 x double> @llvm.genx.ieee.sqrt.v8f64(<8 x double> %x)
  ret <8 x double> %r
}

; NaN and -0 are not above 0; what is not below 1 is 1.
; CHECK-LABEL: @saturated(
; CHECK: [[ABOVE:%.*]] = fcmp ogt <8 x float> %x, zeroinitializer
; CHECK: [[LEAST:%.*]] = select <8 x i1> [[ABOVE]], <8 x float> %x, <8 x float> zeroinitializer
; CHECK: [[BELOW:%.*]] = fcmp olt <8 x float> [[LEAST]], splat (float 1.000000e+00)
; CHECK: select <8 x i1> [[BELOW]], <8 x float> [[LEAST]], <8 x float> splat (float 1.000000e+00)
; run: saturated(random) as clamped
define <8 x float> @saturated(<8 x float> %x) #0 {
  %s = call <8 x float> @llvm.genx.sat.v8f32(<8 x float> %x)
  ret <8 x float> %s
}

; Only float's may be approximate.
; CHECK-LABEL: @reciprocal_roots(
; CHECK: call reassoc arcp afn <4 x float> @llvm.sqrt.v4f32
; CHECK: fdiv reassoc arcp afn <4 x float>
; CHECK: call <4 x double> @llvm.sqrt.v4f64
; CHECK: fdiv <4 x double>
define <4 x double> @reciprocal_roots(<4 x float> %x, <4 x double> %y) {
  %f = call <4 x float> @llvm.genx.rsqrt.v4f32(<4 x float> %x)
  %d = call <4 x double> @llvm.genx.rsqrt.v4f64(<4 x double> %y)
  %w = fpext <4 x float> %f to <4 x double>
  %s = fadd <4 x double> %w, %d
  ret <4 x double> %s
}

; run: reciprocal_root(random) as exact_reciprocal_root
define <4 x double> @reciprocal_root(<4 x double> %x) #0 {
  %d = call <4 x double> @llvm.genx.rsqrt.v4f64(<4 x double> %x)
  ret <4 x double> %d
}
; run: rough(0.001..1000) as always
define <4 x i8> @rough(<4 x float> %x) {
  %r = call <4 x float> @llvm.genx.rsqrt.v4f32(<4 x float> %x)
  %d = fpext <4 x float> %r to <4 x double>
  %w = fpext <4 x float> %x to <4 x double>
  %square = fmul <4 x double> %d, %d
  %one = fmul <4 x double> %square, %w
  %above = fcmp ogt <4 x double> %one, splat (double 0.99999)
  %below = fcmp olt <4 x double> %one, splat (double 1.00001)
  %near = and <4 x i1> %above, %below
  %bytes = zext <4 x i1> %near to <4 x i8>
  ret <4 x i8> %bytes
}

; The same in LLVM's operations.
define <8 x i32> @widened(<8 x i16> %x, <8 x i16> %y) {
  %a = sext <8 x i16> %x to <8 x i32>
  %b = sext <8 x i16> %y to <8 x i32>
  %p = mul <8 x i32> %a, %b
  ret <8 x i32> %p
}
define <8 x i32> @zero_extended(<8 x i16> %x, <8 x i16> %y) {
  %a = zext <8 x i16> %x to <8 x i32>
  %b = zext <8 x i16> %y to <8 x i32>
  %p = mul <8 x i32> %a, %b
  ret <8 x i32> %p
}
define <8 x float> @divided(<8 x float> %x, <8 x float> %y) {
  %q = fdiv <8 x float> %x, %y
  ret <8 x float> %q
}
define <8 x double> @exact_root(<8 x double> %x) {
  %r = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  ret <8 x double> %r
}
define <8 x float> @clamped(<8 x float> %x) {
  %low = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> zeroinitializer)
  %s = call <8 x float> @llvm.minimumnum.v8f32(<8 x float> %low, <8 x float> splat (float 1.0))
  ret <8 x float> %s
}
define <4 x double> @exact_reciprocal_root(<4 x double> %x) {
  %r = call <4 x double> @llvm.sqrt.v4f64(<4 x double> %x)
  %d = fdiv <4 x double> splat (double 1.0), %r
  ret <4 x double> %d
}
define <4 x i8> @always(<4 x float> %x) {
  ret <4 x i8> splat (i8 1)
}

declare <4 x double> @llvm.sqrt.v4f64(<4 x double>)
declare <8 x double> @llvm.sqrt.v8f64(<8 x double>)
declare <8 x float> @llvm.maximumnum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.minimumnum.v8f32(<8 x float>, <8 x float>)
declare <8 x i32> @llvm.genx.ssmul.v8i32.v8i16(<8 x i16>, <8 x i16>)
declare <8 x i32> @llvm.genx.uumul.v8i32.v8i16(<8 x i16>, <8 x i16>)
declare <8 x float> @llvm.genx.ieee.div.v8f32(<8 x float>, <8 x float>)
declare <8 x double> @llvm.genx.ieee.sqrt.v8f64(<8 x double>)
declare <8 x float> @llvm.genx.sat.v8f32(<8 x float>)
declare <4 x float> @llvm.genx.rsqrt.v4f32(<4 x float>)
declare <4 x double> @llvm.genx.rsqrt.v4f64(<4 x double>)

; Denormal numbers are kept.
attributes #0 = { "CMFloatControl"="1216" }
