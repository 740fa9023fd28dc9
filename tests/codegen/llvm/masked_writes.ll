; What a masked write leaves is written over itself; a write without a mask stays.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-masked-writes %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-masked-writes %s | run-lines %s

; CHECK-LABEL: @some(
; CHECK: [[HAD:%.*]] = call <8 x i16> @llvm.genx.rdregioni.v8i16.v32i16.i16(<32 x i16> %old, i32 16, i32 8, i32 2, i16 2, i32 undef)
; CHECK: [[PICK:%.*]] = select <8 x i1> %on, <8 x i16> %new, <8 x i16> [[HAD]]
; CHECK: [[OUT:%.*]] = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %old, <8 x i16> [[PICK]], i32 16, i32 8, i32 2, i16 2, i32 undef, i1 true)
; CHECK: ret <32 x i16> [[OUT]]
; run: some(random, random, random)
define <32 x i16> @some(<32 x i16> %old, <8 x i16> %new, <8 x i1> %on) {
  %w = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.v8i1(<32 x i16> %old, <8 x i16> %new, i32 16, i32 8, i32 2, i16 2, i32 undef, <8 x i1> %on)
  ret <32 x i16> %w
}

; CHECK-LABEL: @all(
; CHECK-NEXT: [[W:%.*]] = call <32 x i16> @llvm.genx.wrregioni
; CHECK-NEXT: ret <32 x i16> [[W]]
; run: all(random, random)
define <32 x i16> @all(<32 x i16> %old, <8 x i16> %new) {
  %w = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.v8i1(<32 x i16> %old, <8 x i16> %new, i32 16, i32 8, i32 2, i16 2, i32 undef, <8 x i1> splat (i1 true))
  ret <32 x i16> %w
}

declare <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.v8i1(<32 x i16>, <8 x i16>, i32, i32, i32, i16, i32, <8 x i1>)
