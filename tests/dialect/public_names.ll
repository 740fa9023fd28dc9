; What other tools call by the public dialect's names is what LLVM has names for.
; RUN: cm-opt --passes=adce %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-baling %s | FileCheck %s

; CHECK-LABEL: @names(
; CHECK: %a = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x)
; CHECK-NEXT: %m = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %a, <8 x float> %y)
; CHECK-NEXT: %d = call <8 x float> @llvm.floor.v8f32(<8 x float> %m)
; CHECK-NEXT: ret <8 x float> %d
define <8 x float> @names(<8 x float> %x, <8 x float> %y) {
  %a = call <8 x float> @llvm.genx.absf.v8f32(<8 x float> %x)
  %m = call <8 x float> @llvm.genx.fmax.v8f32.v8f32(<8 x float> %a, <8 x float> %y)
  %d = call <8 x float> @llvm.genx.rndd.v8f32(<8 x float> %m)
  ret <8 x float> %d
}

; CHECK-LABEL: @integers(
; CHECK: %s = call <8 x i16> @llvm.sadd.sat.v8i16(<8 x i16> %x, <8 x i16> %y)
; CHECK-NEXT: %a = call <8 x i16> @llvm.abs.v8i16(<8 x i16> %s, i1 false)
; CHECK-NEXT: ret <8 x i16> %a
define <8 x i16> @integers(<8 x i16> %x, <8 x i16> %y) {
  %s = call <8 x i16> @llvm.genx.ssadd.sat.v8i16.v8i16(<8 x i16> %x, <8 x i16> %y)
  %a = call <8 x i16> @llvm.genx.absi.v8i16(<8 x i16> %s)
  ret <8 x i16> %a
}

; A sum of words that is saturated to bytes is none of LLVM's.
; CHECK-LABEL: @narrower(
; CHECK: call <8 x i8> @llvm.genx.ssadd.sat.v8i8.v8i16(<8 x i16> %x, <8 x i16> %y)
define <8 x i8> @narrower(<8 x i16> %x, <8 x i16> %y) {
  %s = call <8 x i8> @llvm.genx.ssadd.sat.v8i8.v8i16(<8 x i16> %x, <8 x i16> %y)
  ret <8 x i8> %s
}
declare <8 x float> @llvm.genx.absf.v8f32(<8 x float>)
declare <8 x float> @llvm.genx.fmax.v8f32.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.genx.rndd.v8f32(<8 x float>)
declare <8 x i16> @llvm.genx.ssadd.sat.v8i16.v8i16(<8 x i16>, <8 x i16>)
declare <8 x i16> @llvm.genx.absi.v8i16(<8 x i16>)
declare <8 x i8> @llvm.genx.ssadd.sat.v8i8.v8i16(<8 x i16>, <8 x i16>)
