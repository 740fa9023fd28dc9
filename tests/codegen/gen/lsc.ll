; Memory accesses of the load/store cache: offsets in bytes with nothing added, blocks of up to 16 owords, and for
; registers of 64 bytes at least 16 channels.
; RUN: cm-opt --march=DG2 --passes=gen-messages %s | FileCheck --check-prefixes=CHECK,DG2 %s
; RUN: cm-opt --march=PVC --passes=gen-messages %s | FileCheck --check-prefixes=CHECK,PVC %s

; CHECK-LABEL: @block(
; CHECK: call <64 x i32> @llvm.genx.oword.ld.unaligned.v64i32(i32 0, i32 %s, i32 %at)
define <64 x i32> @block(i32 %s, i32 %at) {
  %v = call <64 x i32> @llvm.genx.oword.ld.unaligned.v64i32(i32 0, i32 %s, i32 %at)
  ret <64 x i32> %v
}

; CHECK-LABEL: @gather8(
; CHECK: [[SUM:%.*]] = add <8 x i32> %o, splat (i32 32)
; DG2: call <8 x i32> @llvm.genx.gather.scaled.v8i32{{.*}}i32 %s, i32 0, <8 x i32> [[SUM]]
; PVC: call <16 x i32> @llvm.genx.gather.scaled.v16i32
define <8 x i32> @gather8(i32 %s, <8 x i32> %o) {
  %v = call <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1> splat (i1 true), i32 2, i16 0, i32 %s, i32 32, <8 x i32> %o, <8 x i32> poison)
  ret <8 x i32> %v
}
declare <64 x i32> @llvm.genx.oword.ld.unaligned.v64i32(i32, i32, i32)
declare <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1>, i32, i16, i32, i32, <8 x i32>, <8 x i32>)
