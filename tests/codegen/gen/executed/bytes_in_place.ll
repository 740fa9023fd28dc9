; Bytes that are moved inside of a vector, or computed from others of it, are those that lay there before.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <32 x i8> @llvm.fptoui.sat.v32i8.v32f32(<32 x float>)
declare <30 x i8> @llvm.genx.rdregioni.v30i8.v32i8.i16(<32 x i8>, i32, i32, i32, i16, i32) #1
declare <31 x i8> @llvm.genx.rdregioni.v31i8.v32i8.i16(<32 x i8>, i32, i32, i32, i16, i32) #1
declare <32 x i8> @llvm.genx.wrregioni.v32i8.v30i8.i16.i1(<32 x i8>, <30 x i8>, i32, i32, i32, i16, i32, i1) #1
declare <32 x i8> @llvm.genx.wrregioni.v32i8.v31i8.i16.i1(<32 x i8>, <31 x i8>, i32, i32, i32, i16, i32, i1) #1
declare <16 x i8> @llvm.genx.rdregioni.v16i8.v32i8.i16(<32 x i8>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v32i32(i32, i32, <32 x i32>)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %v = call <32 x i8> @llvm.fptoui.sat.v32i8.v32f32(<32 x float> %floats)
  %rows = call <30 x i8> @llvm.genx.rdregioni.v30i8.v32i8.i16(<32 x i8> %v, i32 4, i32 6, i32 2, i16 4, i32 undef)
  %moved = call <32 x i8> @llvm.genx.wrregioni.v32i8.v30i8.i16.i1(<32 x i8> %v, <30 x i8> %rows, i32 0, i32 30, i32 1, i16 2, i32 undef, i1 true)
  %m = zext <32 x i8> %moved to <32 x i32>
  call void @llvm.genx.oword.st.v32i32(i32 %out, i32 0, <32 x i32> %m)
  %w = call <32 x i8> @llvm.fptoui.sat.v32i8.v32f32(<32 x float> %floats)
  %one = call <31 x i8> @llvm.genx.rdregioni.v31i8.v32i8.i16(<32 x i8> %w, i32 0, i32 1, i32 0, i16 18, i32 undef)
  %next = call <31 x i8> @llvm.genx.rdregioni.v31i8.v32i8.i16(<32 x i8> %w, i32 0, i32 31, i32 1, i16 1, i32 undef)
  %sum = add <31 x i8> %one, %next
  %placed = call <32 x i8> @llvm.genx.wrregioni.v32i8.v31i8.i16.i1(<32 x i8> %w, <31 x i8> %sum, i32 0, i32 31, i32 1, i16 0, i32 undef, i1 true)
  %some = call <16 x i8> @llvm.genx.rdregioni.v16i8.v32i8.i16(<32 x i8> %placed, i32 4, i32 8, i32 2, i16 4, i32 undef)
  %p = zext <32 x i8> %placed to <32 x i32>
  call void @llvm.genx.oword.st.v32i32(i32 %out, i32 8, <32 x i32> %p)
  %low = and <16 x i8> %some, splat (i8 15)
  %s = zext <16 x i8> %low to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 16, <16 x i32> %s)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
