; Elements that pieces write with gaps, between which other pieces write, are those elements when they are moved together:
; the finalizer looks at those who write what is moved, which the others do not hinder.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <4 x i32> @llvm.genx.rdregioni.v4i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32) #1
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v4i32.i16.i1(<16 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1) #1
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %f = bitcast <32 x float> %floats to <32 x i32>
  %r0 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v32i32.i16(<32 x i32> %f, i32 4, i32 4, i32 4, i16 0, i32 undef)
  %w0 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v4i32.i16.i1(<16 x i32> undef, <4 x i32> %r0, i32 8, i32 4, i32 2, i16 0, i32 undef, i1 true)
  %r1 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v32i32.i16(<32 x i32> %f, i32 4, i32 4, i32 4, i16 64, i32 undef)
  %w1 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v4i32.i16.i1(<16 x i32> %w0, <4 x i32> %r1, i32 8, i32 4, i32 2, i16 32, i32 undef, i1 true)
  %r2 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v32i32.i16(<32 x i32> %f, i32 4, i32 4, i32 4, i16 4, i32 undef)
  %w2 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v4i32.i16.i1(<16 x i32> %w1, <4 x i32> %r2, i32 8, i32 4, i32 2, i16 4, i32 undef, i1 true)
  %r3 = call <4 x i32> @llvm.genx.rdregioni.v4i32.v32i32.i16(<32 x i32> %f, i32 4, i32 4, i32 4, i16 68, i32 undef)
  %w3 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v4i32.i16.i1(<16 x i32> %w2, <4 x i32> %r3, i32 8, i32 4, i32 2, i16 36, i32 undef, i1 true)
  %odd = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w3, i32 16, i32 8, i32 2, i16 4, i32 undef)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 0, <8 x i32> %odd)
  %even = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w3, i32 16, i32 8, i32 2, i16 0, i32 undef)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 2, <8 x i32> %even)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
