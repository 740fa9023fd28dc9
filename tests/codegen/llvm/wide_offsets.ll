; Elements are chosen by offsets of any width: those of 64 bits lose what is beyond their vector.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-in-place %s | FileCheck --check-prefix=GATHERED %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-in-place %s | FileCheck --check-prefix=SINGLY %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-split-vectors %s | FileCheck --check-prefix=SINGLY %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-split-vectors %s | run-lines %s
declare <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.v16i64(<32 x i32>, i32, i32, i32, <16 x i64>, i32)
declare <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.v16i128(<32 x i32>, i32, i32, i32, <16 x i128>, i32)

; GATHERED-LABEL: @chosen(
; GATHERED: call <16 x i64> @llvm.umin.v16i64(<16 x i64> %at, <16 x i64> splat (i64 124))
; GATHERED: trunc <16 x i64> {{%.*}} to <16 x i32>
; GATHERED: call <16 x i32> @llvm.masked.gather
; SINGLY-LABEL: @chosen(
; SINGLY-NOT: trunc
; SINGLY-COUNT-16: load i32
define <16 x i32> @chosen(<32 x i32> %v, <16 x i64> %at) {
  %r = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.v16i64(<32 x i32> %v, i32 0, i32 16, i32 0, <16 x i64> %at, i32 undef)
  ret <16 x i32> %r
}

; GATHERED-LABEL: @widest(
; GATHERED: trunc <16 x i128> {{%.*}} to <16 x i32>
; GATHERED: call <16 x i32> @llvm.masked.gather
; SINGLY-LABEL: @widest(
; SINGLY-COUNT-16: load i32
; run: widest(random, 0..31)
define <16 x i32> @widest(<32 x i32> %v, <16 x i128> %at) {
  %r = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.v16i128(<32 x i32> %v, i32 0, i32 16, i32 0, <16 x i128> %at, i32 undef)
  ret <16 x i32> %r
}
