; Regions of constants and of splats are known; regions of other values are not.
; RUN: cm-opt --passes=region-constant-folding %s | FileCheck %s

declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1)

; CHECK-LABEL: @odd_elements(
; CHECK: ret <4 x i32> <i32 1, i32 3, i32 5, i32 7>
define <4 x i32> @odd_elements() {
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, i32 0, i32 4, i32 2, i16 4, i32 undef)
  ret <4 x i32> %r
}

; CHECK-LABEL: @run_time_offset_into_splat(
; CHECK: ret <4 x i32> splat (i32 9)
define <4 x i32> @run_time_offset_into_splat(i16 %o) {
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> splat (i32 9), i32 0, i32 4, i32 1, i16 %o, i32 undef)
  ret <4 x i32> %r
}

; CHECK-LABEL: @write_into_constant(
; CHECK: ret <8 x i32> <i32 0, i32 5, i32 0, i32 5, i32 0, i32 5, i32 0, i32 5>
define <8 x i32> @write_into_constant() {
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> zeroinitializer, <4 x i32> splat (i32 5), i32 0, i32 4, i32 2, i16 4, i32 undef, i1 true)
  ret <8 x i32> %w
}

; CHECK-LABEL: @unknown_value(
; CHECK: rdregion
define <4 x i32> @unknown_value(<8 x i32> %x) {
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %x, i32 0, i32 4, i32 2, i16 4, i32 undef)
  ret <4 x i32> %r
}

; Reads past the end are left alone.
; CHECK-LABEL: @past_the_end(
; CHECK: rdregion
define <4 x i32> @past_the_end() {
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, i32 0, i32 4, i32 1, i16 20, i32 undef)
  ret <4 x i32> %r
}

; Saturation clamps each element: what is no number, and what nobody defined, is 0.
declare <8 x float> @llvm.genx.sat.v8f32(<8 x float>)
declare half @llvm.genx.sat.f16(half)
; CHECK-LABEL: @saturated(
; CHECK-NEXT: ret <8 x float> <float 0.000000e+00, float 0.000000e+00, float 2.500000e-01, float 1.000000e+00, float 1.000000e+00, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00>
define <8 x float> @saturated() {
  %r = call <8 x float> @llvm.genx.sat.v8f32(<8 x float> <float -1.0, float -0.0, float 0.25, float 1.0, float 7.0, float undef, float 0x7FF8000000000000, float 0x7FF0000000000000>)
  ret <8 x float> %r
}
; CHECK-LABEL: @saturated_scalar(
; CHECK-NEXT: ret half 0xH3800
define half @saturated_scalar() {
  %r = call half @llvm.genx.sat.f16(half 0xH3800)
  ret half %r
}
