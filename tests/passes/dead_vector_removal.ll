; Elements that nobody reads are cut off, through loops too; elements that are read stay.
; RUN: cm-opt --passes=dead-vector-removal %s | FileCheck %s

declare <2 x i32> @llvm.genx.rdregioni.v2i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32) #0
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32) #0
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1) #0

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

; The element behind those that are written is read: the old value stays. So it does before the first.
; CHECK-LABEL: @next_is_read(
; CHECK: wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n,
define <2 x i32> @next_is_read(<8 x i32> %x, <4 x i32> %n) {
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n, i32 4, i32 4, i32 1, i16 0, i32 undef, i1 true)
  %r = call <2 x i32> @llvm.genx.rdregioni.v2i32.v8i32.i16(<8 x i32> %w, i32 0, i32 2, i32 1, i16 12, i32 undef)
  ret <2 x i32> %r
}

; CHECK-LABEL: @former_is_read(
; CHECK: wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n,
define <2 x i32> @former_is_read(<8 x i32> %x, <4 x i32> %n) {
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n, i32 0, i32 4, i32 1, i16 8, i32 undef, i1 true)
  %r = call <2 x i32> @llvm.genx.rdregioni.v2i32.v8i32.i16(<8 x i32> %w, i32 0, i32 2, i32 1, i16 4, i32 undef)
  ret <2 x i32> %r
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

; Elements that are inserted one by one: the first is written over by the region, the second is not read.
; CHECK-LABEL: define <2 x i32> @inserted
; CHECK-NEXT: [[B:%.*]] = insertelement <8 x i32> poison, i32 %y, i64 6
; CHECK-NEXT: [[W:%.*]] = call <8 x i32> @llvm.genx.wrregioni.{{.*}}(<8 x i32> [[B]], <4 x i32> %v,
; CHECK-NEXT: [[E:%.*]] = extractelement <8 x i32> [[W]], i64 6
define <2 x i32> @inserted(<8 x i32> %old, <4 x i32> %v, i32 %x, i32 %y) {
  %a = insertelement <8 x i32> %old, i32 %x, i64 1
  %b = insertelement <8 x i32> %a, i32 %y, i64 6
  %c = insertelement <8 x i32> %b, i32 %x, i64 5
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %c, <4 x i32> %v, i32 0, i32 4, i32 1, i16 0, i32 undef, i1 true)
  %e = extractelement <8 x i32> %w, i64 6
  %r = call <2 x i32> @llvm.genx.rdregioni.v2i32.v8i32.i16(<8 x i32> %w, i32 0, i32 2, i32 1, i16 0, i32 undef)
  %s = insertelement <2 x i32> %r, i32 %e, i64 1
  ret <2 x i32> %s
}

; A shuffle reads what it picks.
; CHECK-LABEL: define <2 x i32> @picked
; CHECK-NOT: insertelement {{.*}} i32 %x
; CHECK: insertelement <4 x i32> poison, i32 %y, i64 3
; CHECK: shufflevector
define <2 x i32> @picked(<4 x i32> %old, i32 %x, i32 %y) {
  %a = insertelement <4 x i32> %old, i32 %x, i64 1
  %b = insertelement <4 x i32> %a, i32 %y, i64 3
  %r = shufflevector <4 x i32> %b, <4 x i32> poison, <2 x i32> <i32 3, i32 3>
  ret <2 x i32> %r
}

attributes #0 = { nounwind willreturn memory(none) }
