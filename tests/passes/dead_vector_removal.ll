; Elements that nobody reads are cut off, through loops too; elements that are read stay.
; RUN: cm-opt --passes=dead-vector-removal %s | FileCheck %s

declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1)

; Row 0 is written, row 1 read.
; CHECK-LABEL: @write_never_read(
; CHECK-NEXT: [[R:%.*]] = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %x,
; CHECK-NEXT: ret <4 x i32> [[R]]
define <4 x i32> @write_never_read(<8 x i32> %x, <4 x i32> %n) {
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n, i32 0, i32 4, i32 1, i16 0, i32 undef, i1 true)
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %w, i32 0, i32 4, i32 1, i16 16, i32 undef)
  ret <4 x i32> %r
}

; All that is read of %w was written by it.
; CHECK-LABEL: @old_value_never_read(
; CHECK: wrregioni.v8i32.v4i32.i16.i1(<8 x i32> undef, <4 x i32> %n,
define <4 x i32> @old_value_never_read(<8 x i32> %x, <4 x i32> %n) {
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n, i32 0, i32 4, i32 1, i16 0, i32 undef, i1 true)
  %s = add <8 x i32> %w, %w
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %s, i32 0, i32 4, i32 1, i16 0, i32 undef)
  ret <4 x i32> %r
}

; One element of the write is read.
; CHECK-LABEL: @one_element_read(
; CHECK: wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n,
define <4 x i32> @one_element_read(<8 x i32> %x, <4 x i32> %n) {
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n, i32 0, i32 4, i32 1, i16 0, i32 undef, i1 true)
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %w, i32 0, i32 4, i32 1, i16 12, i32 undef)
  ret <4 x i32> %r
}

; Read in the next iteration of a loop: alive.
; CHECK-LABEL: @read_around_the_loop(
; CHECK: wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %p, <4 x i32> %r,
define <8 x i32> @read_around_the_loop(<8 x i32> %x, i32 %n) {
entry:
  br label %loop
loop:
  %p = phi <8 x i32> [ %x, %entry ], [ %w, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %p, i32 0, i32 4, i32 1, i16 16, i32 undef)
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %p, <4 x i32> %r, i32 0, i32 4, i32 1, i16 0, i32 undef, i1 true)
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret <8 x i32> %w
}
