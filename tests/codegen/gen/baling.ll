; Each use gets its own region read and extension; a read never moves behind a write over the same register.
; RUN: cm-opt --march=icllp --passes=gen-baling %s | FileCheck %s
; RUN: cm-opt --march=icllp --passes=gen-baling %s | run-lines %s
declare <16 x i16> @llvm.genx.rdregioni.v16i16.v64i16.i16(<64 x i16>, i32, i32, i32, i16, i32)
declare <64 x i16> @llvm.genx.wrregioni.v64i16.v16i16.i16.i1(<64 x i16>, <16 x i16>, i32, i32, i32, i16, i32, i1)
declare <64 x i32> @llvm.genx.wrregioni.v64i32.v16i32.i16.i1(<64 x i32>, <16 x i32>, i32, i32, i32, i16, i32, i1)

; CHECK-LABEL: @clones(
; CHECK: [[R1:%.*]] = call <16 x i16> @llvm.genx.rdregion
; CHECK-NEXT: [[E1:%.*]] = zext <16 x i16> [[R1]]
; CHECK-NEXT: %x = add <16 x i32> {{(%b, )?}}[[E1]]
; CHECK: [[R2:%.*]] = call <16 x i16> @llvm.genx.rdregion
; CHECK-NEXT: [[E2:%.*]] = zext <16 x i16> [[R2]]
; CHECK-NEXT: %y = mul <16 x i32> [[E2]], %x
; run: clones(random, random)
define <16 x i32> @clones(<64 x i16> %m, <16 x i32> %b) {
  %r = call <16 x i16> @llvm.genx.rdregioni.v16i16.v64i16.i16(<64 x i16> %m, i32 0, i32 16, i32 1, i16 32, i32 undef)
  %e = zext <16 x i16> %r to <16 x i32>
  %x = add <16 x i32> %e, %b
  %y = mul <16 x i32> %e, %x
  ret <16 x i32> %y
}

; The sum goes down to the region that it is written to.
; CHECK-LABEL: @destination(
; CHECK: %n = mul
; CHECK: %x = add <16 x i32> %a, %b
; CHECK-NEXT: %w = call <64 x i32> @llvm.genx.wrregioni.v64i32.v16i32.i16.i1(<64 x i32> %old, <16 x i32> %x
; run: destination(random, random, random, random, memory)
define <64 x i32> @destination(<64 x i32> %old, <16 x i32> %a, <16 x i32> %b, i32 %k, ptr %p) {
  %x = add <16 x i32> %a, %b
  %n = mul i32 %k, 3
  store i32 %n, ptr %p
  %w = call <64 x i32> @llvm.genx.wrregioni.v64i32.v16i32.i16.i1(<64 x i32> %old, <16 x i32> %x, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  ret <64 x i32> %w
}

; %m is written over between the read and its use.
; CHECK-LABEL: @order(
; CHECK-NEXT: %r = call <16 x i16> @llvm.genx.rdregion
; CHECK-NEXT: %w = call <64 x i16> @llvm.genx.wrregion
; CHECK-NOT: rdregion
; run: order(random, random)
define <64 x i16> @order(<64 x i16> %m, <16 x i16> %a) {
  %r = call <16 x i16> @llvm.genx.rdregioni.v16i16.v64i16.i16(<64 x i16> %m, i32 0, i32 16, i32 1, i16 32, i32 undef)
  %w = call <64 x i16> @llvm.genx.wrregioni.v64i16.v16i16.i16.i1(<64 x i16> %m, <16 x i16> %a, i32 0, i32 16, i32 1, i16 32, i32 undef, i1 true)
  %x = add <16 x i16> %r, %a
  %y = xor <16 x i16> %r, %x
  %v = call <64 x i16> @llvm.genx.wrregioni.v64i16.v16i16.i16.i1(<64 x i16> %w, <16 x i16> %y, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  ret <64 x i16> %v
}

; A sign would be wrong in an unsigned comparison.
; CHECK-LABEL: @sign(
; CHECK: %e = sext <16 x i16> %a to <16 x i32>
; CHECK-NEXT: %c = icmp ult <16 x i32> %e, %b
; CHECK-NEXT: %d = icmp ugt <16 x i32> %e, %b
; run: sign(random, random)
define <16 x i1> @sign(<16 x i16> %a, <16 x i32> %b) {
  %e = sext <16 x i16> %a to <16 x i32>
  %c = icmp ult <16 x i32> %e, %b
  %d = icmp ugt <16 x i32> %e, %b
  %r = or <16 x i1> %c, %d
  ret <16 x i1> %r
}

; An element that is an offset is added to the address as it lies.
; CHECK-LABEL: @offset(
; CHECK: [[A:%.*]] = call i16 @llvm.genx.rdregioni.i16.v8i16.i16(<8 x i16> %at
; CHECK-NEXT: call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v, i32 %x, i32 0, i32 1, i32 1, i16 [[A]]
declare i16 @llvm.genx.rdregioni.i16.v8i16.i16(<8 x i16>, i32, i32, i32, i16, i32)
declare <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32>, i32, i32, i32, i32, i16, i32, i1)
; run: offset(random, random, random)
define <8 x i32> @offset(<8 x i32> %v, <8 x i16> %at, i32 %y) {
  %a = call i16 @llvm.genx.rdregioni.i16.v8i16.i16(<8 x i16> %at, i32 0, i32 1, i32 0, i16 4, i32 0)
  %x = mul i32 %y, %y
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.i32.i16.i1(<8 x i32> %v, i32 %x, i32 0, i32 1, i32 1, i16 %a, i32 0, i1 true)
  ret <8 x i32> %w
}

; A vector that a phi carries on, and that is changed there, is read before: later, both would be needed at once.
; CHECK-LABEL: @carried(
; CHECK: entry:
; CHECK-NEXT: %x = call i32 @llvm.genx.rdregioni.i32.v32i32.i16(<32 x i32> %v, i32 0, i32 1, i32 0, i16 12, i32 undef)
; CHECK: loop:
; CHECK-NOT: <32 x i32> %v,
; CHECK: ret
define <32 x i32> @carried(<32 x i32> %v, i32 %n) {
entry:
  %x = call i32 @llvm.genx.rdregioni.i32.v32i32.i16(<32 x i32> %v, i32 0, i32 1, i32 0, i16 12, i32 undef)
  br label %loop
loop:
  %w = phi <32 x i32> [ %v, %entry ], [ %new, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, %x
  %new = call <32 x i32> @llvm.genx.wrregioni.v32i32.i32.i16.i1(<32 x i32> %w, i32 %next, i32 0, i32 1, i32 1, i16 0, i32 undef, i1 true)
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret <32 x i32> %new
}

; What stays as it is is read where it is needed, and so is what fits into two registers.
; CHECK-LABEL: @kept(
; CHECK: loop:
; CHECK-DAG: rdregioni.i32.v32i32.i16(<32 x i32> %v, i32 0, i32 1, i32 0, i16 12, i32 undef)
; CHECK-DAG: rdregioni.i32.v16i32.i16(<16 x i32> %u, i32 0, i32 1, i32 0, i16 12, i32 undef)
; CHECK: ret
define <16 x i32> @kept(<32 x i32> %v, <16 x i32> %u, i32 %n) {
entry:
  %x = call i32 @llvm.genx.rdregioni.i32.v32i32.i16(<32 x i32> %v, i32 0, i32 1, i32 0, i16 12, i32 undef)
  %y = call i32 @llvm.genx.rdregioni.i32.v16i32.i16(<16 x i32> %u, i32 0, i32 1, i32 0, i16 12, i32 undef)
  br label %loop
loop:
  %w = phi <16 x i32> [ %u, %entry ], [ %new, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %j = add i32 %i, %x
  %next = add i32 %j, %y
  %new = call <16 x i32> @llvm.genx.wrregioni.v16i32.i32.i16.i1(<16 x i32> %w, i32 %next, i32 0, i32 1, i32 1, i16 0, i32 undef, i1 true)
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret <16 x i32> %new
}
declare i32 @llvm.genx.rdregioni.i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32) nounwind willreturn memory(none)
declare i32 @llvm.genx.rdregioni.i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) nounwind willreturn memory(none)
declare <32 x i32> @llvm.genx.wrregioni.v32i32.i32.i16.i1(<32 x i32>, i32, i32, i32, i32, i16, i32, i1) nounwind willreturn memory(none)
declare <16 x i32> @llvm.genx.wrregioni.v16i32.i32.i16.i1(<16 x i32>, i32, i32, i32, i32, i16, i32, i1) nounwind willreturn memory(none)
