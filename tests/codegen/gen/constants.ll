; Vectors of different constants are written into registers: runs, steps, and words that pair up as dwords.
; RUN: cm-opt --march=icllp --passes=gen-constants %s | FileCheck %s

; CHECK-LABEL: @steps(
; CHECK: <8 x i16> <i16 0, i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7>
; CHECK: add <8 x i32> {{%.*}}, splat (i32 8)
define <16 x i32> @steps(<16 x i32> %v) {
  %r = add <16 x i32> %v, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i32> %r
}

; CHECK-LABEL: @dwords(
; CHECK: wrregioni.v4i32.v4i32.i16.i1(<4 x i32> poison, <4 x i32> splat (i32 131073)
; CHECK: bitcast <4 x i32> {{%.*}} to <8 x i16>
define <8 x i16> @dwords(<8 x i16> %v) {
  %r = mul <8 x i16> %v, <i16 1, i16 2, i16 1, i16 2, i16 1, i16 2, i16 1, i16 2>
  ret <8 x i16> %r
}

; One number for all is an immediate.
; CHECK-LABEL: @splat(
; CHECK-NEXT: %r = add <8 x i16> %v, splat (i16 5)
; CHECK-NEXT: ret
define <8 x i16> @splat(<8 x i16> %v) {
  %r = add <8 x i16> %v, splat (i16 5)
  ret <8 x i16> %r
}

; A constant that both ways of a branch give a phi is set once.
; CHECK-LABEL: @before(
; CHECK: entry:
; CHECK: [[S:%.*]] = call <32 x float> @llvm.genx.wrregionf.v32f32.v32f32.i16.i1(<32 x float> poison, <32 x float> zeroinitializer
; CHECK: br i1
; CHECK: phi <32 x float> [ [[S]], %yes ], [ [[S]], %no ]
define <32 x float> @before(i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  %sum = phi <32 x float> [ zeroinitializer, %yes ], [ zeroinitializer, %no ]
  ret <32 x float> %sum
}
