; A sum of 64 bits that is not narrowed leaves nothing of the attempt.
; RUN: cm-opt --march=SKL --passes=gen-saturation,verify %s | FileCheck %s

; CHECK-LABEL: @wide(
; CHECK-NOT: <8 x i32>
; CHECK: ret
define <8 x i16> @wide(<8 x i16> %a, <8 x i64> %x) {
  %l = sext <8 x i16> %a to <8 x i64>
  %s = add <8 x i64> %l, %x
  %m = call <8 x i64> @llvm.smax.v8i64(<8 x i64> %s, <8 x i64> splat (i64 -32768))
  %n = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %m, <8 x i64> splat (i64 32767))
  %r = trunc <8 x i64> %n to <8 x i16>
  ret <8 x i16> %r
}
