; Messages to the load/store cache of more lanes or elements than there are.
; RUN: cm-opt --march=dg2 --passes=gen-messages %s | FileCheck --check-prefixes=CHECK,DG2 %s
; RUN: cm-opt --march=pvc --passes=gen-messages %s | FileCheck --check-prefixes=CHECK,PVC %s
; RUN: cm-opt --march=pvcxt --passes=gen-messages %s | FileCheck --check-prefixes=CHECK,XT %s
; RUN: cm-opt --march=dg2 --passes=gen-messages %s | run-lines %s
; RUN: cm-opt --march=pvc --passes=gen-messages %s | run-lines %s
; RUN: cm-opt --march=pvcxt --passes=gen-messages %s | run-lines %s
declare <128 x i64> @llvm.genx.lsc.load.bti.v128i64.v32i1.v32i32(<32 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <32 x i32>, i32) #0
declare <16 x i32> @llvm.genx.lsc.load.merge.bti.v16i32.v8i1.v8i32(<8 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <8 x i32>, i32, <16 x i32>) #0
declare void @llvm.genx.lsc.store.bti.v48i1.v48i32.v48i32(<48 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <48 x i32>, <48 x i32>, i32)
declare <64 x i32> @llvm.genx.lsc.load.bti.v64i32.v1i1.v1i32(<1 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <1 x i32>, i32) #0

