; What a masked write leaves is written over itself; a write without a mask stays.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-masked-writes %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-masked-writes %s | run-lines --plain %s

; CHECK-LABEL: @some(
; CHECK: [[HAD:%.*]] = call <8 x i16> @llvm.genx.rdregioni.v8i16.v32i16.i16(<32 x i16> %old, i32 16, i32 8, i32 2, i16 2, i32 undef)
; CHECK: [[PICK:%.*]] = select <8 x i1> %on, <8 x i16> %new, <8 x i16> [[HAD]]
; CHECK: [[OUT:%.*]] = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %old, <8 x i16> [[PICK]], i32 16, i32 8, i32 2, i16 2, i32 undef, i1 true)
; CHECK: ret <32 x i16> [[OUT]]
; run: some(random, random, random) as chosen
define <32 x i16> @some(<32 x i16> %old, <8 x i16> %new, <8 x i1> %on) {
  %w = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.v8i1(<32 x i16> %old, <8 x i16> %new, i32 16, i32 8, i32 2, i16 2, i32 undef, <8 x i1> %on)
  ret <32 x i16> %w
}

; CHECK-LABEL: @all(
; CHECK-NEXT: [[W:%.*]] = call <32 x i16> @llvm.genx.wrregioni
; CHECK-NEXT: ret <32 x i16> [[W]]
; run: all(random, random) as every_second
define <32 x i16> @all(<32 x i16> %old, <8 x i16> %new) {
  %w = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.v8i1(<32 x i16> %old, <8 x i16> %new, i32 16, i32 8, i32 2, i16 2, i32 undef, <8 x i1> splat (i1 true))
  ret <32 x i16> %w
}

declare <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.v8i1(<32 x i16>, <8 x i16>, i32, i32, i32, i16, i32, <8 x i1>)

; The same in LLVM's operations.
define <32 x i16> @every_second(<32 x i16> %old, <8 x i16> %new) {
  %all = shufflevector <8 x i16> %new, <8 x i16> poison, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %w = shufflevector <32 x i16> %old, <32 x i16> %all, <32 x i32> <i32 0, i32 32, i32 2, i32 33, i32 4, i32 34, i32 6, i32 35, i32 8, i32 36, i32 10, i32 37, i32 12, i32 38, i32 14, i32 39, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  ret <32 x i16> %w
}
define <32 x i16> @chosen(<32 x i16> %old, <8 x i16> %new, <8 x i1> %on) {
  %there = shufflevector <32 x i16> %old, <32 x i16> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %written = select <8 x i1> %on, <8 x i16> %new, <8 x i16> %there
  %w = call <32 x i16> @every_second(<32 x i16> %old, <8 x i16> %written)
  ret <32 x i16> %w
}
