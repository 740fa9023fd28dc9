; Sums of systolic products are read from what was written there, behind writes elsewhere in a matrix.
; RUN: cm-opt --march=cpu --passes=cpu-systolic-sums %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

declare <64 x float> @llvm.genx.dpas2.v64f32.v64f32.v64i32.v64i32(<64 x float>, <64 x i32>, <64 x i32>, i32, i32, i32, i32, i32, i32)
declare <64 x float> @llvm.genx.rdregionf.v64f32.v256f32.i16(<256 x float>, i32, i32, i32, i16, i32)
declare <256 x float> @llvm.genx.wrregionf.v256f32.v64f32.i16.i1(<256 x float>, <64 x float>, i32, i32, i32, i16, i32, i1)
declare <256 x float> @llvm.genx.wrregionf.v256f32.v32f32.i16.i1(<256 x float>, <32 x float>, i32, i32, i32, i16, i32, i1)

; The part that another product has written is passed by: what is left is the matrix as it was.
; CHECK-LABEL: @passed(
; CHECK: %[[PART:.*]] = call <64 x float> @llvm.genx.rdregionf{{.*}}(<256 x float> %m, i32 0, i32 64, i32 1, i16 256
; CHECK: dpas2{{.*}}(<64 x float> %[[PART]]
define <64 x float> @passed(<256 x float> %m, <64 x float> %d, <64 x i32> %b, <64 x i32> %a) {
  %1 = call <256 x float> @llvm.genx.wrregionf.v256f32.v64f32.i16.i1(<256 x float> %m, <64 x float> %d, i32 0, i32 64, i32 1, i16 0, i32 0, i1 true)
  %c = call <64 x float> @llvm.genx.rdregionf.v64f32.v256f32.i16(<256 x float> %1, i32 0, i32 64, i32 1, i16 256, i32 0)
  %r = call <64 x float> @llvm.genx.dpas2.v64f32.v64f32.v64i32.v64i32(<64 x float> %c, <64 x i32> %b, <64 x i32> %a, i32 9, i32 9, i32 8, i32 8, i32 1, i32 1)
  ret <64 x float> %r
}

; A part of two pieces, one of which was written twice.
; CHECK-LABEL: @pieces(
; CHECK: %[[ONE:.*]] = call <64 x float> @llvm.genx.wrregionf{{.*}}(<64 x float> poison, <32 x float> %x, i32 0, i32 32, i32 1, i16 128
; CHECK: %[[TWO:.*]] = call <64 x float> @llvm.genx.wrregionf{{.*}}(<64 x float> %[[ONE]], <32 x float> %y, i32 0, i32 32, i32 1, i16 0
; CHECK: dpas2{{.*}}(<64 x float> %[[TWO]]
define <64 x float> @pieces(<256 x float> %m, <32 x float> %x, <32 x float> %y, <64 x float> %d, <64 x i32> %b, <64 x i32> %a) {
  %1 = call <256 x float> @llvm.genx.wrregionf.v256f32.v64f32.i16.i1(<256 x float> %m, <64 x float> %d, i32 0, i32 64, i32 1, i16 256, i32 0, i1 true)
  %2 = call <256 x float> @llvm.genx.wrregionf.v256f32.v32f32.i16.i1(<256 x float> %1, <32 x float> %x, i32 0, i32 32, i32 1, i16 384, i32 0, i1 true)
  %3 = call <256 x float> @llvm.genx.wrregionf.v256f32.v64f32.i16.i1(<256 x float> %2, <64 x float> %d, i32 0, i32 64, i32 1, i16 0, i32 0, i1 true)
  %4 = call <256 x float> @llvm.genx.wrregionf.v256f32.v32f32.i16.i1(<256 x float> %3, <32 x float> %y, i32 0, i32 32, i32 1, i16 256, i32 0, i1 true)
  %c = call <64 x float> @llvm.genx.rdregionf.v64f32.v256f32.i16(<256 x float> %4, i32 0, i32 64, i32 1, i16 256, i32 0)
  %r = call <64 x float> @llvm.genx.dpas2.v64f32.v64f32.v64i32.v64i32(<64 x float> %c, <64 x i32> %b, <64 x i32> %a, i32 9, i32 9, i32 8, i32 8, i32 1, i32 1)
  ret <64 x float> %r
}

; A piece that reaches beyond the part is left where it is, with what lies before it.
; CHECK-LABEL: @beyond(
; CHECK: %[[M:.*]] = call <256 x float> @llvm.genx.wrregionf{{.*}}(<256 x float> %m, <64 x float> %d
; CHECK: %[[PART:.*]] = call <64 x float> @llvm.genx.rdregionf{{.*}}(<256 x float> %[[M]], i32 0, i32 64, i32 1, i16 256
; CHECK: dpas2{{.*}}(<64 x float> %[[PART]]
define <64 x float> @beyond(<256 x float> %m, <64 x float> %d, <64 x float> %e, <64 x i32> %b, <64 x i32> %a) {
  %1 = call <256 x float> @llvm.genx.wrregionf.v256f32.v64f32.i16.i1(<256 x float> %m, <64 x float> %d, i32 0, i32 64, i32 1, i16 128, i32 0, i1 true)
  %2 = call <256 x float> @llvm.genx.wrregionf.v256f32.v64f32.i16.i1(<256 x float> %1, <64 x float> %e, i32 0, i32 64, i32 1, i16 512, i32 0, i1 true)
  %c = call <64 x float> @llvm.genx.rdregionf.v64f32.v256f32.i16(<256 x float> %2, i32 0, i32 64, i32 1, i16 256, i32 0)
  %r = call <64 x float> @llvm.genx.dpas2.v64f32.v64f32.v64i32.v64i32(<64 x float> %c, <64 x i32> %b, <64 x i32> %a, i32 9, i32 9, i32 8, i32 8, i32 1, i32 1)
  ret <64 x float> %r
}
