; What turns out to be a number only late, and is read byte by byte, gives each byte of it.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <64 x half> @llvm.genx.rdregionf.v64f16.v8f16.i16(<8 x half>, i32, i32, i32, i16, i32) #1
declare <16 x half> @llvm.genx.rdregionf.v16f16.v64f16.i16(<64 x half>, i32, i32, i32, i16, i32) #1
declare <16 x i16> @llvm.fptosi.sat.v16i16.v16f16(<16 x half>)
declare <16 x i16> @llvm.bswap.v16i16(<16 x i16>)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %none = and <64 x i32> zeroinitializer, splat (i32 2047)
  %zeros = sitofp <64 x i32> %none to <64 x half>
  %zero = extractelement <64 x half> %zeros, i64 24
  %same = call <64 x half> @llvm.genx.rdregionf.v64f16.v8f16.i16(<8 x half> <half 0xH4D60, half 0xH4D80, half 0xH4DA0, half 0xH4DC0, half 0xH4DE0, half 0xH4E00, half 0xH4E20, half 0xH4E40>, i32 0, i32 16, i32 0, i16 14, i32 undef)
  %mixed = insertelement <64 x half> %same, half %zero, i64 8
  %some = call <16 x half> @llvm.genx.rdregionf.v16f16.v64f16.i16(<64 x half> %mixed, i32 5, i32 4, i32 3, i16 78, i32 undef)
  %words = call <16 x i16> @llvm.fptosi.sat.v16i16.v16f16(<16 x half> %some)
  %swapped = call <16 x i16> @llvm.bswap.v16i16(<16 x i16> %words)
  %dwords = zext <16 x i16> %swapped to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 0, <16 x i32> %dwords)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
