; Two channels of a predicate are cut where it guards something on PVC, and stay whole for who asks for their bits: what
; is compared is legal for both.
; RUN: cm-opt --march=pvc --passes=gen-baling,gen-legalization,adce %s | FileCheck %s
; RUN: cm-opt --march=pvc --passes=gen-baling,gen-legalization,adce %s | run-lines %s
declare <2 x i32> @llvm.genx.rdregioni.v2i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32)

; CHECK-LABEL: @bits(
; CHECK: [[R:%.*]] = call <2 x i32> @llvm.genx.wrregioni.v2i32.v1i32.i16.i1(<2 x i32> %2, <1 x i32> %3,
; CHECK: icmp sle <2 x i32> [[R]], %x
; run: bits(random, random)
define i8 @bits(<32 x i32> %w, <2 x i32> %x) {
  %r = call <2 x i32> @llvm.genx.rdregioni.v2i32.v32i32.i16(<32 x i32> %w, i32 0, i32 2, i32 3, i16 8, i32 undef)
  %p = icmp sle <2 x i32> %r, %x
  %s = shufflevector <2 x i1> %p, <2 x i1> <i1 false, i1 poison>, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %b = bitcast <8 x i1> %s to i8
  ret i8 %b
}
