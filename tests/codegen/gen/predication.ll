; Results that only some channels keep are written by those; a branch asks for any or all channels itself.
; RUN: cm-opt --march=skl --passes=gen-predication %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-predication %s | run-lines %s

; CHECK-LABEL: @keep(
; CHECK-NEXT: %x = fadd <16 x float> %a, %b
; CHECK-NEXT: %r = call <16 x float> @llvm.genx.wrregionf.v16f32.v16f32.i16.v16i1(<16 x float> %old, <16 x float> %x, i32 0, i32 16, i32 1, i16 0, i32 undef, <16 x i1> %p)
; run: keep(random, random, random, random)
define <16 x float> @keep(<16 x float> %old, <16 x float> %a, <16 x float> %b, <16 x i1> %p) {
  %x = fadd <16 x float> %a, %b
  %r = select <16 x i1> %p, <16 x float> %x, <16 x float> %old
  ret <16 x float> %r
}

; CHECK-LABEL: @others(
; CHECK: [[N:%.*]] = xor <8 x i1> %p, splat (i1 true)
; CHECK: wrregioni.v8i32.v8i32.i16.v8i1({{.*}}<8 x i1> [[N]])
; run: others(random, random, random)
define <8 x i32> @others(<8 x i32> %old, <8 x i32> %a, <8 x i1> %p) {
  %x = shl <8 x i32> %a, splat (i32 3)
  %r = select <8 x i1> %p, <8 x i32> %old, <8 x i32> %x
  ret <8 x i32> %r
}

; A piece of a vector.
; CHECK-LABEL: @piece(
; CHECK-NEXT: %x = fmul
; CHECK-NEXT: %w = call <32 x float> @llvm.genx.wrregionf.v32f32.v16f32.i16.v16i1(<32 x float> %old, <16 x float> %x, i32 0, i32 16, i32 1, i16 64, i32 undef, <16 x i1> %p)
; CHECK-NEXT: ret
; run: piece(random, random, random)
define <32 x float> @piece(<32 x float> %old, <16 x float> %a, <16 x i1> %p) {
  %x = fmul <16 x float> %a, %a
  %k = call <16 x float> @llvm.genx.rdregionf.v16f32.v32f32.i16(<32 x float> %old, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %s = select <16 x i1> %p, <16 x float> %x, <16 x float> %k
  %w = call <32 x float> @llvm.genx.wrregionf.v32f32.v16f32.i16.i1(<32 x float> %old, <16 x float> %s, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  ret <32 x float> %w
}

; CHECK-LABEL: @count(
; CHECK-NEXT: [[X:%.*]] = add <16 x i32> %old, splat (i32 1)
; CHECK-NEXT: %r = call <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.v16i1(<16 x i32> %old, <16 x i32> [[X]], {{.*}}, <16 x i1> %p)
; run: count(random, random)
define <16 x i32> @count(<16 x i32> %old, <16 x i1> %p) {
  %one = select <16 x i1> %p, <16 x i32> splat (i32 1), <16 x i32> zeroinitializer
  %r = add <16 x i32> %old, %one
  ret <16 x i32> %r
}

; Left alone: what is needed elsewhere, what takes several instructions, constants, scalars.
; CHECK-LABEL: @twice(
; CHECK: select
; run: twice(random, random, random)
define <16 x float> @twice(<16 x float> %old, <16 x float> %a, <16 x i1> %p) {
  %x = fadd <16 x float> %a, %a
  %s = select <16 x i1> %p, <16 x float> %x, <16 x float> %old
  %r = fmul <16 x float> %s, %x
  ret <16 x float> %r
}
; CHECK-LABEL: @wide(
; CHECK: select
; run: wide(random, random, random)
define <8 x i32> @wide(<8 x i32> %old, <8 x i32> %a, <8 x i1> %p) {
  %x = mul <8 x i32> %a, %a
  %r = select <8 x i1> %p, <8 x i32> %x, <8 x i32> %old
  ret <8 x i32> %r
}
; CHECK-LABEL: @zero(
; CHECK: select
; run: zero(random, random)
define <8 x i32> @zero(<8 x i32> %a, <8 x i1> %p) {
  %x = add <8 x i32> %a, %a
  %r = select <8 x i1> %p, <8 x i32> %x, <8 x i32> zeroinitializer
  ret <8 x i32> %r
}
; CHECK-LABEL: @overwritten(
; CHECK: select
; run: overwritten(random, random, random, random)
define <16 x float> @overwritten(<16 x float> %old, <16 x float> %v, <8 x float> %b, <16 x i1> %p) {
  %x = fadd <16 x float> %v, %v
  %w = call <16 x float> @llvm.genx.wrregionf.v16f32.v8f32.i16.i1(<16 x float> %v, <8 x float> %b, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %r = select <16 x i1> %p, <16 x float> %x, <16 x float> %old
  %s = fmul <16 x float> %r, %w
  ret <16 x float> %s
}

; A condition goes to its branch when the predicate is of the same block.
; CHECK-LABEL: @branch(
; CHECK: %f = fmul
; CHECK-NEXT: [[D:%.*]] = bitcast <16 x i1> %q to i16
; CHECK-NEXT: [[E:%.*]] = icmp ne i16 [[D]], -1
; CHECK-NEXT: br i1 [[E]]
; run: branch(random)
define <16 x float> @branch(<16 x float> %a) {
entry:
  %q = fcmp ogt <16 x float> %a, splat (float 1.0)
  %d = bitcast <16 x i1> %q to i16
  %e = icmp ne i16 %d, -1
  %f = fmul <16 x float> %a, %a
  br i1 %e, label %done, label %other
other:
  br label %done
done:
  ret <16 x float> %f
}
declare <16 x float> @llvm.genx.rdregionf.v16f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32) #0
declare <32 x float> @llvm.genx.wrregionf.v32f32.v16f32.i16.i1(<32 x float>, <16 x float>, i32, i32, i32, i16, i32, i1) #0
declare <16 x float> @llvm.genx.wrregionf.v16f32.v8f32.i16.i1(<16 x float>, <8 x float>, i32, i32, i32, i16, i32, i1) #0
attributes #0 = { nounwind willreturn memory(none) }

; -1 where a comparison holds is what the comparison gives; with another use of the predicate it is a selection.
; CHECK-LABEL: @mask(
; CHECK: [[C:%.*]] = icmp ult <16 x i32> %a, %b
; CHECK-NEXT: [[M:%.*]] = sext <16 x i1> [[C]] to <16 x i32>
; CHECK-NEXT: sub <16 x i32> %b, [[M]]
; run: mask(random, random)
define <16 x i32> @mask(<16 x i32> %a, <16 x i32> %b) {
  %c = icmp ult <16 x i32> %a, %b
  %m = select <16 x i1> %c, <16 x i32> splat (i32 -1), <16 x i32> zeroinitializer
  %s = sub <16 x i32> %b, %m
  ret <16 x i32> %s
}
; CHECK-LABEL: @shared_mask(
; CHECK-NOT: sext
; CHECK: ret
; run: shared_mask(random, random)
define <16 x i32> @shared_mask(<16 x i32> %a, <16 x i32> %b) {
  %c = icmp ult <16 x i32> %a, %b
  %m = select <16 x i1> %c, <16 x i32> splat (i32 -1), <16 x i32> zeroinitializer
  %n = select <16 x i1> %c, <16 x i32> %a, <16 x i32> splat (i32 3)
  %s = sub <16 x i32> %n, %m
  ret <16 x i32> %s
}
