; Elements are chosen by offsets of any width: those of 64 bits lose what is beyond their vector.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-in-place %s | FileCheck --check-prefix=GATHERED %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-in-place %s | FileCheck --check-prefix=SINGLY %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-split-vectors %s | FileCheck --check-prefix=SINGLY %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-split-vectors %s | run-lines --plain %s
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
; run: widest(random, 0..31) as loaded
define <16 x i32> @widest(<32 x i32> %v, <16 x i128> %at) {
  %r = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.v16i128(<32 x i32> %v, i32 0, i32 16, i32 0, <16 x i128> %at, i32 undef)
  ret <16 x i32> %r
}

; The same from memory.
define <16 x i32> @loaded(<32 x i32> %v, <16 x i128> %at) {
entry:
  %memory = alloca <32 x i32>
  store <32 x i32> %v, ptr %memory
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %more, %next ]
  %r = phi <16 x i32> [ zeroinitializer, %entry ], [ %with, %next ]
  %offset = extractelement <16 x i128> %at, i32 %k
  %bytes = trunc i128 %offset to i64
  %place = getelementptr i8, ptr %memory, i64 %bytes
  %element = load i32, ptr %place, align 1
  %with = insertelement <16 x i32> %r, i32 %element, i32 %k
  %more = add i32 %k, 1
  %again = icmp ult i32 %more, 16
  br i1 %again, label %next, label %end
end:
  ret <16 x i32> %with
}
