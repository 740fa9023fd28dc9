; Halves that are computed at a place known at run time: the finalizer computes every other one at a time, and writes the
; others a byte behind the first. They are computed aside, and moved there.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <4 x i32> @llvm.genx.oword.ld.v4i32(i32, i32, i32)
declare <4 x half> @llvm.genx.sat.v4f16(<4 x half>) #1
declare <16 x half> @llvm.genx.wrregionf.v16f16.v4f16.i16.i1(<16 x half>, <4 x half>, i32, i32, i32, i16, i32, i1) #1
declare <16 x half> @llvm.genx.wrregionf.v16f16.v2f16.i16.i1(<16 x half>, <2 x half>, i32, i32, i32, i16, i32, i1) #1
declare <2 x half> @llvm.genx.rdregionf.v2f16.v4f16.i16(<4 x half>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v16f16(i32, i32, <16 x half>)

define spir_func void @k(i32 %in, i32 %out, i32 %number, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %l = call <4 x i32> @llvm.genx.oword.ld.v4i32(i32 0, i32 %in, i32 0)
  %n = and <4 x i32> %l, splat (i32 31)
  %h = uitofp <4 x i32> %n to <4 x half>
  %product = fmul <4 x half> %h, splat (half 0xH4500)
  %minus = fneg <4 x half> %h
  %i = trunc i32 %number to i16
  %one = and i16 %i, 1
  %at = mul i16 %one, 2
  %x = call <16 x half> @llvm.genx.wrregionf.v16f16.v4f16.i16.i1(<16 x half> zeroinitializer, <4 x half> %product, i32 0, i32 4, i32 1, i16 %at, i32 undef, i1 true)
  %next = add i16 %at, 10
  %y = call <16 x half> @llvm.genx.wrregionf.v16f16.v4f16.i16.i1(<16 x half> %x, <4 x half> %minus, i32 0, i32 4, i32 1, i16 %next, i32 undef, i1 true)
  %two = call <2 x half> @llvm.genx.rdregionf.v2f16.v4f16.i16(<4 x half> %h, i32 0, i32 2, i32 1, i16 2, i32 undef)
  %sum = fadd <2 x half> %two, splat (half 0xH4500)
  %last = add i16 %at, 20
  %z = call <16 x half> @llvm.genx.wrregionf.v16f16.v2f16.i16.i1(<16 x half> %y, <2 x half> %sum, i32 0, i32 2, i32 1, i16 %last, i32 undef, i1 true)
  call void @llvm.genx.oword.st.v16f16(i32 %out, i32 0, <16 x half> %z)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
