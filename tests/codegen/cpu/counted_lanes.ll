; Totals of masks are counts of their bits, those of all ones are negative ones; half of a mask twice is none.
; RUN: cm-opt --march=cpu --passes=cpu-counted-lanes %s | FileCheck %s
; RUN: cm-opt --march=cpu --passes=cpu-counted-lanes,cpu-split-vectors %s | run-lines --plain-after %s

; CHECK-LABEL: @ones(
; CHECK: %[[B:.*]] = bitcast <32 x i1> %m to i32
; CHECK: call i32 @llvm.ctpop.i32(i32 %[[B]])
; CHECK-NOT: add <
; CHECK: ret
; run: ones(random, random)
; run: ones(0..31, 5..36)
define i32 @ones(<32 x i8> %x, <32 x i8> %y) {
  %m = icmp sgt <32 x i8> %x, %y
  %z = zext <32 x i1> %m to <32 x i32>
  %l32 = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %z, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %h32 = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %z, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %s32 = add <16 x i32> %l32, %h32
  %l16 = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s32, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %h16 = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s32, i32 0, i32 8, i32 1, i16 32, i32 undef)
  %s16 = add <8 x i32> %l16, %h16
  %l8 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %s16, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %h8 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %s16, i32 0, i32 4, i32 1, i16 16, i32 undef)
  %s8 = add <4 x i32> %l8, %h8
  %l4 = call <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32> %s8, i32 0, i32 2, i32 1, i16 0, i32 undef)
  %h4 = call <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32> %s8, i32 0, i32 2, i32 1, i16 8, i32 undef)
  %s4 = add <2 x i32> %l4, %h4
  %l2 = call <1 x i32> @llvm.genx.rdregioni.v1i32.v2i32.i16(<2 x i32> %s4, i32 0, i32 1, i32 1, i16 0, i32 undef)
  %h2 = call <1 x i32> @llvm.genx.rdregioni.v1i32.v2i32.i16(<2 x i32> %s4, i32 0, i32 1, i32 1, i16 4, i32 undef)
  %s2 = add <1 x i32> %l2, %h2
  %r = extractelement <1 x i32> %s2, i64 0
  ret i32 %r
}

; CHECK-LABEL: @negative(
; CHECK: call i16 @llvm.ctpop.i16(
; CHECK: sub i16 0,
; CHECK-NOT: add <
; CHECK: ret
; run: negative(random)
; run: negative(0..15)
define i16 @negative(<16 x i32> %x) {
  %m = icmp slt <16 x i32> %x, splat (i32 7)
  %z = sext <16 x i1> %m to <16 x i16>
  %l16 = call <8 x i16> @llvm.genx.rdregioni.v8i16.v16i16.i16(<16 x i16> %z, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %h16 = call <8 x i16> @llvm.genx.rdregioni.v8i16.v16i16.i16(<16 x i16> %z, i32 0, i32 8, i32 1, i16 16, i32 undef)
  %s16 = add <8 x i16> %l16, %h16
  %l8 = call <4 x i16> @llvm.genx.rdregioni.v4i16.v8i16.i16(<8 x i16> %s16, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %h8 = call <4 x i16> @llvm.genx.rdregioni.v4i16.v8i16.i16(<8 x i16> %s16, i32 0, i32 4, i32 1, i16 8, i32 undef)
  %s8 = add <4 x i16> %l8, %h8
  %l4 = call <2 x i16> @llvm.genx.rdregioni.v2i16.v4i16.i16(<4 x i16> %s8, i32 0, i32 2, i32 1, i16 0, i32 undef)
  %h4 = call <2 x i16> @llvm.genx.rdregioni.v2i16.v4i16.i16(<4 x i16> %s8, i32 0, i32 2, i32 1, i16 4, i32 undef)
  %s4 = add <2 x i16> %l4, %h4
  %l2 = call <1 x i16> @llvm.genx.rdregioni.v1i16.v2i16.i16(<2 x i16> %s4, i32 0, i32 1, i32 1, i16 0, i32 undef)
  %h2 = call <1 x i16> @llvm.genx.rdregioni.v1i16.v2i16.i16(<2 x i16> %s4, i32 0, i32 1, i32 1, i16 2, i32 undef)
  %s2 = add <1 x i16> %l2, %h2
  %r = extractelement <1 x i16> %s2, i64 0
  ret i16 %r
}

; CHECK-LABEL: @twice(
; CHECK-NOT: ctpop
; CHECK: ret
; run: twice(0..15)
define i16 @twice(<16 x i32> %x) {
  %m = icmp slt <16 x i32> %x, splat (i32 7)
  %z = zext <16 x i1> %m to <16 x i16>
  %l16 = call <8 x i16> @llvm.genx.rdregioni.v8i16.v16i16.i16(<16 x i16> %z, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %h16 = call <8 x i16> @llvm.genx.rdregioni.v8i16.v16i16.i16(<16 x i16> %z, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %s16 = add <8 x i16> %l16, %h16
  %l8 = call <4 x i16> @llvm.genx.rdregioni.v4i16.v8i16.i16(<8 x i16> %s16, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %h8 = call <4 x i16> @llvm.genx.rdregioni.v4i16.v8i16.i16(<8 x i16> %s16, i32 0, i32 4, i32 1, i16 8, i32 undef)
  %s8 = add <4 x i16> %l8, %h8
  %l4 = call <2 x i16> @llvm.genx.rdregioni.v2i16.v4i16.i16(<4 x i16> %s8, i32 0, i32 2, i32 1, i16 0, i32 undef)
  %h4 = call <2 x i16> @llvm.genx.rdregioni.v2i16.v4i16.i16(<4 x i16> %s8, i32 0, i32 2, i32 1, i16 4, i32 undef)
  %s4 = add <2 x i16> %l4, %h4
  %l2 = call <1 x i16> @llvm.genx.rdregioni.v1i16.v2i16.i16(<2 x i16> %s4, i32 0, i32 1, i32 1, i16 0, i32 undef)
  %h2 = call <1 x i16> @llvm.genx.rdregioni.v1i16.v2i16.i16(<2 x i16> %s4, i32 0, i32 1, i32 1, i16 2, i32 undef)
  %s2 = add <1 x i16> %l2, %h2
  %r = extractelement <1 x i16> %s2, i64 0
  ret i16 %r
}

declare <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32)
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)
declare <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32>, i32, i32, i32, i16, i32)
declare <1 x i32> @llvm.genx.rdregioni.v1i32.v2i32.i16(<2 x i32>, i32, i32, i32, i16, i32)
declare <8 x i16> @llvm.genx.rdregioni.v8i16.v16i16.i16(<16 x i16>, i32, i32, i32, i16, i32)
declare <4 x i16> @llvm.genx.rdregioni.v4i16.v8i16.i16(<8 x i16>, i32, i32, i32, i16, i32)
declare <2 x i16> @llvm.genx.rdregioni.v2i16.v4i16.i16(<4 x i16>, i32, i32, i32, i16, i32)
declare <1 x i16> @llvm.genx.rdregioni.v1i16.v2i16.i16(<2 x i16>, i32, i32, i32, i16, i32)
