; Absolute values of what cannot be the smallest number say so: who reads them has (abs) in an operand then.
; RUN: cm-opt --march=skl --passes=gen-absolutes %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-absolutes %s | run-lines %s

declare <8 x i16> @llvm.abs.v8i16(<8 x i16>, i1)
declare <8 x i8> @llvm.genx.rdregioni.v8i8.v32i8.i16(<32 x i8>, i32, i32, i32, i16, i32)

; CHECK-LABEL: @differences(
; CHECK: call <8 x i16> @llvm.abs.v8i16(<8 x i16> %d, i1 true)
; run: differences(random, random)
define <8 x i16> @differences(<32 x i8> %bytes, <8 x i8> %others) {
  %b = call <8 x i8> @llvm.genx.rdregioni.v8i8.v32i8.i16(<32 x i8> %bytes, i32 0, i32 8, i32 2, i16 3, i32 undef)
  %x = zext <8 x i8> %b to <8 x i16>
  %y = sext <8 x i8> %others to <8 x i16>
  %twice = shl <8 x i16> %y, splat (i16 2)
  %d = sub <8 x i16> %x, %twice
  %a = call <8 x i16> @llvm.abs.v8i16(<8 x i16> %d, i1 false)
  ret <8 x i16> %a
}

; -128 * 256 is the smallest word.
; CHECK-LABEL: @smallest(
; CHECK: call <8 x i16> @llvm.abs.v8i16(<8 x i16> %d, i1 false)
; run: smallest(random)
define <8 x i16> @smallest(<8 x i8> %bytes) {
  %x = sext <8 x i8> %bytes to <8 x i16>
  %d = shl <8 x i16> %x, splat (i16 8)
  %a = call <8 x i16> @llvm.abs.v8i16(<8 x i16> %d, i1 false)
  ret <8 x i16> %a
}
