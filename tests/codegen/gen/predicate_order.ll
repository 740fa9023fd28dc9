; What a predicate is made of stands right before it where the block has more predicates at a time than flag registers
; hold, what takes more predicates first.
; RUN: cm-opt --march=skl --passes=gen-predicates %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-predicates %s | run-lines %s

; CHECK-LABEL: @many(
; CHECK-NEXT: %q0 = icmp
; CHECK-NEXT: %r0 = icmp
; CHECK-NEXT: %o0 = or <16 x i1> %q0, %r0
; CHECK-NEXT: %p0 = icmp
; CHECK-NEXT: %a0 = and <16 x i1> %p0, %o0
; CHECK-NEXT: %s0 = select
; CHECK-NEXT: %q1 = icmp
; CHECK-NEXT: %r1 = icmp
; CHECK-NEXT: %o1 = or
; CHECK-NEXT: %p1 = icmp
; CHECK-NEXT: %a1 = and
; CHECK-NEXT: %s1 = select
; CHECK-NEXT: %sum = add
; run: many(random, random, random)
define <16 x i32> @many(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z) {
  %p0 = icmp ult <16 x i32> %x, %y
  %p1 = icmp ult <16 x i32> %x, %z
  %q0 = icmp ugt <16 x i32> %x, splat (i32 7)
  %q1 = icmp ugt <16 x i32> %z, splat (i32 7)
  %r0 = icmp eq <16 x i32> %y, splat (i32 3)
  %r1 = icmp eq <16 x i32> %z, splat (i32 3)
  %o0 = or <16 x i1> %q0, %r0
  %o1 = or <16 x i1> %q1, %r1
  %a0 = and <16 x i1> %p0, %o0
  %a1 = and <16 x i1> %o1, %p1
  %s0 = select <16 x i1> %a0, <16 x i32> splat (i32 1), <16 x i32> zeroinitializer
  %s1 = select <16 x i1> %a1, <16 x i32> splat (i32 1), <16 x i32> zeroinitializer
  %sum = add <16 x i32> %s0, %s1
  ret <16 x i32> %sum
}

; Two at a time stay where they are.
; CHECK-LABEL: @few(
; CHECK-NEXT: %p0 = icmp
; CHECK-NEXT: %p1 = icmp
; CHECK-NEXT: %s0 = select
; run: few(random, random, random)
define <16 x i32> @few(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z) {
  %p0 = icmp ult <16 x i32> %x, %y
  %p1 = icmp ult <16 x i32> %x, %z
  %s0 = select <16 x i1> %p0, <16 x i32> %x, <16 x i32> zeroinitializer
  %s1 = select <16 x i1> %p1, <16 x i32> %s0, <16 x i32> zeroinitializer
  ret <16 x i32> %s1
}

; A comparison does not move behind a write over what it reads.
; CHECK-LABEL: @written(
; CHECK: %p0 = icmp
; CHECK: %w = call <32 x i32> @llvm.genx.wrregioni
; CHECK: %s0 = select
; run: written(random, random, random)
define <32 x i32> @written(<32 x i32> %v, <16 x i32> %y, <16 x i32> %z) {
  %h = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %p0 = icmp ult <16 x i32> %h, %y
  %p1 = icmp ult <16 x i32> %y, %z
  %p2 = icmp ugt <16 x i32> %y, splat (i32 7)
  %p3 = icmp ugt <16 x i32> %z, splat (i32 7)
  %p4 = icmp eq <16 x i32> %y, splat (i32 3)
  %w = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v, <16 x i32> %z, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %s0 = select <16 x i1> %p0, <16 x i32> %y, <16 x i32> %z
  %s1 = select <16 x i1> %p1, <16 x i32> %s0, <16 x i32> %z
  %s2 = select <16 x i1> %p2, <16 x i32> %s1, <16 x i32> %z
  %s3 = select <16 x i1> %p3, <16 x i32> %s2, <16 x i32> %z
  %s4 = select <16 x i1> %p4, <16 x i32> %s3, <16 x i32> %z
  %r = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %w, <16 x i32> %s4, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  ret <32 x i32> %r
}

declare <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32)
declare <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32>, <16 x i32>, i32, i32, i32, i16, i32, i1)
