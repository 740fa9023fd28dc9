; Memory accesses of the load/store cache: offsets in bytes with nothing added, blocks of up to 16 owords, any power of
; two of channels.
; RUN: cm-opt --march=DG2 --passes=gen-messages %s | FileCheck --check-prefixes=CHECK,DG2 %s
; RUN: cm-opt --march=PVC --passes=gen-messages %s | FileCheck --check-prefixes=CHECK,PVC %s
; RUN: cm-opt --march=DG2 --passes=gen-messages %s | run-lines %s
; RUN: cm-opt --march=PVC --passes=gen-messages %s | run-lines %s

; CHECK-LABEL: @block(
; CHECK: call <64 x i32> @llvm.genx.oword.ld.unaligned.v64i32(i32 0, i32 %s, i32 %at)
; run: block(memory, 0..3000)
define <64 x i32> @block(i32 %s, i32 %at) {
  %v = call <64 x i32> @llvm.genx.oword.ld.unaligned.v64i32(i32 0, i32 %s, i32 %at)
  ret <64 x i32> %v
}

; CHECK-LABEL: @gather8(
; CHECK: [[SUM:%.*]] = add <8 x i32> %o, splat (i32 32)
; CHECK: call <8 x i32> @llvm.genx.gather.scaled.v8i32{{.*}}i32 %s, i32 0, <8 x i32> [[SUM]]
; run: gather8(memory, 0..4000)
define <8 x i32> @gather8(i32 %s, <8 x i32> %o) {
  %v = call <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1> splat (i1 true), i32 2, i16 0, i32 %s, i32 32, <8 x i32> %o, <8 x i32> poison)
  ret <8 x i32> %v
}

; CHECK-LABEL: @gather40(
; DG2: call <16 x i32> @llvm.genx.gather.scaled.v16i32
; DG2: call <16 x i32> @llvm.genx.gather.scaled.v16i32
; PVC: call <32 x i32> @llvm.genx.gather.scaled.v32i32
; CHECK: call <8 x i32> @llvm.genx.gather.scaled.v8i32
; run: gather40(memory, 0..4000)
define <40 x i32> @gather40(i32 %s, <40 x i32> %o) {
  %v = call <40 x i32> @llvm.genx.gather.scaled.v40i32.v40i1.v40i32(<40 x i1> splat (i1 true), i32 2, i16 0, i32 %s, i32 0, <40 x i32> %o, <40 x i32> poison)
  ret <40 x i32> %v
}

; CHECK-LABEL: @atomic3(
; CHECK: call <4 x i32> @llvm.genx.svm.atomic.add.v4i32.v4i1.v4i64(<4 x i1> <i1 true, i1 true, i1 true, i1 false>,
define <3 x i32> @atomic3(<3 x i64> %at, <3 x i32> %x) {
  %v = call <3 x i32> @llvm.genx.svm.atomic.add.v3i32.v3i1.v3i64(<3 x i1> splat (i1 true), <3 x i64> %at, <3 x i32> %x, <3 x i32> poison)
  ret <3 x i32> %v
}

; The finalizer cuts comparisons of two channels on PVC, which a message does not follow.
; CHECK-LABEL: @guardedPair(
; DG2: call <2 x i32> @llvm.genx.svm.gather.v2i32.v2i1.v2i64(<2 x i1> %on,
; PVC: call <4 x i32> @llvm.genx.svm.gather.v4i32.v4i1.v4i64(<4 x i1> %{{[0-9]+}},
define <2 x i32> @guardedPair(<2 x i64> %at, <2 x i1> %on) {
  %v = call <2 x i32> @llvm.genx.svm.gather.v2i32.v2i1.v2i64(<2 x i1> %on, i32 0, <2 x i64> %at, <2 x i32> zeroinitializer)
  ret <2 x i32> %v
}

; A channel of its own is a row of one element.
; CHECK-LABEL: @one(
; CHECK: call <1 x i32> @llvm.genx.lsc.load.stateless.v1i32.v1i1.v1i64(<1 x i1> splat (i1 true), i8 0, i8 0, i8 0, i16 1, i32 0, i8 3, i8 1, i8 2, i8 0,
define i32 @one(i64 %at) {
  %v = call i32 @llvm.genx.svm.gather.i32.i1.i64(i1 true, i32 0, i64 %at, i32 poison)
  ret i32 %v
}
declare <64 x i32> @llvm.genx.oword.ld.unaligned.v64i32(i32, i32, i32)
declare <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1>, i32, i16, i32, i32, <8 x i32>, <8 x i32>)
declare <40 x i32> @llvm.genx.gather.scaled.v40i32.v40i1.v40i32(<40 x i1>, i32, i16, i32, i32, <40 x i32>, <40 x i32>)
declare <3 x i32> @llvm.genx.svm.atomic.add.v3i32.v3i1.v3i64(<3 x i1>, <3 x i64>, <3 x i32>, <3 x i32>)
declare i32 @llvm.genx.svm.gather.i32.i1.i64(i1, i32, i64, i32)
declare <2 x i32> @llvm.genx.svm.gather.v2i32.v2i1.v2i64(<2 x i1>, i32, <2 x i64>, <2 x i32>)
