; Bales as other tools form them: regions, modifiers, saturation and the destination in one instruction, however the text
; orders them.
; RUN: cm-opt --march=icllp --passes=gen-operations,gen-regions,gen-baling %s | FileCheck %s
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32) #0
declare <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32>, <8 x i32>, i32, i32, i32, i16, i32, i1) #0
declare <32 x i8> @llvm.genx.wrregioni.v32i8.v8i8.i16.i1(<32 x i8>, <8 x i8>, i32, i32, i32, i16, i32, i1) #0
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32) #0
declare <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float>)

; A region that is subtracted in two ways: a copy for each.
; CHECK-LABEL: @region_of_two_uses(
; CHECK: [[A:%.*]] = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %x
; CHECK-NEXT: fsub <8 x float> [[A]], %y
; CHECK: [[B:%.*]] = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %x
; CHECK-NEXT: fsub <8 x float> %y, [[B]]
define <8 x float> @region_of_two_uses(<32 x float> %x, <8 x float> %y) {
  %r = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %x, i32 16, i32 8, i32 2, i16 4, i32 undef)
  %a = fsub <8 x float> %r, %y
  %b = fsub <8 x float> %y, %r
  %m = fmul <8 x float> %a, %b
  ret <8 x float> %m
}

; (-) of (abs) of a region, as an operand.
; CHECK-LABEL: @modifiers(
; CHECK: [[R:%.*]] = call <8 x float> @llvm.genx.rdregionf
; CHECK-NEXT: [[A:%.*]] = call <8 x float> @llvm.fabs.v8f32(<8 x float> [[R]])
; CHECK: [[N:%.*]] = fneg <8 x float> [[A]]
; CHECK-NEXT: fmul <8 x float> [[N]], %z
define <8 x float> @modifiers(<32 x float> %x, <8 x float> %y, <8 x float> %z) {
  %r = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %x, i32 8, i32 8, i32 1, i16 32, i32 undef)
  %a = call <8 x float> @llvm.fabs.v8f32(<8 x float> %r)
  %n = fneg <8 x float> %a
  %o = fadd <8 x float> %y, %y
  %m = fmul <8 x float> %n, %z
  %s = fadd <8 x float> %m, %o
  ret <8 x float> %s
}

; (~) goes with logic, not with sums.
; CHECK-LABEL: @complement(
; CHECK: [[N:%.*]] = xor <8 x i32> %x, splat (i32 -1)
; CHECK-NEXT: and <8 x i32> [[N]], %y
define <8 x i32> @complement(<8 x i32> %x, <8 x i32> %y) {
  %n = xor <8 x i32> %x, splat (i32 -1)
  %s = add <8 x i32> %y, %y
  %a = and <8 x i32> %n, %y
  %r = xor <8 x i32> %s, %a
  ret <8 x i32> %r
}

; A saturated conversion goes straight to the region that it is written to.
; CHECK-LABEL: @saturated_into_a_region(
; CHECK: [[R:%.*]] = call <8 x float> @llvm.genx.rdregionf
; CHECK-NEXT: [[S:%.*]] = call <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float> [[R]])
; CHECK-NEXT: call <32 x i8> @llvm.genx.wrregioni.v32i8.v8i8.i16.i1(<32 x i8> %old, <8 x i8> [[S]]
define <32 x i8> @saturated_into_a_region(<32 x i8> %old, <32 x float> %x, <8 x float> %y) {
  %r = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %x, i32 16, i32 8, i32 2, i16 4, i32 undef)
  %s = call <8 x i8> @llvm.fptoui.sat.v8i8.v8f32(<8 x float> %r)
  %w = call <32 x i8> @llvm.genx.wrregioni.v32i8.v8i8.i16.i1(<32 x i8> %old, <8 x i8> %s, i32 32, i32 8, i32 4, i16 0, i32 undef, i1 true)
  ret <32 x i8> %w
}

; Two uses that write it into vectors: a sum for each is an instruction less than one and two moves.
; CHECK-LABEL: @computed_twice(
; CHECK: [[A:%.*]] = add <8 x i32>
; CHECK-NEXT: llvm.genx.wrregioni{{.*}} [[A]]
; CHECK-NEXT: [[B:%.*]] = add <8 x i32>
; CHECK-NEXT: llvm.genx.wrregioni{{.*}} [[B]]
; CHECK-NEXT: ret
define <32 x i32> @computed_twice(<32 x i32> %old, <8 x i32> %x) {
  %s = add <8 x i32> %x, splat (i32 7)
  %w = call <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32> %old, <8 x i32> %s, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %v = call <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32> %w, <8 x i32> %s, i32 8, i32 8, i32 1, i16 64, i32 undef, i1 true)
  ret <32 x i32> %v
}

; A product takes longer than a move, and who else wants a sum has to have it in a register anyway.
; CHECK-LABEL: @computed_once(
; CHECK: mul <8 x i32>
; CHECK-NOT: mul
; CHECK: ret
define <32 x i32> @computed_once(<32 x i32> %old, <8 x i32> %x) {
  %s = mul <8 x i32> %x, %x
  %w = call <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32> %old, <8 x i32> %s, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %v = call <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32> %w, <8 x i32> %s, i32 8, i32 8, i32 1, i16 64, i32 undef, i1 true)
  ret <32 x i32> %v
}
; CHECK-LABEL: @used_elsewhere(
; CHECK: add <8 x i32> %x
; CHECK-NOT: add <8 x i32> %x
; CHECK: ret
define <8 x i32> @used_elsewhere(<32 x i32> %old, <8 x i32> %x) {
  %s = add <8 x i32> %x, splat (i32 7)
  %w = call <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32> %old, <8 x i32> %s, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %v = call <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32> %w, <8 x i32> %s, i32 8, i32 8, i32 1, i16 64, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32> %v, i32 8, i32 8, i32 1, i16 32, i32 undef)
  %u = sub <8 x i32> %r, %s
  ret <8 x i32> %u
}

attributes #0 = { nounwind willreturn memory(none) }
