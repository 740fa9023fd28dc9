; Divisions that the execution units do not have: of 64 bits bit by bit, on DG2 and PVC those of 32 and fewer bits by the
; reciprocal.
; RUN: cm-opt --march=SKL --passes=gen-division %s | FileCheck --check-prefixes=CHECK,SKL %s
; RUN: cm-opt --march=DG2 --passes=gen-division %s | FileCheck --check-prefixes=CHECK,DG2 %s
; RUN: cm-opt --march=PVC --passes=gen-division %s | FileCheck --check-prefixes=CHECK,DG2 %s
; RUN: cm-opt --march=SKL --passes=gen-division %s | run-lines %s
; RUN: cm-opt --march=DG2 --passes=gen-division %s | run-lines %s
; RUN: cm-opt --march=PVC --passes=gen-division %s | run-lines %s

; CHECK-LABEL: @words(
; SKL: udiv <8 x i32> %n, %d
; DG2: [[R:%.*]] = fdiv <8 x float> splat (float 1.000000e+00),
; DG2: fmul <8 x float> [[R]], splat (float 0x3FEFFFFF00000000)
; DG2-COUNT-2: call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32
; DG2-NOT: div
; run: words(random, 1..1000)
; run: words(<7, 0xffffffff, 0xffffffff, 0, 1, 2, 0xfffffffe, 99>, <2, 1, 0xffffffff, 5, 2, 2, 0xffffffff, 10>) == 03000000 ffffffff 01000000 00000000 00000000 01000000 00000000 09000000
define <8 x i32> @words(<8 x i32> %n, <8 x i32> %d) {
  %q = udiv <8 x i32> %n, %d
  ret <8 x i32> %q
}

; One quotient is enough for 16 bits; the remainder has the dividend's sign.
; CHECK-LABEL: @narrow(
; SKL: srem <4 x i16> %n, %d
; DG2: sext <4 x i16> %n to <4 x i32>
; DG2: [[SIGN:%.*]] = ashr <4 x i32> {{.*}}, splat (i32 31)
; DG2: call <4 x i32> @llvm.fptoui.sat.v4i32.v4f32
; DG2-NOT: fptoui
; DG2: xor <4 x i32> {{.*}}, [[SIGN]]
; DG2: trunc <4 x i32> {{.*}} to <4 x i16>
; run: narrow(random, 1..32767)
; run: narrow(random, -32768..-1)
define <4 x i16> @narrow(<4 x i16> %n, <4 x i16> %d) {
  %r = srem <4 x i16> %n, %d
  ret <4 x i16> %r
}

; CHECK-LABEL: @long(
; CHECK: divide:
; CHECK: phi <2 x i64>
; run: long(random, 1..0x7fffffffffffffff)
; run: long(random, 1..100)
define <2 x i64> @long(<2 x i64> %n, <2 x i64> %d) {
  %q = udiv <2 x i64> %n, %d
  ret <2 x i64> %q
}

; Integers of sizes that no register has are divided in the next one.
; DG2-LABEL: @odd(
; DG2: sext <4 x i21> %{{.*}} to <4 x i32>
; DG2: sext <4 x i21> %{{.*}} to <4 x i32>
; DG2-NOT: i21>
; DG2: trunc <4 x i32> %{{.*}} to <4 x i21>
; run: odd(-1000000..1000000, 1..1000)
define <4 x i32> @odd(<4 x i32> %n, <4 x i32> %d) {
  %a = trunc <4 x i32> %n to <4 x i21>
  %b = trunc <4 x i32> %d to <4 x i21>
  %q = sdiv <4 x i21> %a, %b
  %r = sext <4 x i21> %q to <4 x i32>
  ret <4 x i32> %r
}
