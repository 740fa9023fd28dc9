; A move of columns: every fourth element is in a row, and goes at once.
; RUN: cm-opt --march=SKL --passes=gen-legalization %s | FileCheck %s
; RUN: cm-opt --march=SKL --passes=gen-legalization %s | run-lines %s
declare <64 x float> @llvm.genx.rdregionf.v64f32.v64f32.i16(<64 x float>, i32, i32, i32, i16, i32) #0
declare <64 x float> @llvm.genx.wrregionf.v64f32.v64f32.i16.i1(<64 x float>, <64 x float>, i32, i32, i32, i16, i32, i1) #0

; CHECK-LABEL: @columns(
; CHECK-COUNT-16: call <64 x float> @llvm.genx.wrregionf.v64f32.v4f32.i16.i1(<64 x float> {{.*}}, i32 0, i32 4, i32 4,
; CHECK-NOT: wrregion
; CHECK: ret
; run: columns(random)
define <64 x float> @columns(<64 x float> %m) {
  %t = call <64 x float> @llvm.genx.rdregionf.v64f32.v64f32.i16(<64 x float> %m, i32 1, i32 4, i32 16, i16 0, i32 0)
  %w = call <64 x float> @llvm.genx.wrregionf.v64f32.v64f32.i16.i1(<64 x float> poison, <64 x float> %t, i32 0, i32 64, i32 1, i16 0, i32 0, i1 true)
  ret <64 x float> %w
}
attributes #0 = { nounwind willreturn memory(none) }
