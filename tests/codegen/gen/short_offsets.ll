; The finalizer puts addresses with a message's offset into as many registers as they fill, where the message reads those
; of all its channels: a message of few channels has its offset in its addresses.
; RUN: cm-opt --march=dg2 --passes=gen-messages %s | FileCheck %s
; RUN: cm-opt --march=pvc --passes=gen-messages %s | FileCheck %s
declare <1 x i64> @llvm.genx.lsc.load.stateless.v1i64.v1i1.v1i64(<1 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <1 x i64>, i32) #0
declare <32 x i64> @llvm.genx.lsc.load.stateless.v32i64.v32i1.v32i64(<32 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <32 x i64>, i32) #0
declare <1 x i64> @llvm.genx.lsc.load.bti.v1i64.v1i1.v1i32(<1 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <1 x i32>, i32) #0

; CHECK-LABEL: @few(
; CHECK: [[SUM:%.*]] = add <1 x i64> %at, splat (i64 -16)
; CHECK: i16 1, i32 0, i8 4, i8 1, i8 1, i8 0, <1 x i64> [[SUM]], i32 0)
define <1 x i64> @few(<1 x i64> %at) {
  %v = call <1 x i64> @llvm.genx.lsc.load.stateless.v1i64.v1i1.v1i64(<1 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 -16, i8 4, i8 1, i8 1, i8 0, <1 x i64> %at, i32 0)
  ret <1 x i64> %v
}

; As many as messages have, and offsets into surfaces, stay.
; CHECK-LABEL: @many(
; CHECK-NOT: add
; CHECK: i32 64, i8 4
define <32 x i64> @many(<32 x i64> %at) {
  %v = call <32 x i64> @llvm.genx.lsc.load.stateless.v32i64.v32i1.v32i64(<32 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 64, i8 4, i8 1, i8 1, i8 0, <32 x i64> %at, i32 0)
  ret <32 x i64> %v
}
; CHECK-LABEL: @surface(
; CHECK-NOT: add
; CHECK: i32 64, i8 4
define <1 x i64> @surface(<1 x i32> %at) {
  %v = call <1 x i64> @llvm.genx.lsc.load.bti.v1i64.v1i1.v1i32(<1 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 64, i8 4, i8 1, i8 1, i8 0, <1 x i32> %at, i32 0)
  ret <1 x i64> %v
}
attributes #0 = { nounwind willreturn memory(read) }
