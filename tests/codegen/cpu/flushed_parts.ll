; Of halves that are changed where is chosen at run time, parts are flushed, not all of them for each part; of others all.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-flush-halves %s | FileCheck %s

; CHECK-LABEL: @chosen(
; CHECK: %[[P:.*]] = call <16 x half> @llvm.genx.rdregionf.v16f16.v64f16.i16(<64 x half> %all
; CHECK: call <16 x half> @cm.flush.v16f16(<16 x half> %[[P]])
; CHECK-NOT: cm.flush.v64f16
; CHECK: ret
define <64 x half> @chosen(<64 x half> %given, i32 %n) {
entry:
  br label %loop
loop:
  %all = phi <64 x half> [ %given, %entry ], [ %new, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %w = trunc i32 %k to i16
  %at = shl i16 %w, 5
  %part = call <16 x half> @llvm.genx.rdregionf.v16f16.v64f16.i16(<64 x half> %all, i32 0, i32 16, i32 1, i16 %at, i32 undef)
  %half = fmul <16 x half> %part, splat (half 0xH3800)
  %new = call <64 x half> @llvm.genx.wrregionf.v64f16.v16f16.i16.i1(<64 x half> %all, <16 x half> %half, i32 0, i32 16, i32 1, i16 %at, i32 undef, i1 true)
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret <64 x half> %new
}

; CHECK-LABEL: @whole(
; CHECK: cm.flush.v32f16(<32 x half> %all)
; CHECK-NOT: cm.flush.v16f16(<16 x half> %part)
; CHECK: ret
define <16 x half> @whole(<32 x half> %all, i16 %at) {
  %part = call <16 x half> @llvm.genx.rdregionf.v16f16.v32f16.i16(<32 x half> %all, i32 0, i32 16, i32 1, i16 %at, i32 undef)
  %half = fmul <16 x half> %part, splat (half 0xH3800)
  ret <16 x half> %half
}

declare <16 x half> @llvm.genx.rdregionf.v16f16.v64f16.i16(<64 x half>, i32, i32, i32, i16, i32)
declare <16 x half> @llvm.genx.rdregionf.v16f16.v32f16.i16(<32 x half>, i32, i32, i32, i16, i32)
declare <64 x half> @llvm.genx.wrregionf.v64f16.v16f16.i16.i1(<64 x half>, <16 x half>, i32, i32, i32, i16, i32, i1)
