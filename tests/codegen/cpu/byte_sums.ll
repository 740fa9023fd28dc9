; Totals with regions that leave their parent, with single bytes, and those made of themselves where nobody comes.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-byte-sums,cpu-split-vectors %s | FileCheck %s

declare i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32>, i32, i32, i32, i16, i32)
declare <2 x i32> @llvm.genx.rdregioni.v2i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32)
declare <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32)
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)
declare <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32>, i32, i32, i32, i16, i32)
declare <2 x i32> @llvm.genx.wrregioni.v2i32.i32.i16.i1(<2 x i32>, i32, i32, i32, i32, i16, i32, i1)

; CHECK-LABEL: @beyond
; CHECK-NOT: psad
; CHECK: ret i32
define i32 @beyond(<32 x i8> %v) {
  %z = zext <32 x i8> %v to <32 x i32>
  %a = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %z, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %b = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %z, i32 0, i32 16, i32 100000000, i16 64, i32 undef)
  %s = add <16 x i32> %a, %b
  %c = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %d = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %c, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %e = call <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32> %d, i32 0, i32 2, i32 1, i16 0, i32 undef)
  %x = call i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32> %e, i32 0, i32 1, i32 1, i16 0, i32 undef)
  %y = call i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32> %e, i32 0, i32 1, i32 1, i16 4, i32 undef)
  %t = add i32 %x, %y
  ret i32 %t
}

; CHECK-LABEL: @single
; CHECK-COUNT-1: psad
; CHECK-NOT: psad
; CHECK: ret i32
define i32 @single(<32 x i8> %v, i8 %c) {
  %z = zext <32 x i8> %v to <32 x i32>
  %a = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %z, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %b = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %z, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %s = add <16 x i32> %a, %b
  %c0 = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %c1 = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s, i32 0, i32 8, i32 1, i16 32, i32 undef)
  %cs = add <8 x i32> %c0, %c1
  %d0 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %cs, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %d1 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %cs, i32 0, i32 4, i32 1, i16 16, i32 undef)
  %ds = add <4 x i32> %d0, %d1
  %e0 = call <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32> %ds, i32 0, i32 2, i32 1, i16 0, i32 undef)
  %e1 = call <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32> %ds, i32 0, i32 2, i32 1, i16 8, i32 undef)
  %es = add <2 x i32> %e0, %e1
  %x = call i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32> %es, i32 0, i32 1, i32 1, i16 0, i32 undef)
  %w = zext i8 %c to i32
  %y = add i32 %x, %w
  %m = call <2 x i32> @llvm.genx.wrregioni.v2i32.i32.i16.i1(<2 x i32> %es, i32 %y, i32 0, i32 1, i32 1, i16 0, i32 undef, i1 true)
  %f = call i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32> %m, i32 0, i32 1, i32 1, i16 0, i32 undef)
  %g = call i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32> %m, i32 0, i32 1, i32 1, i16 4, i32 undef)
  %t = add i32 %f, %g
  ret i32 %t
}

; CHECK-LABEL: @nowhere
; CHECK: ret i32 0
define i32 @nowhere() {
  ret i32 0
dead:
  %v = add <2 x i32> %v, %v
  %x = call i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32> %v, i32 0, i32 1, i32 1, i16 0, i32 undef)
  %y = call i32 @llvm.genx.rdregioni.i32.v2i32.i16(<2 x i32> %v, i32 0, i32 1, i32 1, i16 4, i32 undef)
  %t = add i32 %x, %y
  ret i32 %t
}
