; What is computed from a choice among numbers may be its condition, which is the lower channels of a longer predicate:
; logic gets these as a predicate of their own.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <4 x float> @llvm.genx.rdregionf.v4f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32) #1
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v4i32(i32, i32, <4 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %bits = trunc i32 %n to i8
  %eight = bitcast i8 %bits to <8 x i1>
  %chosen = shufflevector <8 x i1> %eight, <8 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %f = call <4 x float> @llvm.genx.rdregionf.v4f32.v32f32.i16(<32 x float> %floats, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %i = call <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32> %ints, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %less = fcmp ole <4 x float> %f, splat (float 2.0)
  %one = uitofp <4 x i1> %less to <4 x float>
  %number = select <4 x i1> %chosen, <4 x float> %one, <4 x float> <float 300.0, float 301.0, float 302.0, float 303.0>
  %large = fcmp ugt <4 x float> %number, splat (float 207.0)
  %even = trunc <4 x i32> %i to <4 x i1>
  %both = and <4 x i1> %large, %even
  %r = select <4 x i1> %both, <4 x i32> %i, <4 x i32> splat (i32 77)
  call void @llvm.genx.oword.st.v4i32(i32 %out, i32 0, <4 x i32> %r)
  %low = fptosi <4 x float> %number to <4 x i32>
  call void @llvm.genx.oword.st.v4i32(i32 %out, i32 1, <4 x i32> %low)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
