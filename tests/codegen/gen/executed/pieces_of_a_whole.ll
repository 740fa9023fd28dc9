; A register that one instruction writes as a whole and another in part is no less in pieces: its elements, moved row by
; row, are what both have left.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

define spir_func void @k(i32 %0, i32 %1, i32 %2, <32 x float> %3, <16 x i32> %4, i64 %5) #0 {
entry:
  %6 = extractelement <16 x i32> %4, i64 0
  %7 = insertelement <16 x i32> %4, i32 42, i64 14
  %8 = insertelement <16 x i32> %7, i32 %6, i64 15
  %9 = call <2 x i32> @llvm.genx.rdregioni.v2i32.v16i32.i16(<16 x i32> %8, i32 35, i32 2, i32 4, i16 16, i32 undef)
  %10 = insertelement <2 x i32> %9, i32 0, i64 0
  %11 = call <8 x i32> @llvm.genx.rdregioni.v8i32.v2i32.i16(<2 x i32> %10, i32 1, i32 4, i32 0, i16 0, i32 undef)
  call void @llvm.genx.oword.st.v8i32(i32 %1, i32 93, <8 x i32> %11)
  ret void
}

declare <2 x i32> @llvm.genx.rdregioni.v2i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1

declare <8 x i32> @llvm.genx.rdregioni.v8i32.v2i32.i16(<2 x i32>, i32, i32, i32, i16, i32) #1

declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>) #2

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { nounwind willreturn memory(inaccessiblemem: readwrite) }

!genx.kernels = !{!0}

!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
