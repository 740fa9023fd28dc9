; The same as in chosen_negated.ll where the difference saturates.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <16 x i16> @llvm.genx.oword.ld.v16i16(i32, i32, i32)
declare <32 x i32> @llvm.genx.oword.ld.v32i32(i32, i32, i32)
declare i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16>, i32, i32, i32, i16, i32) #1
declare <32 x i32> @llvm.genx.rdregioni.v32i32.v1i32.i16(<1 x i32>, i32, i32, i32, i16, i32) #1
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v32i32(i32, i32, <32 x i32>)
declare <32 x i32> @llvm.usub.sat.v32i32(<32 x i32>, <32 x i32>)
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %words = call <16 x i16> @llvm.genx.oword.ld.v16i16(i32 0, i32 %in, i32 0)
  %values = call <32 x i32> @llvm.genx.oword.ld.v32i32(i32 0, i32 %in, i32 2)
  %short = trunc i32 %n to i16
  %index = and i16 %short, 7
  %place = shl i16 %index, 1
  %word = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %words, i32 0, i32 1, i32 0, i16 %place, i32 undef)
  %wide = zext i16 %word to i32
  %one = insertelement <1 x i32> poison, i32 %wide, i64 0
  %same = call <32 x i32> @llvm.genx.rdregioni.v32i32.v1i32.i16(<1 x i32> %one, i32 0, i32 32, i32 0, i16 0, i32 undef)
  %less = call <32 x i32> @llvm.usub.sat.v32i32(<32 x i32> %values, <32 x i32> %same)
  %four = shl i16 %index, 2
  %some = call <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32> %less, i32 2, i32 8, i32 2, i16 %four, i32 undef)
  call void @llvm.genx.oword.st.v32i32(i32 %out, i32 0, <32 x i32> %less)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 8, <8 x i32> %some)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
