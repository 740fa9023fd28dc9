; What is too wide for an instruction, as other tools write it: by type, by region, by target.
; RUN: cm-opt --march=icllp --passes=gen-baling,gen-legalization,gen-finish %s | FileCheck --check-prefixes=CHECK,G32 %s
; RUN: cm-opt --march=pvc --passes=gen-baling,gen-legalization,gen-finish %s | FileCheck --check-prefixes=CHECK,G64 %s
declare <32 x i32> @llvm.genx.rdregioni.v32i32.v64i32.i16(<64 x i32>, i32, i32, i32, i16, i32) #0

; Thirty-two dwords: two registers at a time, which are larger on PVC.
; CHECK-LABEL: @dwords(
; G32-COUNT-2: add <16 x i32>
; G64-COUNT-1: add <32 x i32>
; CHECK-NOT: add
; CHECK: ret
define <32 x i32> @dwords(<32 x i32> %x, <32 x i32> %y) {
  %s = add <32 x i32> %x, %y
  ret <32 x i32> %s
}

; Seven: four, two and one.
; CHECK-LABEL: @seven(
; CHECK: fmul <4 x float>
; CHECK: fmul <2 x float>
; CHECK: fmul <1 x float>
; CHECK-NOT: fmul
; CHECK: ret
define <7 x float> @seven(<7 x float> %x, <7 x float> %y) {
  %m = fmul <7 x float> %x, %y
  ret <7 x float> %m
}

; Doubles, and what is made of them.
; CHECK-LABEL: @from_words(
; G32-COUNT-2: sext <8 x i16> {{.*}} to <8 x i64>
; G64-COUNT-1: sext <16 x i16> {{.*}} to <16 x i64>
; CHECK-NOT: sext
; CHECK: ret
define <16 x i64> @from_words(<16 x i16> %x) {
  %s = sext <16 x i16> %x to <16 x i64>
  ret <16 x i64> %s
}

; A region of rows that begin in different registers: a row at a time where the rows do not go on in even steps.
; CHECK-LABEL: @rows(
; G32-COUNT-4: rdregioni.v8i32.v64i32.i16({{.*}}i32 0, i32 8, i32 1
; CHECK: ret
define <32 x i32> @rows(<64 x i32> %x, <32 x i32> %y) {
  %r = call <32 x i32> @llvm.genx.rdregioni.v32i32.v64i32.i16(<64 x i32> %x, i32 16, i32 8, i32 1, i16 0, i32 undef)
  %s = add <32 x i32> %r, %y
  ret <32 x i32> %s
}

; A comparison of 32 channels is two predicates of 16; what they choose is cut the same way.
; CHECK-LABEL: @predicates(
; CHECK-DAG: icmp slt <16 x i16>
; CHECK-DAG: icmp slt <16 x i16>
; CHECK-DAG: select <16 x i1> {{.*}}, <16 x i16>
; CHECK-DAG: select <16 x i1> {{.*}}, <16 x i16>
; CHECK-NOT: <32 x i1>
; CHECK: ret
define <32 x i16> @predicates(<32 x i16> %x, <32 x i16> %y) {
  %c = icmp slt <32 x i16> %x, %y
  %s = select <32 x i1> %c, <32 x i16> %x, <32 x i16> %y
  ret <32 x i16> %s
}

attributes #0 = { nounwind willreturn memory(none) }
