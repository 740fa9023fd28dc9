; Integers of 64 bits by halves, where the execution units lack them; what they have stays.
; RUN: cm-opt --march=icllp --passes=gen-int64,gen-regions,gen-finish %s | FileCheck --check-prefixes=CHECK,ICL %s
; RUN: cm-opt --march=skl --passes=gen-int64,gen-regions,gen-finish %s | FileCheck --check-prefixes=CHECK,SKL %s
; RUN: cm-opt --march=icllp --passes=gen-int64,gen-regions,gen-finish %s | run-lines %s
; RUN: cm-opt --march=skl --passes=gen-int64,gen-regions,gen-finish %s | run-lines %s

; ICL-LABEL: @sum(
; ICL: add <8 x i32>
; ICL: icmp ult <8 x i32>
; ICL: add <8 x i32>
; ICL-NOT: add <8 x i64>
; SKL-LABEL: @sum(
; SKL-NEXT: add <8 x i64> %a, %b
; run: sum(random, random)
define <8 x i64> @sum(<8 x i64> %a, <8 x i64> %b) {
  %s = add <8 x i64> %a, %b
  ret <8 x i64> %s
}

; All bits of a product of dwords are one multiplication.
; CHECK-LABEL: @unsigned_dwords(
; CHECK-NEXT: [[P:%.*]] = call <8 x i64> @llvm.genx.uumul.v8i64.v8i32(<8 x i32> %a, <8 x i32> %b)
; CHECK-NEXT: ret <8 x i64> [[P]]
; run: unsigned_dwords(random, random)
define <8 x i64> @unsigned_dwords(<8 x i32> %a, <8 x i32> %b) {
  %x = zext <8 x i32> %a to <8 x i64>
  %y = zext <8 x i32> %b to <8 x i64>
  %p = mul <8 x i64> %x, %y
  ret <8 x i64> %p
}

; CHECK-LABEL: @signed_words(
; CHECK: [[X:%.*]] = sext <8 x i16> %a to <8 x i32>
; CHECK: [[P:%.*]] = call <8 x i64> @llvm.genx.ssmul.v8i64.v8i32(<8 x i32> [[X]], <8 x i32> splat (i32 -3))
; CHECK: ret <8 x i64> [[P]]
; run: signed_words(random)
define <8 x i64> @signed_words(<8 x i16> %a) {
  %x = sext <8 x i16> %a to <8 x i64>
  %p = mul <8 x i64> %x, splat (i64 -3)
  ret <8 x i64> %p
}

; Signs that differ, or factors of 64 bits: the low dwords' product and two more for the high half.
; CHECK-LABEL: @both_signs(
; CHECK: uumul.v8i64.v8i32
; CHECK: mul <8 x i32>
; CHECK: mul <8 x i32>
; CHECK-NOT: mul <8 x i64>
; CHECK: ret
; run: both_signs(random, random)
define <8 x i64> @both_signs(<8 x i32> %a, <8 x i32> %b) {
  %x = sext <8 x i32> %a to <8 x i64>
  %y = zext <8 x i32> %b to <8 x i64>
  %p = mul <8 x i64> %x, %y
  ret <8 x i64> %p
}

; Narrow integers are cut off the low dword, at once.
; CHECK-LABEL: @low_words(
; ICL: [[LOW:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32
; ICL-NEXT: trunc <8 x i32> [[LOW]] to <8 x i16>
; SKL: trunc <8 x i64> %a to <8 x i16>
define <8 x i16> @low_words(<8 x i64> %a) {
  %r = trunc <8 x i64> %a to <8 x i16>
  ret <8 x i16> %r
}
; CHECK-LABEL: @low_dwords(
; ICL: [[LOW:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32
; ICL-NEXT: ret <8 x i32> [[LOW]]
; SKL: trunc <8 x i64> %a to <8 x i32>
define <8 x i32> @low_dwords(<8 x i64> %a) {
  %r = trunc <8 x i64> %a to <8 x i32>
  ret <8 x i32> %r
}