; Eight registers of data at most: two elements of 8 bytes at a time, or 16 lanes of four.
; CHECK-LABEL: @elements(
; DG2: lsc.load.bti.v32i64.v16i1.v16i32(<16 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 4, i8 2,
; DG2: lsc.load.bti.v32i64.v16i1.v16i32(<16 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 4, i8 2,
; DG2: lsc.load.bti.v32i64.v16i1.v16i32(<16 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 16, i8 4, i8 2,
; PVC: lsc.load.bti.v64i64.v32i1.v32i32(<32 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 4, i8 2,
; PVC: lsc.load.bti.v64i64.v32i1.v32i32(<32 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 16, i8 4, i8 2,
; XT: lsc.load.bti.v64i64.v16i1.v16i32(<16 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 4, i8 4,
; XT: lsc.load.bti.v64i64.v16i1.v16i32(<16 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 4, i8 4,
; run: elements(memory, 0..4000)
define <128 x i64> @elements(i32 %s, <32 x i32> %at) {
  %r = call <128 x i64> @llvm.genx.lsc.load.bti.v128i64.v32i1.v32i32(<32 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 4, i8 4, i8 1, i8 0, <32 x i32> %at, i32 %s)
  ret <128 x i64> %r
}

; Lanes that are missing are off; the old values lie where the message has them.
; CHECK-LABEL: @few(
; DG2: lsc.load.merge.bti.v32i32.v16i1.v16i32(
; PVC: lsc.load.merge.bti.v64i32.v32i1.v32i32(
; XT: lsc.load.merge.bti.v32i32.v16i1.v16i32(
; run: few(memory, 0..4000, random, random)
define <16 x i32> @few(i32 %s, <8 x i32> %at, <8 x i1> %on, <16 x i32> %old) {
  %r = call <16 x i32> @llvm.genx.lsc.load.merge.bti.v16i32.v8i1.v8i32(<8 x i1> %on, i8 0, i8 0, i8 0, i16 1, i32 0, i8 3, i8 2, i8 1, i8 0, <8 x i32> %at, i32 %s, <16 x i32> %old)
  ret <16 x i32> %r
}

; Predicates are computed 16 channels at a time.
; CHECK-LABEL: @many(
; CHECK-COUNT-3: lsc.store.bti.v16i1.v16i32.v16i32(
; CHECK-NOT: lsc.store
; CHECK-LABEL: @all(
; DG2-COUNT-3: lsc.store.bti.v16i1.v16i32.v16i32(
; PVC: lsc.store.bti.v32i1.v32i32.v32i32(
; PVC: lsc.store.bti.v16i1.v16i32.v16i32(
; XT: lsc.store.bti.v32i1.v32i32.v32i32(
; XT: lsc.store.bti.v16i1.v16i32.v16i32(
; CHECK-LABEL: @row(
; run: many(memory, <0, 148, 296, 444, 592, 740, 888, 1036, 1184, 1332, 1480, 1628, 1776, 1924, 2072, 2220, 2368, 2516, 2664, 2812, 2960, 3108, 3256, 3404, 3552, 3700, 3848, 3996, 60, 208, 356, 504, 652, 800, 948, 1096, 1244, 1392, 1540, 1688, 1836, 1984, 2132, 2280, 2428, 2576, 2724, 2872>, random, random)
define void @many(i32 %s, <48 x i32> %at, <48 x i1> %on, <48 x i32> %data) {
  call void @llvm.genx.lsc.store.bti.v48i1.v48i32.v48i32(<48 x i1> %on, i8 4, i8 0, i8 0, i16 1, i32 0, i8 3, i8 1, i8 1, i8 0, <48 x i32> %at, <48 x i32> %data, i32 %s)
  ret void
}
; run: all(memory, <0, 148, 296, 444, 592, 740, 888, 1036, 1184, 1332, 1480, 1628, 1776, 1924, 2072, 2220, 2368, 2516, 2664, 2812, 2960, 3108, 3256, 3404, 3552, 3700, 3848, 3996, 60, 208, 356, 504, 652, 800, 948, 1096, 1244, 1392, 1540, 1688, 1836, 1984, 2132, 2280, 2428, 2576, 2724, 2872>, random)
define void @all(i32 %s, <48 x i32> %at, <48 x i32> %data) {
  call void @llvm.genx.lsc.store.bti.v48i1.v48i32.v48i32(<48 x i1> splat (i1 true), i8 4, i8 0, i8 0, i16 1, i32 0, i8 3, i8 1, i8 1, i8 0, <48 x i32> %at, <48 x i32> %data, i32 %s)
  ret void
}

; A row of one lane stays as it is.
; CHECK: lsc.load.bti.v64i32.v1i1.v1i32(<1 x i1> splat (i1 true), i8 0, i8 2, i8 2, i16 1, i32 0, i8 3, i8 8, i8 2,
; run: row(memory, 0..3000)
define <64 x i32> @row(i32 %s, <1 x i32> %at) {
  %r = call <64 x i32> @llvm.genx.lsc.load.bti.v64i32.v1i1.v1i32(<1 x i1> splat (i1 true), i8 0, i8 2, i8 2, i16 1, i32 0, i8 3, i8 8, i8 2, i8 0, <1 x i32> %at, i32 %s)
  ret <64 x i32> %r
}
; Blocks of two dimensions end where registers of the target do.
declare <16 x i32> @llvm.genx.lsc.load2d.stateless.v16i32.v1i1.i64(<1 x i1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) #0
; CHECK-LABEL: @padded(
; PVC: [[R:%.*]] = call <32 x i32> @llvm.genx.lsc.load2d.stateless.v32i32.v1i1.i64(<1 x i1> splat (i1 true), i8 0, i8 0, i8 3, i8 1, i8 2, i16 2, i16 4,
; PVC: rdregioni.v8i32.v32i32.i16(<32 x i32> [[R]], i32 0, i32 8, i32 1, i16 64,
define <16 x i32> @padded(i64 %p) {
  %r = call <16 x i32> @llvm.genx.lsc.load2d.stateless.v16i32.v1i1.i64(<1 x i1> splat (i1 true), i8 0, i8 0, i8 3, i8 1, i8 2, i16 2, i16 4, i8 0, i64 %p, i32 63, i32 3, i32 63, i32 0, i32 0)
  ret <16 x i32> %r
}
attributes #0 = { nounwind willreturn memory(inaccessiblemem: read) }
