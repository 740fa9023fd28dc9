; Chains of regions collapse; regions that overlap in part are left alone.
; RUN: cm-opt --passes=region-collapsing %s | FileCheck %s

; Rows that follow each other are one row, so that equal regions look equal.
; CHECK-LABEL: @one_row(
; CHECK: [[R:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %x, i32 0, i32 8, i32 1, i16 %o, i32 undef)
; CHECK: wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %x, <8 x i32> [[R]], i32 0, i32 8, i32 1, i16 16, i32 undef, i1 true)
define <16 x i32> @one_row(<16 x i32> %x, i16 %o) {
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %x, i32 2, i32 2, i32 1, i16 %o, i32 undef)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %x, <8 x i32> %r, i32 4, i32 4, i32 1, i16 16, i32 undef, i1 true)
  ret <16 x i32> %w
}

declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <16 x i32> @llvm.genx.rdregioni.v16i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32>, <8 x i32>, i32, i32, i32, i16, i32, i1)

; CHECK-LABEL: @same_region(
; CHECK: ret <8 x i32> %new
define <8 x i32> @same_region(<16 x i32> %old, <8 x i32> %new) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %new, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 8, i32 8, i32 1, i16 0, i32 undef)
  ret <8 x i32> %r
}

; The other half was not written.
; CHECK-LABEL: @beside(
; CHECK: [[R:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %old, i32 0, i32 8, i32 1, i16 32, i32 undef)
; CHECK: ret <8 x i32> [[R]]
define <8 x i32> @beside(<16 x i32> %old, <8 x i32> %new) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %new, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 8, i32 8, i32 1, i16 32, i32 undef)
  ret <8 x i32> %r
}

; Elements 4 to 11: half of them written.
; CHECK-LABEL: @overlap_in_part(
; CHECK: [[W:%.*]] = call <16 x i32> @llvm.genx.wrregion
; CHECK: [[R:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> [[W]],
; CHECK: ret <8 x i32> [[R]]
define <8 x i32> @overlap_in_part(<16 x i32> %old, <8 x i32> %new) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %new, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 8, i32 8, i32 1, i16 16, i32 undef)
  ret <8 x i32> %r
}

; A read inside what was written reads the written value.
; CHECK-LABEL: @inside(
; CHECK: [[R:%.*]] = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %new, i32 0, i32 4, i32 1, i16 8, i32 undef)
; CHECK: ret <4 x i32> [[R]]
define <4 x i32> @inside(<16 x i32> %old, <8 x i32> %new) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %new, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32> %w, i32 0, i32 4, i32 1, i16 8, i32 undef)
  ret <4 x i32> %r
}

; Every second element of every second element.
; CHECK-LABEL: @select_of_select(
; CHECK: rdregioni.v4i32.v16i32.i16(<16 x i32> %x, i32 0, i32 4, i32 4, i16 4, i32 undef)
define <4 x i32> @select_of_select(<16 x i32> %x) {
  %a = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %x, i32 0, i32 8, i32 2, i16 4, i32 undef)
  %b = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %a, i32 0, i32 4, i32 2, i16 0, i32 undef)
  ret <4 x i32> %b
}

; CHECK-LABEL: @everything(
; CHECK: ret <16 x i32> %x
define <16 x i32> @everything(<16 x i32> %x) {
  %r = call <16 x i32> @llvm.genx.rdregioni.v16i32.v16i32.i16(<16 x i32> %x, i32 4, i32 4, i32 1, i16 0, i32 undef)
  ret <16 x i32> %r
}

; A run-time offset may be anywhere.
; CHECK-LABEL: @run_time_offset(
; CHECK: [[W:%.*]] = call <16 x i32> @llvm.genx.wrregion
; CHECK: rdregioni.v8i32.v16i32.i16(<16 x i32> [[W]], i32 0, i32 8, i32 1, i16 %o, i32 undef)
define <8 x i32> @run_time_offset(<16 x i32> %old, <8 x i32> %new, i16 %o) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %new, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 8, i32 8, i32 1, i16 %o, i32 undef)
  ret <8 x i32> %r
}
