; Dead elements as other tools leave them: behind changes of type, in whole matrices, around loops.
; RUN: cm-opt --passes=dead-vector-removal,adce %s | FileCheck %s
declare <16 x i16> @llvm.genx.rdregioni.v16i16.v32i16.i16(<32 x i16>, i32, i32, i32, i16, i32) #0
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32>, <8 x i32>, i32, i32, i32, i16, i32, i1) #0
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #0

; Only the second row is stored: the first write goes.
; CHECK-LABEL: @row_of_a_matrix(
; CHECK-NOT: {{wrregion.*}}<8 x i32> %a
; CHECK: wrregioni.v16i32.v8i32.i16.i1(<16 x i32> undef, <8 x i32> %b, i32 8, i32 8, i32 1, i16 32
define <8 x i32> @row_of_a_matrix(<8 x i32> %a, <8 x i32> %b) {
  %w0 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> undef, <8 x i32> %a, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %w1 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %w0, <8 x i32> %b, i32 8, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %s = shl <16 x i32> %w1, %w1
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s, i32 8, i32 8, i32 1, i16 32, i32 undef)
  ret <8 x i32> %r
}

; The same seen as words.
; CHECK-LABEL: @seen_as_words(
; CHECK-NOT: {{wrregion.*}}<8 x i32> %a
; CHECK: wrregioni.v16i32.v8i32.i16.i1(<16 x i32> undef, <8 x i32> %b, i32 8, i32 8, i32 1, i16 32
define <16 x i16> @seen_as_words(<8 x i32> %a, <8 x i32> %b) {
  %w0 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> undef, <8 x i32> %a, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %w1 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %w0, <8 x i32> %b, i32 8, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %c = bitcast <16 x i32> %w1 to <32 x i16>
  %s = add <32 x i16> %c, %c
  %r = call <16 x i16> @llvm.genx.rdregioni.v16i16.v32i16.i16(<32 x i16> %s, i32 16, i32 16, i32 1, i16 32, i32 undef)
  ret <16 x i16> %r
}

; Every second element is read: those that were written go.
; CHECK-LABEL: @even_elements(
; CHECK-NOT: wrregion
; CHECK: add <16 x i32> %x, %x
define <8 x i32> @even_elements(<16 x i32> %x, <8 x i32> %n) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %x, <8 x i32> %n, i32 16, i32 8, i32 2, i16 4, i32 undef, i1 true)
  %s = add <16 x i32> %w, %w
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s, i32 16, i32 8, i32 2, i16 0, i32 undef)
  ret <8 x i32> %r
}

; A loop that carries sixteen elements of which eight are read behind it: the others do not keep %n alive.
; CHECK-LABEL: @around_a_loop(
; CHECK-NOT: {{wrregion.*}}<8 x i32> %n
; CHECK: ret
define <8 x i32> @around_a_loop(<16 x i32> %x, <8 x i32> %n, i32 %count) {
entry:
  br label %loop
loop:
  %p = phi <16 x i32> [ %x, %entry ], [ %s, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %p, <8 x i32> %n, i32 8, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %s = add <16 x i32> %w, %w
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %count
  br i1 %c, label %loop, label %exit
exit:
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s, i32 8, i32 8, i32 1, i16 0, i32 undef)
  ret <8 x i32> %r
}

; At a place known at run time anything may be read.
; CHECK-LABEL: @anything(
; CHECK: {{wrregion.*}}<8 x i32> %n
define <8 x i32> @anything(<16 x i32> %x, <8 x i32> %n, i16 %o) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %x, <8 x i32> %n, i32 8, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 8, i32 8, i32 1, i16 %o, i32 undef)
  ret <8 x i32> %r
}

attributes #0 = { nounwind willreturn memory(none) }
