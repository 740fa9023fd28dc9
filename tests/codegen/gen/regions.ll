; RUN: cm-opt --march=SKL --passes=gen-regions %s | FileCheck %s
; RUN: cm-opt --march=SKL --passes=gen-regions %s | run-lines %s

; A gather whose offsets have become constants is read by regions: offsets computed at run time take an address register
; per element.
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.v8i16(<16 x i32>, i32, i32, i32, <8 x i16>, i32) #0
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.v4i16(<16 x i32>, i32, i32, i32, <4 x i16>, i32) #0

; CHECK-LABEL: define <8 x i32> @picked
; CHECK: [[A:%.*]] = call <4 x i32> @llvm.genx.rdregioni.{{.*}}(<16 x i32> %v, i32 0, i32 4, i32 1, i16 12,
; CHECK: [[B:%.*]] = call <8 x i32> @llvm.genx.wrregioni.{{.*}} poison, <4 x i32> [[A]], {{.*}} i16 0,
; CHECK: [[C:%.*]] = call <4 x i32> @llvm.genx.rdregioni.{{.*}}(<16 x i32> %v, {{.*}} i16 4,
; CHECK: [[D:%.*]] = call <8 x i32> @llvm.genx.wrregioni.{{.*}}(<8 x i32> [[B]], <4 x i32> [[C]], {{.*}} i16 16,
; CHECK: ret <8 x i32> [[D]]
; run: picked(random)
define <8 x i32> @picked(<16 x i32> %v) {
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.v8i16(<16 x i32> %v, i32 0, i32 8, i32 0, <8 x i16> <i16 12, i16 16, i16 20, i16 24, i16 4, i16 12, i16 20, i16 28>, i32 poison)
  ret <8 x i32> %r
}

; CHECK-LABEL: define <4 x i32> @strided
; CHECK-NOT: shufflevector
; CHECK: call <4 x i32> @llvm.genx.rdregioni.{{.*}}(<16 x i32> %v, i32 {{.*}}, i16 4,
; CHECK-NOT: llvm.genx
; CHECK: ret
; run: strided(random)
define <4 x i32> @strided(<16 x i32> %v) {
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.v4i16(<16 x i32> %v, i32 0, i32 4, i32 0, <4 x i16> <i16 4, i16 12, i16 20, i16 28>, i32 poison)
  ret <4 x i32> %r
}

attributes #0 = { nounwind willreturn memory(none) }

; A constant seen as elements of another size is those elements.
; CHECK-LABEL: @seen_as(
; CHECK: ret <2 x i32> <i32 95, i32 96>
; run: seen_as()
define <2 x i32> @seen_as() {
  %r = call <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32> bitcast (<2 x i64> <i64 95, i64 96> to <4 x i32>), i32 2, i32 1, i32 1, i16 0, i32 undef)
  ret <2 x i32> %r
}
declare <2 x i32> @llvm.genx.rdregioni.v2i32.v4i32.i16(<4 x i32>, i32, i32, i32, i16, i32)
